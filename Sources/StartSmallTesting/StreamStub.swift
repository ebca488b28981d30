public import Foundation
public import StartSmall

extension StreamEndpoint {
    /// A response to this endpoint's request whose payload is delivered part by part:
    /// `Connector.stub(parts:status:headers:failingWith:recording:)` for one endpoint.
    ///
    /// - Parameters:
    ///   - parts: the payload as text, cut anywhere; empty parts are left out.
    ///   - status: the status of the response.
    ///   - headers: the header fields of the response.
    ///   - failure: what the call ends with after the last part; nil for a whole response.
    public func stub(
        parts: [String],
        status: HTTPStatus = .ok,
        headers: HTTPHeaders = [:],
        failingWith failure: ConnectionError? = nil
    ) -> EndpointStub {
        stub(parts: parts.map { Data($0.utf8) }, status: status, headers: headers, failingWith: failure)
    }

    /// A response whose payload is delivered part by part, as bytes: a part may end within a character.
    ///
    /// - Parameters:
    ///   - parts: the payload, cut anywhere; empty parts are left out.
    ///   - status: the status of the response.
    ///   - headers: the header fields of the response.
    ///   - failure: what the call ends with after the last part; nil for a whole response.
    public func stub(
        parts: some Sequence<Data>,
        status: HTTPStatus = .ok,
        headers: HTTPHeaders = [:],
        failingWith failure: ConnectionError? = nil
    ) -> EndpointStub {
        EndpointStub(input, PartialAnswer(parts: Array(parts), status: status, headers: headers, failure: failure))
    }

    /// A refusal of this endpoint's request, with what the API says is wrong.
    ///
    /// - Parameters:
    ///   - problem: what the API says is wrong.
    ///   - status: the status of the refusal, which is no success.
    ///   - headers: the header fields of the response.
    ///   - encoder: writes JSON as the API does; a problem is read by a plain decoder.
    /// - Returns: the response, or none with `ConnectionError.malformedPayload` if it is no problem to the endpoint.
    public func stub(
        problem: Problem,
        status: HTTPStatus,
        headers: HTTPHeaders = [:],
        encoder: JSONEncoder = JSONEncoder()
    ) -> EndpointStub where Problem: Encodable {
        Endpoint.empty(input, problem: Problem.self)
            .stub(problem: problem, status: status, headers: headers, encoder: encoder)
    }

    /// A response of one's own to this endpoint's request, such as a refusal.
    public func stub(_ output: Output) -> EndpointStub {
        EndpointStub(input: input, output: output)
    }
}
