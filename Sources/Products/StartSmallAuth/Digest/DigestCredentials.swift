import StartSmallCore
import StartSmallHeaders
import StartSmallSupport
import StartSmallFoundation

/// A user and a password, and the credentials that they give for a challenge (RFC 7616 3.4).
struct DigestCredentials: Sendable {
    let user: String
    let password: String

    /// The key of the marks: one that is sent, by a wrapper inside that calls another connector, tells nothing.
    private static let key = (0..<32).map { _ in UInt8.random(in: .min ... .max) }

    /// Returns a text that differs for each user and password; left if these can't be used.
    static func mark(user: String, password: String) -> Either<ConnectionError, Authorization> {
        if (user + password).utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            return .left(.missingCredentials(debugInfo: "a control character in the user's name or the password"))
        }
        let pair = Data("\(user.utf8.count):\(user):\(password)".utf8)
        return .custom(scheme: "Digest", Data(HMAC.sha256(of: [pair], key: key)).base64URL)
    }

    /// Returns a request with the credentials for a nonce; unchanged without one.
    ///
    /// - Returns: the request; ``UnhashablePayload`` on the left, with the response that asked for the credentials.
    func sign(
        _ input: Input,
        _ target: String,
        _ use: DigestUse?,
        after response: Response? = nil
    ) -> Either<ConnectionError, Input> {
        guard let use else { return .right(input) }
        var payload: Data?
        if use.challenge.coversPayload {
            switch input.methodAndPayload.payload?.content {
            case nil: payload = Data()
            case .data(let data): payload = data
            case .file, .assembled, .stream: return .left(.refused(UnhashablePayload(), after: response))
            }
        }
        let value = value(for: use, method: input.methodAndPayload.method, target: target, payload: payload)
        return .right(input.with { $0.headers.append(Authorization.headerName, value) })
    }

    /// Returns the value of `Authorization`, with a payload for `qop=auth-int`, and without one for `qop=auth`.
    func value(for use: DigestUse, method: String, target: String, payload: Data? = nil) -> String {
        let (challenge, algorithm) = (use.challenge, use.challenge.algorithm)
        var secret = algorithm.digest(user, challenge.realm, password)
        if algorithm.isSession { secret = algorithm.digest(secret, use.sessionNonce, use.clientNonce) }
        let request =
            payload.map { algorithm.digest(method, target, algorithm.digest(of: $0)) }
            ?? algorithm.digest(method, target)
        let qop = payload == nil ? "auth" : "auth-int"
        let digits = String(use.count, radix: 16)
        let count = String(repeating: "0", count: max(0, 8 - digits.count)) + digits
        let response = algorithm.digest(secret, challenge.nonce, count, use.clientNonce, qop, request)
        let parameters = [
            userParameter(for: challenge), "realm=\(quoted(challenge.realm))", "uri=\(quoted(target))",
            "algorithm=\(algorithm.name)", "nonce=\(quoted(challenge.nonce))", "nc=\(count)",
            "cnonce=\(quoted(use.clientNonce))", "qop=\(qop)", "response=\(quoted(response))",
            challenge.opaque.map { "opaque=\(quoted($0))" }, challenge.hidesUser ? "userhash=true" : nil,
        ]
        return "Digest " + parameters.compactMap(\.self).joined(separator: ", ")
    }

    /// Returns the parameter of the user: as a digest, as a string, or as an extended value (RFC 8187 3.2).
    private func userParameter(for challenge: DigestChallenge) -> String {
        if challenge.hidesUser { return "username=\(quoted(challenge.algorithm.digest(user, challenge.realm)))" }
        let isString = user.utf8.allSatisfy { $0 < 0x80 } || !challenge.hasCharset
        return isString ? "username=\(quoted(user))" : "username*=UTF-8''\(URIEncoding.encoded(user))"
    }

    /// Returns a quoted string (RFC 9110 5.6.4).
    private func quoted(_ text: String) -> String {
        let escaped = text.utf8.flatMap { "\"\\".utf8.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }
        return "\"\(String(decoding: escaped, as: UTF8.self))\""
    }
}
