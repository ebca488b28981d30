import StartSmall
import StartSmallTesting

/// The authorization server of Bookshelf in memory: device codes (RFC 8628), and refresh tokens of one use.
struct FakeSignIns {
    /// A sign-in that waits for its user.
    private struct Device {
        let userCode: String
        let end: Duration
        var nextPoll: Duration
        var interval = Duration.seconds(5)
        var isApproved: Bool?
    }

    /// The tokens of a user who has signed in.
    private struct Session {
        var accessToken: String
        var refreshToken: String
        var end: Duration
        var usedTokens: Set<String> = []
    }

    private var devices: [String: Device] = [:]
    private var sessions = [Session(accessToken: "valid", refreshToken: "first", end: lifetime)]
    private var count = 0

    /// The lifetime of an access token.
    static let lifetime = Duration.seconds(3_600)

    /// Returns whether a request has a token that is valid.
    func knows(_ authorization: String?, at now: Duration) -> Bool {
        sessions.contains { "Bearer \($0.accessToken)" == authorization && now < $0.end }
    }

    /// Returns new codes (RFC 8628 3.2).
    mutating func begin(_ form: [String: String], at now: Duration) -> Output {
        guard form["client_id"] == "bookshelf-swift" else { return refused("invalid_client") }
        guard form["scope"] == "books" else { return refused("invalid_scope") }
        count += 1
        let (code, userCode) = ("device-\(count)", "WDJB-\(count)")
        devices[code] = Device(userCode: userCode, end: now + .seconds(600), nextPoll: now + .seconds(5))
        return .json(
            """
            {"device_code": "\(code)", "user_code": "\(userCode)", "expires_in": 600, "interval": 5,
            "verification_uri": "https://bookshelf.example/v1/approval"}
            """
        )
    }

    /// Takes what the user types on the page, with `approve` or `refuse`.
    mutating func decide(_ form: [String: String]) -> Output {
        guard let code = devices.first(where: { $0.value.userCode == form["user_code"] })?.key else {
            return .status(.notFound)
        }
        devices[code]?.isApproved = form["decision"] == "approve"
        return .status(.noContent)
    }

    /// Returns the answer of the token endpoint.
    mutating func token(by form: [String: String], at now: Duration) -> Output {
        guard form["client_id"] == "bookshelf-swift" else { return refused("invalid_client") }
        switch form["grant_type"] {
        case "refresh_token": return refresh(form["refresh_token"] ?? "", at: now)
        case "urn:ietf:params:oauth:grant-type:device_code": return poll(form["device_code"] ?? "", at: now)
        default: return refused("unsupported_grant_type")
        }
    }

    /// Answers a poll (RFC 8628 3.5).
    private mutating func poll(_ code: String, at now: Duration) -> Output {
        guard var device = devices[code] else { return refused("invalid_grant") }
        if now >= device.end { return refused("expired_token") }
        let isEarly = now < device.nextPoll
        if isEarly { device.interval += .seconds(5) }
        device.nextPoll = now + device.interval
        devices[code] = device
        if isEarly { return refused("slow_down") }
        guard let isApproved = device.isApproved else { return refused("authorization_pending") }
        devices[code] = nil
        guard isApproved else { return refused("access_denied") }
        sessions.append(Session(accessToken: "", refreshToken: "", end: now))
        return renew(sessions.count - 1, at: now)
    }

    /// Returns new tokens for a refresh token; one that is used again ends its session (RFC 9700 4.14.2).
    private mutating func refresh(_ token: String, at now: Duration) -> Output {
        if let session = sessions.firstIndex(where: { $0.refreshToken == token }) { return renew(session, at: now) }
        sessions.removeAll { $0.usedTokens.contains(token) }
        return refused("invalid_grant")
    }

    private mutating func renew(_ session: Int, at now: Duration) -> Output {
        count += 1
        sessions[session].usedTokens.insert(sessions[session].refreshToken)
        sessions[session].accessToken = "access-\(count)"
        sessions[session].refreshToken = "refresh-\(count)"
        sessions[session].end = now + Self.lifetime
        return .json(
            """
            {"access_token": "access-\(count)", "refresh_token": "refresh-\(count)", "token_type": "Bearer",
            "expires_in": \(Self.lifetime.components.seconds)}
            """
        )
    }

    private func refused(_ code: String) -> Output { .json(#"{"error": "\#(code)"}"#, status: .badRequest) }
}

extension Input {
    /// Returns the fields of a form; those of an `OAuthClient` are produced while they are sent.
    func form() async -> [String: String] {
        var bytes = methodAndPayload.body ?? Data()
        if case .stream(let stream)? = methodAndPayload.payload?.content {
            do { for try await chunk in stream.chunks() { bytes += chunk } } catch { return [:] }
        }
        let items = URLComponents(string: "?" + String(decoding: bytes, as: UTF8.self))?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }
}
