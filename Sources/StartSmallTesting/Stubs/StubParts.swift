public import Foundation
public import StartSmall

extension Connector {
    /// Returns a stub that delivers its payload in parts, like a server that keeps sending.
    ///
    /// ```swift
    /// let server = Connector.stub(parts: ["data: Hello\n\n", "data: [DONE]\n\n"])
    /// ```
    ///
    /// The stub delivers the next part when the reader has taken the previous one, and delivers none after
    /// the call is cancelled or the reader stops. The payload is delivered as a whole if it goes into memory, or if the
    /// status is no success. Without a `Content-Type`, the response has the media type that the request's `Accept`
    /// names, if it names one.
    ///
    /// - Parameters:
    ///   - parts: the payload, cut anywhere; empty parts are omitted.
    ///   - status: the status of the response.
    ///   - headers: the header fields of the response.
    ///   - failure: the error that ends the call after the last part, such as a lost connection; nil for a complete
    ///     response.
    ///   - sent: records the inputs.
    public static func stub(
        parts: some Sequence<Data>,
        status: HTTPStatus = .ok,
        headers: HTTPHeaders = [:],
        failingWith failure: ConnectionError? = nil,
        recording sent: Recorder<Input>? = nil
    ) -> Connector {
        let response = ChunkedResponse(parts: Array(parts), status: status, headers: headers, failure: failure)
        return stub(recording: sent) { input in response.output(for: input) }
    }

    /// Returns a stub that delivers a UTF-8 text in parts, like a server that keeps sending.
    ///
    /// - Parameters:
    ///   - parts: the payload, cut anywhere; empty parts are omitted.
    ///   - status: the status of the response.
    ///   - headers: the header fields of the response.
    ///   - failure: the error that ends the call after the last part, such as a lost connection; nil for a complete
    ///     response.
    ///   - sent: records the inputs.
    public static func stub(
        parts: [String],
        status: HTTPStatus = .ok,
        headers: HTTPHeaders = [:],
        failingWith failure: ConnectionError? = nil,
        recording sent: Recorder<Input>? = nil
    ) -> Connector {
        let parts = parts.map { Data($0.utf8) }
        return stub(parts: parts, status: status, headers: headers, failingWith: failure, recording: sent)
    }
}
