public import Foundation

/// What came back from a server: all of it, as a plain value.
public struct Response: Hashable, Sendable {
    /// What the server made of the request.
    public var statusCode: HTTPStatus

    /// Header fields in the order in which they came.
    public var headers: HTTPHeaders

    /// The bytes of the payload, decompressed where the engine does so.
    public var payload: Data

    /// Fields that came behind the payload; what they mean is not what they would mean as headers (RFC 9110 6.5.1).
    public var trailers: HTTPHeaders

    /// The redirections that led here, the first one first; empty if there was none.
    public var redirections: [Redirection]

    /// What was called, if that is not what the input says.
    var called = EffectiveURL()

    /// Creates a response.
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
    /// The status and the header fields alone, as they come before the payload.
    var head: Response {
        var head = self
        (head.payload, head.trailers) = (Data(), [:])
        return head
    }
}

extension Response: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The response on one line, credentials redacted, without its payload.
    public var description: String {
        description(redacting: .standard)
    }

    /// The same as ``description``.
    public var debugDescription: String {
        description
    }

    /// What `dump` and failed tests show: the parts, credentials redacted, without the payload's bytes.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "statusCode": statusCode, "headers": headers, "payload": "\(payload.count) bytes",
                "trailers": trailers, "redirections": redirections,
            ]
        )
    }

    /// The response on one line, hiding what `redaction` says.
    public func description(redacting redaction: Redaction) -> String {
        let fields = headers.fields.isEmpty ? "" : " \(headers.description(redacting: redaction))"
        let trail = redirections.map { ", after \($0.description(redacting: redaction))" }.joined()
        return "\(statusCode)\(fields), \(payload.count) bytes\(trail)"
    }
}

/// One step from a URL to another, as a server asked for it (RFC 9110 15.4).
public struct Redirection: Hashable, Sendable {
    /// The URL that answered.
    public var from: URL

    /// The status of the answer.
    public var statusCode: HTTPStatus

    /// The URL that was called next, with its fragment.
    public var to: URL

    /// Creates a step.
    public init(from: URL, statusCode: HTTPStatus, to: URL) {
        self.from = from
        self.statusCode = statusCode
        self.to = to
    }
}

extension Redirection: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The step on one line, credentials redacted.
    public var description: String {
        description(redacting: .standard)
    }

    /// The same as ``description``.
    public var debugDescription: String {
        description
    }

    /// What `dump` and failed tests show: the same as ``description``.
    public var customMirror: Mirror {
        Mirror(self, children: ["redirection": description])
    }

    /// The step on one line, hiding what `redaction` says.
    public func description(redacting redaction: Redaction) -> String {
        "\(statusCode): \(redaction.shown(url: from.absoluteString)) → \(redaction.shown(url: to.absoluteString))"
    }
}
