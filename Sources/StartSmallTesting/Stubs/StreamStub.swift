public import Foundation
public import StartSmall

extension StreamEndpoint {
    /// Returns a stub of this endpoint that delivers its payload as text in parts.
    ///
    /// The stub is `Connector.stub(parts:status:headers:failingWith:recording:)` for one endpoint.
    ///
    /// - Parameters:
    ///   - parts: the payload as text, cut anywhere; empty parts are omitted.
    ///   - status: the status of the response.
    ///   - headers: the header fields of the response.
    ///   - failure: the error that ends the call after the last part; nil for a complete response.
    public func stub(
        parts: [String],
        status: HTTPStatus = .ok,
        headers: HTTPHeaders = [:],
        failingWith failure: ConnectionError? = nil
    ) -> EndpointStub {
        stub(parts: parts.map { Data($0.utf8) }, status: status, headers: headers, failingWith: failure)
    }

    /// Returns a stub of this endpoint that delivers its payload as bytes in parts; a part may end within a character.
    ///
    /// - Parameters:
    ///   - parts: the payload, cut anywhere; empty parts are omitted.
    ///   - status: the status of the response.
    ///   - headers: the header fields of the response.
    ///   - failure: the error that ends the call after the last part; nil for a complete response.
    public func stub(
        parts: some Sequence<Data>,
        status: HTTPStatus = .ok,
        headers: HTTPHeaders = [:],
        failingWith failure: ConnectionError? = nil
    ) -> EndpointStub {
        EndpointStub(input, ChunkedResponse(parts: Array(parts), status: status, headers: headers, failure: failure))
    }

    /// Returns a stub that refuses this endpoint's request with a problem.
    ///
    /// - Parameters:
    ///   - problem: the problem that the API reports.
    ///   - status: the status of the refusal, which is no success.
    ///   - headers: the header fields of the response.
    ///   - encoder: an encoder that writes JSON as the API does; a plain decoder decodes the problem.
    /// - Returns: the stub. Its output is no response with `ConnectionError.malformedPayload` if the endpoint does not
    ///   decode a problem from the response.
    public func stub(
        problem: Problem,
        status: HTTPStatus,
        headers: HTTPHeaders = [:],
        encoder: JSONEncoder = JSONEncoder()
    ) -> EndpointStub where Problem: Encodable {
        Endpoint.empty(input, problem: Problem.self)
            .stub(problem: problem, status: status, headers: headers, encoder: encoder)
    }

    /// Returns a stub of this endpoint with a custom output, such as a refusal.
    public func stub(_ output: Output) -> EndpointStub {
        EndpointStub(input: input, output: output)
    }
}
