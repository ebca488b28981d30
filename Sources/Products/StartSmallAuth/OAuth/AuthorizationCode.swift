public import StartSmallCore
public import StartSmallSupport
public import StartSmallFoundation

/// An authorization code, with what the token endpoint needs to accept it (RFC 6749 4.1.3, RFC 7636 4.5).
///
/// ``OAuthGrant/code(_:)`` is its grant. The code is for one request.
public struct AuthorizationCode: Hashable, Sendable {
    let value: String
    let redirect: URL
    let verifier: String
}

extension AuthorizationCode: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// A placeholder; no part of the code.
    public var description: String { "authorization code \(Redaction.placeholder)" }
}

/// The reason why a redirect has no code that can be used.
public enum AuthorizationRefusal: Error, Hashable, Sendable {
    /// The URL is not the redirect URI of the request, or has a fragment.
    case otherRedirect

    /// A parameter occurs twice (RFC 6749 3.1), or is no UTF-8.
    case malformed

    /// The state is missing, or is that of another request.
    case wrongState

    /// The issuer is missing although the server promises it, or is another one (RFC 9207 2.4).
    case wrongIssuer

    /// The server, or the user, refused (RFC 6749 4.1.2.1).
    case failed(OAuthError)

    /// A redirect with neither an error nor a code, or with a code of other characters than RFC 6749 A.11 allows.
    case noCode
}

extension AuthorizationRequest {
    /// Reads the URL to which the browser came back.
    ///
    /// Nothing in the URL counts before its state and its issuer are those of this request, not even an error: whoever
    /// makes a user open a URL can write one.
    ///
    /// - Parameters:
    ///   - url: the URL, as the app got it.
    ///   - issuer: the issuer of the server to which the user was sent, compared byte by byte (RFC 9207); nil if it is
    ///     unknown, and the app knows one server only.
    ///   - promisesIssuer: whether the server says in its metadata that it sends its issuer
    ///     (``OAuthServerMetadata/promisesIssuer``).
    public func code(
        in url: URL,
        from issuer: String? = nil,
        promisesIssuer: Bool = false
    ) -> Either<AuthorizationRefusal, AuthorizationCode> {
        Either { () throws(AuthorizationRefusal) in
            guard let response = OAuthQuery.response(in: url, to: redirect) else { throw .otherRedirect }
            guard let items = OAuthQuery.items(of: response) else { throw .malformed }
            var names: Set<ByteEqualString> = []
            var known: [String: String] = [:]
            for item in items {
                guard names.insert(ByteEqualString(item.name)).inserted else { throw .malformed }
                if Self.knownNames.contains(where: { item.name.isSame(as: $0) }) { known[item.name] = item.value ?? "" }
            }
            guard let sent = known["state"], HMAC.areEqual(Array(sent.utf8), Array(state.utf8)) else {
                throw .wrongState
            }
            if let sent = known["iss"] {
                guard issuer.map({ sent.isSame(as: $0) }) ?? !promisesIssuer else { throw .wrongIssuer }
            } else if promisesIssuer {
                throw .wrongIssuer
            }
            if known["error"] != nil {
                let error = OAuthError(known, hiding: [state, nonce, verifier])
                throw .failed(error ?? OAuthError(.serverError, text: "an error that RFC 6749 4.1.2.1 does not allow"))
            }
            guard let code = known["code"], OAuthText.isVisible(code) else { throw .noCode }
            return AuthorizationCode(value: code, redirect: redirect, verifier: verifier)
        }
    }

    private static let knownNames = ["state", "iss", "error", "error_description", "error_uri", "code"]
}

/// The query of a URL, as OAuth reads it.
enum OAuthQuery {
    /// Returns what a server added to the redirect URI; nil for another URL, or one with a fragment.
    static func response(in url: URL, to redirect: URL) -> ArraySlice<UInt8>? {
        let own = Array(redirect.absoluteString.utf8)
        let prefix = own + [own.contains(UInt8(ascii: "?")) ? UInt8(ascii: "&") : UInt8(ascii: "?")]
        let text = Array(url.absoluteString.utf8)
        return text.starts(with: prefix) && !text.contains(UInt8(ascii: "#")) ? text[prefix.count...] : nil
    }

    /// Returns the items of a query, decoded as those of a form (RFC 6749 B); nil if one of them is no UTF-8.
    static func items(of query: ArraySlice<UInt8>) -> [URLQueryItem]? {
        var items: [URLQueryItem] = []
        for item in query.split(separator: UInt8(ascii: "&")) {
            let name = item.prefix { $0 != UInt8(ascii: "=") }
            let value = item[name.endIndex...].dropFirst()
            guard let name = String(validating: URIEncoding.decodedForm(name), as: UTF8.self),
                let value = String(validating: URIEncoding.decodedForm(value), as: UTF8.self)
            else { return nil }
            items.append(URLQueryItem(name: name, value: value))
        }
        return items
    }
}
