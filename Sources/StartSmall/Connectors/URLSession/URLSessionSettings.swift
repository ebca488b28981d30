import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The options as a `URLSession` is told of them.
extension ConnectionOptions {
    /// The reason why no call can be made with a configuration; nil if calls can be made.
    ///
    /// The only configurations with an identifier are those for background transfers.
    static func refusal(of configuration: URLSessionConfiguration) -> ConnectionError? {
        refusal(ofSessionNamed: configuration.identifier)
    }

    /// The reason why no call can be made in a session of this identifier.
    static func refusal(ofSessionNamed identifier: String?) -> ConnectionError? {
        guard let identifier else { return nil }
        return .engineUnavailable(
            debugInfo: "a session for background transfers (\(identifier.onOneLine)) can't make calls"
        )
    }

    /// The reason why no call can be made over a session of this kind; nil if calls can be made.
    func refusal(over kind: URLSessionKind) -> ConnectionError? {
        let unsupported = kind.unsupportedOption(of: self).map { "\($0) can't be honoured by \(kind.name)" }
        return (rejectionReason ?? unsupported).map { .engineUnavailable(debugInfo: $0) }
    }

    /// A copy of a configuration with the options, and without what was not asked for.
    func applied(to configuration: URLSessionConfiguration) -> URLSessionConfiguration {
        guard let copy = configuration.copy() as? URLSessionConfiguration else { return configuration }
        if !keepsCookies {
            copy.httpShouldSetCookies = false
            copy.httpCookieAcceptPolicy = .never
            copy.httpCookieStorage = nil
        }
        if !usesCache { copy.urlCache = nil }
        // Credentials are headers here; from a storage they would answer a 401 behind the wrappers' back.
        copy.urlCredentialStorage = nil
        // The default says nothing: a configuration may have a number of its own.
        if maxConnectionsPerHost != Self.defaultMaxConnectionsPerHost {
            copy.httpMaximumConnectionsPerHost = maxConnectionsPerHost
        }
        #if !os(Linux) || APPLE_BRANCH
            apply(toSecurityOf: copy)
        #endif
        return copy
    }

    /// The timeout that the session itself is given: later than the kit's own, which must come first.
    ///
    /// Linux cuts fractions of a second off, so that 0.9 s would be none (swift-corelibs-foundation, 6.3.1).
    ///
    /// - Parameter isLimitedUntilHead: Whether another limit stands in for ``idleTimeout`` until the head of the
    ///   response.
    func sessionTimeout(isLimitedUntilHead: Bool = false) -> TimeInterval {
        let week: Int64 = 7 * 24 * 60 * 60
        guard let idleTimeout, !isLimitedUntilHead else { return TimeInterval(week + 60) }
        return TimeInterval(min(week, max(0, idleTimeout.components.seconds)) + 60)
    }
}
