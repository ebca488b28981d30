public import StartSmallCore
public import StartSmallSupport
public import StartSmallFoundation

/// A challenge of `WWW-Authenticate` (RFC 9110 11.6.1): how a server wants a request to be authenticated.
public struct AuthenticationChallenge: Hashable, Sendable {
    /// The scheme in lower case, such as `bearer`.
    public let scheme: String

    /// The parameters, by their names in lower case.
    public let parameters: [String: String]
}

extension AuthenticationChallenge: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The challenge on one line, with credentials redacted, and without the long words of an error, which may be the
    /// token that was sent.
    public var description: String {
        let shown = parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\"\($0.value)\"" }.joined(separator: ", ")
        return Redaction.standard.shown("\(scheme) \(shown)", of: "WWW-Authenticate")
    }
}

extension Response {
    /// The challenges of all fields `WWW-Authenticate`, in order; one that can't be read, or has a parameter twice, is left
    /// out.
    public var challenges: [AuthenticationChallenge] {
        headers.values(of: "WWW-Authenticate").flatMap { AuthenticationField.challenges(of: $0) }
    }

    /// The URL of the metadata of the resource that was called, for ``ProtectedResourceMetadata`` (RFC 9728 5.1).
    ///
    /// The URL is a claim of the server; the endpoint of the metadata checks it before it is called.
    public var resourceMetadata: URL? {
        challenges.lazy.compactMap { $0.parameters["resource_metadata"] }.first.flatMap { URL(string: $0) }
    }
}
