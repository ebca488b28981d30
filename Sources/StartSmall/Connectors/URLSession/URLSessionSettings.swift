import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The translation of the options for a `URLSession`.
extension ConnectionOptions {
    /// Returns the reason why no call can be made with a configuration; nil if calls can be made.
    ///
    /// Only configurations for background transfers have an identifier.
    static func refusal(of configuration: URLSessionConfiguration) -> ConnectionError? {
        refusal(ofSessionNamed: configuration.identifier)
    }

    /// Returns the reason why no call can be made in a session with this identifier; nil if calls can be made.
    static func refusal(ofSessionNamed identifier: String?) -> ConnectionError? {
        guard let identifier else { return nil }
        return .engineUnavailable(
            debugInfo: "a session for background transfers (\(identifier.onOneLine)) can't make calls"
        )
    }

    /// Returns the reason why no call can be made over a session of this kind; nil if calls can be made.
    func refusal(over kind: URLSessionKind) -> ConnectionError? {
        let unsupported = kind.unsupportedOption(of: self).map { "\($0) is not supported by \(kind.name)" }
        return (rejectionReason ?? unsupported).map { .engineUnavailable(debugInfo: $0) }
    }

    /// Returns a copy of a configuration with the options, and without features that were not asked for.
    func applied(to configuration: URLSessionConfiguration) -> URLSessionConfiguration {
        guard let copy = configuration.copy() as? URLSessionConfiguration else { return configuration }
        if !keepsCookies {
            copy.httpShouldSetCookies = false
            copy.httpCookieAcceptPolicy = .never
            copy.httpCookieStorage = nil
        }
        if !usesCache { copy.urlCache = nil }
        // Credentials are header fields here; from a storage, the session would answer a 401 without the wrappers.
        copy.urlCredentialStorage = nil
        // The default value changes nothing: a configuration may have another number.
        if maxConnectionsPerHost != Self.defaultMaxConnectionsPerHost {
            copy.httpMaximumConnectionsPerHost = maxConnectionsPerHost
        }
        #if !os(Linux) || APPLE_BRANCH
            apply(toSecurityOf: copy)
        #endif
        return copy
    }

    /// Returns the timeout of the session itself: later than the idle timeout of this library, which must come first.
    ///
    /// Linux cuts fractions of a second off, so that 0.9 s would be no timeout (swift-corelibs-foundation, 6.3.1).
    ///
    /// - Parameters:
    ///   - isLimitedUntilHead: whether another limit replaces ``idleTimeout`` until the head of the response.
    ///   - remainingTime: the time left to the call; nil without a time limit.
    /// - Returns: The timeout in seconds.
    func sessionTimeout(isLimitedUntilHead: Bool = false, remainingTime: Duration? = nil) -> TimeInterval {
        let week: Int64 = 7 * 24 * 60 * 60
        guard let limit = idleTimeout.limit(within: remainingTime), !isLimitedUntilHead else {
            return TimeInterval(week + 60)
        }
        return TimeInterval(min(week, max(0, limit.components.seconds)) + 60)
    }
}
