import Foundation
import StartSmall
import StartSmallSupport
import StartSmallTesting

@testable import StartSmallAuth

/// A server with Digest, written from RFC 7616: it knows the password, and computes each response anew.
///
/// It shares only the hash functions with the client, which have vectors of their own.
struct DigestServer: Sendable {
    var user = "Mufasa"
    var password = "Circle of Life"
    var realm = "http-auth@example.org"
    var algorithm = "SHA-256"
    var qop = "auth"
    var userhash = false

    /// Returns the nonce of the 401 with this number, and whether the server says that the one before is stale.
    var nonce: @Sendable (Int) -> (String, stale: Bool) = { _ in ("n0", false) }

    /// Returns whether a nonce with a number of uses is still good.
    var isGood: @Sendable (_ nonce: String, _ uses: Int) -> Bool = { _, _ in true }

    /// Returns the nonce that the response to a good request offers.
    var nextNonce: @Sendable (_ uses: Int) -> String? = { _ in nil }
    let requests = Recorder<Input>()
    let violations = Recorder<String>()
    private let state = Locked(State())

    struct State: Sendable {
        var challenges = 0
        var counts: [String: Set<String>] = [:]
        var clientNonces: [String: String] = [:]
    }

    var connector: Connector { Connector { answer($0) } }

    /// The numbers of 401 and of other responses.
    var challenges: Int { state.withLock { $0.challenges } }

    func answer(_ input: Input) -> Output {
        requests.append(input)
        guard let field = input.headers["Authorization"] else { return challenge() }
        guard let given = Self.parameters(field) else { return violation("malformed: \(field)") }
        return answer(input, given)
    }

    private func answer(_ input: Input, _ given: [String: String]) -> Output {
        let nonce = given["nonce"] ?? ""
        let target = Self.target(of: input)
        if given["uri"] != target { return violation("uri \(given["uri"] ?? "") for \(target)") }
        if given["realm"] != realm || given["opaque"] != #"o"\"# { return violation("realm or opaque") }
        if given["algorithm"] != algorithm { return violation("algorithm") }
        guard let count = given["nc"], count.wholeMatch(of: /[0-9a-f]{8}/) != nil else { return violation("nc") }
        let isNew = state.withLock { $0.counts[nonce, default: []].insert(count).inserted }
        if !isNew { return violation("nc \(count) twice for \(nonce)") }
        let name = userhash ? hash("\(user):\(realm)") : user
        let givenName = given["username"] ?? given["username*"].map { $0.dropFirst(7).removingPercentEncoding ?? "" }
        guard givenName == name, (given["userhash"] == "true") == userhash else { return challenge() }
        guard given["response"] == response(input, given) else { return challenge() }
        let uses = state.withLock { $0.counts[nonce]?.count ?? 0 }
        guard isGood(nonce, uses) else { return challenge() }
        let next = nextNonce(uses).map { "nextnonce=\"\($0)\", qop=auth" }
        let headers = HTTPHeaders(next.map { [.init(name: "Authentication-Info", value: $0)] } ?? [])
        return .hasResponse(Response(statusCode: .ok, headers: headers, payload: Data("in".utf8)))
    }

    private func challenge() -> Output {
        let number = state.withLock { state in
            state.challenges += 1
            return state.challenges
        }
        let (nonce, isStale) = nonce(number - 1)
        let value =
            #"Digest realm="\#(realm)", qop="\#(qop)", algorithm=\#(algorithm), nonce="\#(nonce)", opaque="o\"\\""#
            + (isStale ? ", stale=TRUE" : "") + (userhash ? ", userhash=true" : "") + ", charset=UTF-8"
        let headers: HTTPHeaders = ["WWW-Authenticate": #"Basic realm="b""#, "www-authenticate": value]
        return .hasResponse(Response(statusCode: .unauthorized, headers: headers, payload: Data("out".utf8)))
    }

    private func violation(_ text: String) -> Output {
        violations.append(text)
        return .hasResponse(Response(statusCode: .badRequest))
    }

    private func hash(_ text: String) -> String { hash(Data(text.utf8)) }

    private func hash(_ data: Data) -> String {
        var sha256 = SHA256Hash()
        sha256.add(data)
        let bytes = algorithm.hasPrefix("MD5") ? MD5.digest(of: Array(data)) : sha256.digest
        return bytes.map { String(format: "%02x", $0) }.joined()
    }

    private func response(_ input: Input, _ given: [String: String]) -> String {
        let (nonce, cnonce) = (given["nonce"] ?? "", given["cnonce"] ?? "")
        var secret = hash("\(user):\(realm):\(password)")
        if algorithm.hasSuffix("-sess") {
            // Once for the session, with the nonce of the client in its first request (3.4.2).
            let first = state.withLock { state in
                state.clientNonces[nonce] = state.clientNonces[nonce] ?? cnonce
                return state.clientNonces[nonce] ?? ""
            }
            secret = hash("\(secret):\(nonce):\(first)")
        }
        var request = "\(input.methodAndPayload.method):\(given["uri"] ?? "")"
        if given["qop"] == "auth-int" { request += ":" + hash(input.methodAndPayload.body ?? Data()) }
        return hash("\(secret):\(nonce):\(given["nc"] ?? ""):\(cnonce):\(given["qop"] ?? ""):\(hash(request))")
    }

    /// The target by the rule of RFC 9112 3.2.1, from the parts that Foundation reads.
    private static func target(of input: Input) -> String {
        let parts = URLComponents(url: input.url, resolvingAgainstBaseURL: true)
        var query = parts?.percentEncodedQuery
        if !input.queries.isEmpty {
            query = ([query].compactMap(\.self) + input.queries.map { "\($0.name)=\($0.value ?? "")" }).joined(
                separator: "&"
            )
        }
        let path = parts?.percentEncodedPath ?? ""
        return (path.isEmpty ? "/" : path) + (query.map { "?\($0)" } ?? "")
    }

    /// Reads the parameters of `Authorization: Digest`; nil if it has another form, or one twice.
    static func parameters(_ field: String) -> [String: String]? {
        guard field.hasPrefix("Digest ") else { return nil }
        let form = /([a-z*]+)=(?:"((?:[^"\\]|\\.)*)"|([^",]+))(?:, |$)/
        var (found, rest) = ([String: String](), field.dropFirst(7))
        while !rest.isEmpty {
            guard let match = rest.prefixMatch(of: form), found[String(match.1)] == nil else { return nil }
            let quoted = match.2.map { String($0).replacing(/\\(.)/) { String($0.1) } }
            found[String(match.1)] = quoted ?? String(match.3 ?? "")
            rest = rest[match.range.upperBound...]
        }
        return found
    }
}
