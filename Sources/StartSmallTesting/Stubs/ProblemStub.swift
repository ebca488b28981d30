public import Foundation
public import StartSmall

extension Endpoint {
    /// Returns a stub that refuses this endpoint's request with a problem.
    ///
    /// The endpoint decodes the problem as in the app. A custom failure of `mapFailure` can't be converted back into a
    /// response: the stub of such an endpoint takes the problem that the API reports, too, and the test verifies that
    /// the result is the intended failure.
    ///
    /// - Parameters:
    ///   - problem: the problem that the API reports, of the type that the endpoint was created with.
    ///   - status: a status that the endpoint does not accept.
    ///   - headers: the header fields of the response.
    ///   - encoder: an encoder that writes JSON as the API does; a plain decoder decodes the problem.
    /// - Returns: the stub. Its output is no response with `ConnectionError.malformedPayload` if the endpoint accepts
    ///   the response, or has problems of another type.
    public func stub<Problem: Encodable>(
        problem: Problem,
        status: HTTPStatus,
        headers: HTTPHeaders = [:],
        encoder: JSONEncoder = JSONEncoder()
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
        case .left(let failure as any ProblemFailure) where !(failure.reportedProblem is Problem):
            return stub(.unreadable("\(status) with a \(Problem.self) is not a problem to the endpoint: \(failure)"))
        case .left: return stub(output)
        }
    }
}

/// A failure that may contain a problem of any type.
private protocol ProblemFailure {
    /// The problem; nil if the failure has another reason.
    var reportedProblem: Any? { get }
}

extension TransformError: ProblemFailure {
    fileprivate var reportedProblem: Any? { problem }
}
