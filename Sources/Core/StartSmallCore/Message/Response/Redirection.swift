public import StartSmallSupport
public import StartSmallFoundation

/// A step from one URL to another, as a server requested it (RFC 9110 15.4).
public struct Redirection: Hashable, Sendable {
    /// The URL of the server's answer.
    public var from: URL

    /// The status of the answer.
    public var statusCode: HTTPStatus

    /// The URL that was called next, with its fragment.
    public var to: URL

    /// Creates a redirection.
    public init(from: URL, statusCode: HTTPStatus, to: URL) {
        self.from = from
        self.statusCode = statusCode
        self.to = to
    }
}

extension Redirection: CustomStringConvertible, CustomReflectable, RedactedStringConvertible, MirroredByDescription {
    /// Returns the redirection on one line.
    package func description(redacting redaction: Redaction) -> String {
        "\(statusCode): \(redaction.shown(url: from.absoluteString)) → \(redaction.shown(url: to.absoluteString))"
    }
}

extension Response {
    /// Returns the URL that gave this response to an input, with its queries.
    ///
    /// Relative references are resolved against it (RFC 3986 5.1.3). It is ``url``, or if the connector did not set it,
    /// the last redirection's or else the input's.
    public func base(of input: Input) -> URL {
        url ?? redirections.last?.to ?? input.calledURL
    }
}
