import StartSmallCore
import StartSmallSupport
import StartSmallFoundation

/// A challenge of the scheme Digest that can be answered (RFC 7616 3.3).
struct DigestChallenge: Hashable, Sendable {
    let realm: String
    var nonce: String
    let opaque: String?
    let algorithm: DigestAlgorithm

    /// Whether the digest of the payload is a part of the response: only if the server accepts nothing else.
    let coversPayload: Bool

    /// Whether the user's name is sent as a digest (RFC 7616 3.4.4).
    let hidesUser: Bool

    /// Whether the server knows RFC 7616, and so `username*`: Apache, of RFC 2617, only reads `username`.
    let hasCharset: Bool

    /// Whether the server rejects the nonce alone, and not the password.
    let isStale: Bool

    /// The maximum length of a nonce in bytes: 1 KiB; those of servers have 32 to 200.
    private static let maximumNonce = 1_024

    static func isNonce(_ text: String) -> Bool { text.utf8.count <= maximumNonce }

    /// Reads a challenge; nil if it is of another scheme, malformed, or can't be answered.
    init?(_ challenge: AuthenticationChallenge, allowsMD5: Bool) {
        let parameters = challenge.parameters
        guard challenge.scheme == "digest", let realm = parameters["realm"], let nonce = parameters["nonce"],
            Self.isNonce(nonce),
            let algorithm = DigestAlgorithm(parameters["algorithm"] ?? "MD5"), allowsMD5 || algorithm.hash != .md5,
            let qop = parameters["qop"]
        else { return nil }
        let offered = qop.utf8.split { ", \t".utf8.contains($0) }.map { String(Substring($0)) }
        let coversNothing = offered.contains { $0.isSame(withoutCase: "auth") }
        guard coversNothing || offered.contains(where: { $0.isSame(withoutCase: "auth-int") }) else { return nil }
        (self.realm, self.nonce, opaque, self.algorithm) = (realm, nonce, parameters["opaque"], algorithm)
        coversPayload = !coversNothing
        hidesUser = parameters["userhash"]?.isSame(withoutCase: "true") ?? false
        hasCharset = parameters["charset"] != nil
        isStale = parameters["stale"]?.isSame(withoutCase: "true") ?? false
    }

    /// Returns the challenge of the strongest algorithm, in any order; of equally strong ones, the first.
    static func strongest(of headers: HTTPHeaders, allowsMD5: Bool) -> DigestChallenge? {
        headers.values(of: "WWW-Authenticate").flatMap { AuthenticationField.challenges(of: $0) }
            .compactMap { DigestChallenge($0, allowsMD5: allowsMD5) }
            .max { $0.algorithm.hash.rawValue < $1.algorithm.hash.rawValue }
    }
}

/// An algorithm of RFC 7616 6.1; SHA-512-256 is none of them here.
struct DigestAlgorithm: Hashable, Sendable {
    /// The hash functions, of which a greater one is stronger.
    enum Hash: Int, Sendable {
        case md5, sha256
    }

    let hash: Hash

    /// Whether the password is hashed with the first nonces, once for a session (RFC 7616 3.4.2).
    let isSession: Bool

    /// Creates the algorithm of a name; nil for an unknown one.
    init?(_ name: String) {
        switch name.lowercased() {
        case "md5": (hash, isSession) = (.md5, false)
        case "md5-sess": (hash, isSession) = (.md5, true)
        case "sha-256": (hash, isSession) = (.sha256, false)
        case "sha-256-sess": (hash, isSession) = (.sha256, true)
        default: return nil
        }
    }

    var name: String { (hash == .md5 ? "MD5" : "SHA-256") + (isSession ? "-sess" : "") }

    /// Returns the digest of bytes in hexadecimal digits.
    func digest(of data: Data) -> String {
        let digest = hash == .md5 ? MD5.digest(of: Array(data)) : SHA256Hash.digest(of: [data])
        return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Returns the digest of texts with a colon between them.
    func digest(_ texts: String...) -> String { digest(of: Data(texts.joined(separator: ":").utf8)) }
}
