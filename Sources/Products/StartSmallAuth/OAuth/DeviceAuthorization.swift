public import StartSmallCore
public import StartSmallSupport
public import StartSmallFoundation

/// The codes of a sign-in on another device (RFC 8628 3.2): the app shows one of them, and polls with the other.
public struct DeviceAuthorization: Hashable, Sendable {
    /// The code that the user types, of visible ASCII.
    public let userCode: String

    /// The page on which the user types the code, `https` and without user information.
    public let page: URL

    /// The page that has the code already, for a QR code; nil if there is none.
    public let completePage: URL?

    /// The lifetime of the codes.
    public let expiresIn: Duration

    /// The time between two polls.
    public let interval: Duration

    /// The secret with which the app polls.
    let deviceCode: String

    /// The default time between two polls: 5 seconds (RFC 8628 3.2).
    private static let defaultInterval = Duration.seconds(5)

    /// The shortest time between two polls: 1 second, the shortest that a server can state as a whole number.
    private static let shortestInterval = Duration.seconds(1)
}

extension DeviceAuthorization: Decodable {
    private enum CodingKeys: String, CodingKey {
        case interval
        case userCode = "user_code"
        case deviceCode = "device_code"
        case page = "verification_uri"
        case completePage = "verification_uri_complete"
        case expiresIn = "expires_in"
    }

    /// Decodes the response of a device authorization endpoint.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        (userCode, deviceCode) = (try container.visibleText(.userCode), try container.visibleText(.deviceCode))
        page = try container.decode(URL.self, forKey: .page)
        completePage = try container.decodeIfPresent(URL.self, forKey: .completePage)
        expiresIn = try container.decode(OAuthSeconds.self, forKey: .expiresIn).duration ?? .zero
        let interval = try container.decodeIfPresent(OAuthSeconds.self, forKey: .interval)?.duration
        self.interval = interval.flatMap { $0 > .zero ? max($0, Self.shortestInterval) : nil } ?? Self.defaultInterval
    }
}

extension DeviceAuthorization: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The lifetime; none of the codes.
    public var description: String { "device authorization, expires in \(expiresIn)" }
}

/// The reason why a sign-in on another device gave no token.
public enum DeviceSignInFailure: Error {
    /// The codes have expired: a new sign-in needs new ones.
    case expired

    /// A poll failed, for example because the user refused (``OAuthError/Code/accessDenied``), or was cancelled.
    case failed(CallError<TransformError<OAuthError>>)
}

extension OAuthClient {
    /// Creates the endpoint that begins a sign-in on another device (RFC 8628 3.1).
    ///
    /// ``TransformError/invalid(_:reason:)`` is the failure for a page that an app must not open.
    ///
    /// - Parameters:
    ///   - endpoint: the URL of the device authorization endpoint.
    ///   - parameters: further parameters, such as `scope`.
    ///   - allowsLoopback: whether the page may be on this machine, without TLS, as in a test.
    public func deviceAuthorization(
        at endpoint: URL,
        _ parameters: Queries = [],
        allowsLoopback: Bool = false
    ) -> Endpoint<TransformError<OAuthError>, DeviceAuthorization> {
        let id = sendsID ? [] : [URLQueryItem(name: "client_id", value: id)]
        return oauthEndpoint(request(endpoint, id + parameters.items)) { $0.json(problem: OAuthError.self) }
            .validated { (device: DeviceAuthorization) in
                OAuthURL.refusal(of: [device.page, device.completePage], allowsLoopback: allowsLoopback)
            }
    }

    /// Polls until the user has signed in on another device (RFC 8628 3.4).
    ///
    /// The first poll is after the first interval. Each poll is sent once; one that failed is followed by the next after
    /// twice the interval, so that no time limit of a call ends the sign-in. Cancel the task to end it.
    ///
    /// - Parameters:
    ///   - device: the codes, just received.
    ///   - endpoint: the URL of the token endpoint.
    ///   - parameters: further parameters, as for ``token(by:at:_:tokenType:)``.
    ///   - tokenType: the type that the token must have.
    ///   - connector: the connector of the polls.
    ///   - clock: the clock that measures the intervals and the lifetime of the codes.
    public func token(
        for device: DeviceAuthorization,
        at endpoint: URL,
        _ parameters: Queries = [],
        tokenType: String = "Bearer",
        via connector: Connector,
        clock: some Clock<Duration> = ContinuousClock()
    ) async -> Either<DeviceSignInFailure, OAuthTokenResponse> {
        let time = clock.timeSinceNow()
        var polling = DevicePolling(device)
        while let pause = polling.pause(after: time()) {
            do { try await clock.sleep(for: pause) } catch { return .left(.failed(.left(.cancelled))) }
            let poll = token(by: .deviceCode(device.deviceCode), at: endpoint, parameters, tokenType: tokenType)
            let fetched = await poll.fetch(via: connector)
            if polling.ends(with: fetched) {
                if fetched.failure?.problem?.code == .expiredToken { break }
                return fetched.mapLeft(DeviceSignInFailure.failed)
            }
        }
        return .left(.expired)
    }
}

/// The polls of a sign-in on another device (RFC 8628 3.5): pure.
struct DevicePolling {
    private(set) var interval: Duration
    private let lifetime: Duration

    /// The time by which `slow_down` makes the interval longer, for good (RFC 8628 3.5).
    private static let slowDown = Duration.seconds(5)

    /// The errors with which polling goes on; `.dpop` has the nonce for the next poll (RFC 9449 8).
    private static let pending: Set<OAuthError.Code> = [
        .authorizationPending, OAuthError.Code(rawValue: DPoPProof.useNonce),
    ]

    /// The errors that no other poll changes (RFC 6749 5.2, RFC 8628 3.5).
    private static let final: Set<OAuthError.Code> = [
        .accessDenied, .expiredToken, .invalidGrant, .invalidClient, .invalidRequest, .invalidScope,
        .unauthorizedClient,
        .unsupportedGrantType,
    ]

    /// The errors of a server that may pass (RFC 6749 4.1.2.1).
    private static let transient: Set<OAuthError.Code> = [.serverError, .temporarilyUnavailable]

    init(_ device: DeviceAuthorization) { (interval, lifetime) = (device.interval, device.expiresIn) }

    /// Returns the pause before the next poll; nil if the codes have expired by then.
    func pause(after elapsed: Duration) -> Duration? { interval < lifetime - elapsed ? interval : nil }

    /// Takes the outcome of a poll, and returns whether it is the last one.
    ///
    /// An error is read by its code, with any status. A failure that may pass doubles the interval.
    mutating func ends(with fetched: Fetched<TransformError<OAuthError>, OAuthTokenResponse>) -> Bool {
        switch fetched {
        case .left(.right(.problem(let error, _))) where Self.pending.contains(error.code): return false
        case .left(.right(.problem(let error, _))) where error.code == .slowDown: interval += Self.slowDown
        case .left(.right(.problem(let error, _))) where Self.transient.contains(error.code): interval *= 2
        case .left(.right(.problem(let error, _))) where Self.final.contains(error.code): return true
        // A gateway may have an error of its own, also in JSON.
        case .left(.right(let error)) where error.response.statusCode.isTransient: interval *= 2
        case .left(.left(let error)) where error.isTransient || error.mayPass: interval *= 2
        case .left, .right: return true
        }
        interval = min(interval, .maximumWait)
        return false
    }
}
