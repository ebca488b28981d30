import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A kind of `URLSession`, by the options that it supports: pure, so that each is tested on every platform.
enum URLSessionKind: Hashable, Sendable {
    /// A session of swift-corelibs-foundation, which has no API for certificates.
    ///
    /// Such a session ignores the settings for proxies and versions.
    case linux(environmentNamesProxy: Bool)

    /// A session that a connector created on an Apple platform.
    case ownOnApple

    /// An existing session on an Apple platform, with the version of TLS of its configuration.
    ///
    /// Its connections may have been opened for other requests, and its delegate may answer challenges first.
    case existingOnApple(minimumTLS: ConnectionOptions.TLSVersion)

    /// The name for an error.
    var name: String {
        switch self {
        case .linux: "URLSession on Linux"
        case .ownOnApple: "URLSession"
        case .existingOnApple: "an existing URLSession; use its configuration instead"
        }
    }

    /// Returns a requested option that this session can't honour, and whose loss could be a security hole; nil if none.
    func unsupportedOption(of options: ConnectionOptions) -> String? {
        // Each of these options chooses the destination of a request, which would go somewhere else without it.
        if options.unixSocket != nil { return "unixSocket" }
        if options.interface != nil { return "interface" }
        // A session resolves host names by itself, and reports no address before it connects.
        if options.addressPolicy.isRestrictive { return "addressPolicy" }
        if !options.resolve.isEmpty { return "resolve" }
        switch self {
        case .linux(let environmentNamesProxy):
            if let option = Self.certificateOption(of: options) { return option }
            if options.minimumTLS != .tls1_2 { return "minimumTLS" }
            switch options.proxy {
            case .system: return nil
            case .none: return environmentNamesProxy ? "proxy" : nil
            case .url: return "proxy"
            }
        case .ownOnApple:
            if case .pem? = options.clientCertificate { return "clientCertificate in PEM (use PKCS#12)" }
            if case .url(let text) = options.proxy, URLSessionProxy(text) == nil { return "proxy" }
            return nil
        case .existingOnApple(let minimumTLS):
            if let option = Self.certificateOption(of: options) { return option }
            if options.minimumTLS == .tls1_3, minimumTLS != .tls1_3 { return "minimumTLS" }
            return options.proxy == .system ? nil : "proxy"
        }
    }

    private static func certificateOption(of options: ConnectionOptions) -> String? {
        if !options.publicKeyPins.isEmpty { return "publicKeyPins" }
        if options.caFile != nil { return "caFile" }
        return options.clientCertificate == nil ? nil : "clientCertificate"
    }
}

extension URLSessionKind {
    /// The kind of session that a connector creates on this platform.
    static var own: URLSessionKind {
        #if os(Linux) && !APPLE_BRANCH
            .linux(environmentNamesProxy: ConnectionOptions.environmentNamesProxy)
        #else
            .ownOnApple
        #endif
    }

    #if !os(Linux) || APPLE_BRANCH
        /// Returns the kind of an existing session with this configuration.
        static func existing(_ configuration: URLSessionConfiguration) -> URLSessionKind {
            let isNewest = configuration.tlsMinimumSupportedProtocolVersion == .TLSv13
            return .existingOnApple(minimumTLS: isNewest ? .tls1_3 : .tls1_2)
        }
    #endif
}
