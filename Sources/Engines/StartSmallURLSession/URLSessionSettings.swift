import StartSmallCore
import StartSmallSupport
import StartSmallEngines

/// A kind of `URLSession`, by the options that it supports: pure, so that each is tested on every platform.
enum URLSessionKind: Hashable, Sendable {
    /// A session of swift-corelibs-foundation, which has no API for certificates.
    ///
    /// Such a session ignores the settings for proxies and versions.
    case linux(environmentNamesProxy: Bool)

    case apple

    /// Returns a requested option that this session can't honour, and whose loss could be a security hole; nil if none.
    func unsupportedOption(of options: ConnectionOptions) -> String? {
        // Each of these options chooses the destination of a request, which would go somewhere else without it.
        if options.unixSocket != nil { return "unixSocket" }
        if options.interface != nil { return "interface" }
        // A session resolves host names by itself, and reports no address before it connects.
        if options.addressPolicy.isRestrictive { return "addressPolicy" }
        if !options.resolve.isEmpty { return "resolve" }
        guard case .linux(let environmentNamesProxy) = self else {
            if case .pem? = options.clientCertificate { return "clientCertificate in PEM (use PKCS#12)" }
            if case .url(let text) = options.proxy, URLSessionProxy(text) == nil { return "proxy" }
            return nil
        }
        if !options.publicKeyPins.isEmpty { return "publicKeyPins" }
        if options.caFile != nil { return "caFile" }
        if options.clientCertificate != nil { return "clientCertificate" }
        if options.minimumTLS == .tls1_3 { return "minimumTLS" }
        return options.proxy == .system || options.proxy == .none && !environmentNamesProxy ? nil : "proxy"
    }
}

/// The translation of the options for a `URLSession`.
extension ConnectionOptions {
    /// Returns the reason why no call can be made in a session with this identifier; nil if calls can be made.
    ///
    /// Only configurations for background transfers have an identifier.
    static func refusal(ofSessionNamed identifier: String?) -> ConnectionError? {
        guard let identifier else { return nil }
        return .engineUnavailable(
            debugInfo: "a session for background transfers (\(identifier.onOneLine)) can't make calls"
        )
    }

    /// Returns the reason why no call can be made over a session of this kind; nil if calls can be made.
    func refusal(over kind: URLSessionKind) -> ConnectionError? {
        let name = kind == .apple ? "URLSession" : "URLSession on Linux"
        let unsupported = kind.unsupportedOption(of: self).map { "\($0) is not supported by \(name)" }
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
        apply(toSecurityOf: copy)
        return copy
    }
}
