public import Foundation
public import StartSmall

extension Endpoint {
    /// A refusal of this endpoint's request, with what the API says is wrong.
    ///
    /// - Parameters:
    ///   - problem: what the API says is wrong.
    ///   - status: one that the endpoint does not accept.
    ///   - headers: the header fields of the answer.
    ///   - encoder: writes JSON as the API does; a problem is read by a plain decoder.
    /// - Returns: the answer, or no response with `ConnectionError.malformedPayload` if it is no problem to the endpoint.
    public func stub<Problem: Encodable>(
        problem: Problem,
        status: HTTPStatus,
        headers: HTTPHeaders = [:],
        encoder: JSONEncoder = JSONEncoder()
    ) -> EndpointStub where Failure == TransformError<Problem> {
        refusal(problem, status, headers, encoder)
    }

    /// A refusal for an endpoint whose failure was changed by `mapFailure`, with what the API says is wrong.
    ///
    /// No failure of an app's own can be turned back into a response, so the stub is given what the API says: the endpoint
    /// reads the problem and changes it as it does in the app. Whether that gives the failure that is meant, the test sees.
    ///
    /// - Parameters:
    ///   - problem: what the API says is wrong, of the type that the endpoint was made with.
    ///   - status: one that the endpoint does not accept.
    ///   - headers: the header fields of the answer.
    ///   - encoder: writes JSON as the API does; a problem is read by a plain decoder.
    /// - Returns: the answer, or no response with `ConnectionError.malformedPayload` if the endpoint takes it for a success,
    ///   or has problems of another type.
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
                    "\(status) with a \(Problem.self) is a success to the endpoint: a problem needs a status that it refuses"
                )
            )
        case .left(let failure as any ProblemFailure) where !(failure.said is Problem):
            return stub(.unreadable("\(status) with a \(Problem.self) is no problem to the endpoint: \(failure)"))
        case .left: return stub(output)
        }
    }
}

/// A failure that tells of a problem, of whatever type.
private protocol ProblemFailure {
    /// The problem; nil if it tells of something else.
    var said: Any? { get }
}

extension TransformError: ProblemFailure {
    fileprivate var said: Any? { problem }
}
