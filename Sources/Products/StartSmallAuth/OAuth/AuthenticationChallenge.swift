public import StartSmallCore
public import StartSmallFoundation

/// A challenge of `WWW-Authenticate` (RFC 9110 11.6.1): how a server wants a request to be authenticated.
public struct AuthenticationChallenge: Hashable, Sendable {
    /// The scheme in lower case, such as `bearer`.
    public let scheme: String

    /// The parameters, by their names in lower case.
    public internal(set) var parameters: [String: String] = [:]

    /// Returns the challenges of a field; one that can't be read, or has a parameter twice, is left out.
    static func all(in field: String) -> [AuthenticationChallenge] {
        AuthenticationField.challenges(of: field).compactMap { challenge in
            challenge.parameters.map { AuthenticationChallenge(scheme: challenge.scheme, parameters: $0) }
        }
    }
}

extension Response {
    /// The challenges of all fields `WWW-Authenticate`, in order.
    public var challenges: [AuthenticationChallenge] {
        headers.values(of: "WWW-Authenticate").flatMap(AuthenticationChallenge.all)
    }

    /// The URL of the metadata of the resource that was called, for ``ProtectedResourceMetadata`` (RFC 9728 5.1).
    ///
    /// The URL is a claim of the server; the endpoint of the metadata checks it before it is called.
    public var resourceMetadata: URL? {
        challenges.lazy.compactMap { $0.parameters["resource_metadata"] }.first.flatMap { URL(string: $0) }
    }
}
