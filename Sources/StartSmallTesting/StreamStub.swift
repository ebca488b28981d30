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
        parts: [Data],
        status: HTTPStatus = .ok,
        headers: HTTPHeaders = [:],
        failingWith failure: ConnectionError? = nil
    ) -> EndpointStub {
        EndpointStub(input, PartialAnswer(parts: parts, status: status, headers: headers, failure: failure))
    }

    /// A response of one's own to this endpoint's request, such as a refusal.
    public func stub(_ output: Output) -> EndpointStub {
        EndpointStub(input: input, output: output)
    }
}
