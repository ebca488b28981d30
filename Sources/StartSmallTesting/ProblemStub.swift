public import Foundation
public import StartSmall

extension Endpoint {
    /// Returns a stub that refuses this endpoint's request with a problem.
    ///
    /// - Parameters:
    ///   - problem: the problem that the API reports.
    ///   - status: a status that the endpoint does not accept.
    ///   - headers: the header fields of the response.
    ///   - encoder: an encoder that writes JSON as the API does; a plain decoder decodes the problem.
    /// - Returns: the stub. Its output is no response with `ConnectionError.malformedPayload` if the endpoint does not
    ///   decode a problem from the response.
    public func stub<Problem: Encodable>(
        problem: Problem,
        status: HTTPStatus,
        headers: HTTPHeaders = [:],
        encoder: JSONEncoder = JSONEncoder()
    ) -> EndpointStub where Failure == TransformError<Problem> {
        refusal(problem, status, headers, encoder)
    }

    /// Returns a stub that refuses the request of an endpoint whose failure was changed by `mapFailure`.
    ///
    /// An app's custom failure can't be converted back into a response, so the stub takes the problem that the API
    /// reports: the endpoint decodes the problem and converts it as in the app. The test has to verify that the result
    /// is the intended failure.
    ///
    /// - Parameters:
    ///   - problem: the problem that the API reports, of the type that the endpoint was created with.
    ///   - status: a status that the endpoint does not accept.
    ///   - headers: the header fields of the response.
    ///   - encoder: an encoder that writes JSON as the API does; a plain decoder decodes the problem.
    /// - Returns: the stub. Its output is no response with `ConnectionError.malformedPayload` if the endpoint accepts
    ///   the response, or has problems of another type.
    public func stub(
        problem: some Encodable,
        status: HTTPStatus,
        headers: HTTPHeaders = [:],
        encoder: JSONEncoder = JSONEncoder()
    ) -> EndpointStub {
        refusal(problem, status, headers, encoder)
    }

    private func refusal<Problem: Encodable>(
        _ problem: Problem,
        _ status: HTTPStatus,
        _ headers: HTTPHeaders,
        _ encoder: JSONEncoder
    ) -> EndpointStub {
        let mediaType = Problem.self == ProblemDetails.self ? MediaType.problemJSON : .json
        var headers = headers
        headers.setIfAbsent("Content-Type", to: mediaType.rawValue)
        let output = Output.json(encoding: problem, status: status, headers: headers, encoder: encoder)
        guard let response = output.response else { return stub(output) }
        switch transform(response) {
        case .right:
            return stub(
                .unreadable(
                    "\(status) with a \(Problem.self) is a success to the endpoint: "
                        + "use a status that the endpoint refuses"
                )
            )
        case .left(let failure as any ProblemFailure) where !(failure.said is Problem):
            return stub(.unreadable("\(status) with a \(Problem.self) is not a problem to the endpoint: \(failure)"))
        case .left: return stub(output)
        }
    }
}

/// A failure that may contain a problem of any type.
private protocol ProblemFailure {
    /// The problem; nil if the failure has another reason.
    var said: Any? { get }
}

extension TransformError: ProblemFailure {
    fileprivate var said: Any? { problem }
}
