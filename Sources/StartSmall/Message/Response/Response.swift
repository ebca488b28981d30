public import Foundation

/// The complete response of a server, as a plain value.
public struct Response: Hashable, Sendable {
    /// The status, with which the server reports the result of the request.
    public var statusCode: HTTPStatus

    /// The header fields in the order in which they arrived.
    public var headers: HTTPHeaders

    /// The bytes of the payload, decompressed where the engine does so.
    public var payload: Data

    /// The fields after the payload; their meaning is not the one they would have as header fields (RFC 9110 6.5.1).
    public var trailers: HTTPHeaders

    /// The redirections that led to the response, the first one first; empty if there was none.
    public var redirections: [Redirection]

    /// The URL that was called, if it differs from the URL of the input.
    var called = EffectiveURL()

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - statusCode: the status.
    ///   - headers: the header fields in the order in which they arrived.
    ///   - payload: the bytes of the payload.
    ///   - trailers: the fields after the payload.
    ///   - redirections: the redirections that led to the response, the first one first.
    public init(
        statusCode: HTTPStatus,
        headers: HTTPHeaders = [:],
        payload: Data = Data(),
        trailers: HTTPHeaders = [:],
        redirections: [Redirection] = []
    ) {
        self.statusCode = statusCode
        self.headers = headers
        self.payload = payload
        self.trailers = trailers
        self.redirections = redirections
    }
}

extension Response {
    /// The status and the header fields alone, as they arrive before the payload.
    var head: Response {
        var head = self
        (head.payload, head.trailers) = (Data(), [:])
        return head
    }
}

extension Response: CustomStringConvertible, CustomReflectable, RedactedStringConvertible {
    /// The mirror for `dump` and failed tests: the parts with credentials redacted, without the payload's bytes.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "statusCode": statusCode, "headers": headers, "payload": payloadSize,
                "trailers": trailers, "redirections": redirections,
            ]
        )
    }

    /// Returns the response on one line, without its payload.
    ///
    /// - Parameter redaction: the rules that determine which parts are hidden.
    public func description(redacting redaction: Redaction) -> String {
        let fields = headers.fields.isEmpty ? "" : " \(headers.description(redacting: redaction))"
        let trail = redirections.map { ", after \($0.description(redacting: redaction))" }.joined()
        return "\(statusCode)\(fields), \(payloadSize)\(trail)"
    }

    /// The size of the payload in memory, or else of the one that a file or a consumer received.
    private var payloadSize: String {
        if !payload.isEmpty || called.deliveredBytes == 0 { return "\(payload.count) bytes" }
        return "\(called.deliveredBytes) bytes delivered"
    }
}
