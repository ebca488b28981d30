public import StartSmallCore
import StartSmallSupport
public import StartSmallFoundation

/// A challenge of `WWW-Authenticate` (RFC 9110 11.6.1): how a server wants a request to be authenticated.
public struct AuthenticationChallenge: Hashable, Sendable {
    /// The scheme as it is written, such as `Bearer`, to be compared without case.
    public let scheme: String

    /// The parameters, by their names in lower case.
    public internal(set) var parameters: [String: String] = [:]

    /// Returns the challenges of a field; one that can't be read, or has a parameter twice, is left out.
    static func all(in field: String) -> [AuthenticationChallenge] {
        var scanner = HeaderScanner(field)
        var challenges: [AuthenticationChallenge?] = []
        while true {
            while scanner.skipBlanks() || scanner.take(",") {}
            let name = scanner.token()
            if name.isEmpty { break }
            scanner.skipBlanks()
            guard scanner.take("=") else {
                challenges.append(AuthenticationChallenge(scheme: name))
                continue
            }
            scanner.skipBlanks()
            let value = scanner.take("\"") ? scanner.strictlyQuoted() : scanner.tokenBytes()
            guard let value, !challenges.isEmpty else { return challenges.dropLast().compactMap(\.self) }
            if challenges[challenges.count - 1]?.parameters.updateValue(
                String(decoding: value, as: UTF8.self),
                forKey: name.lowercased()
            ) != nil {
                challenges[challenges.count - 1] = nil
            }
            // The end of a token68, such as the `==` of Base64, is no parameter.
            while scanner.take("=") { challenges[challenges.count - 1] = nil }
        }
        return challenges.compactMap(\.self)
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
