public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What ``Connector/urlSession(configuration:options:)`` does beyond connecting, and how long it waits.
///
/// A connector only connects, so that the wrappers mean the same over every engine: what a `URLSession` does on its
/// own is off unless it is asked for.
public struct URLSessionOptions: Hashable, Sendable {
    /// How long nothing may come or go before the call ends with ``ConnectionError/timedOut(_:)``; nil for no limit.
    ///
    /// It counts from the last byte in either direction, or from the start of the call, waiting for a free connection
    /// included. Any fraction of a second is kept.
    public var idleTimeout: Duration?

    /// How long the server may take to give its first sign; nil for ``idleTimeout``.
    ///
    /// A `URLSession` does not tell when it is connected. The first sign is what can be seen of that: the head of a
    /// response, or a part of the payload being sent. Of a request without payload this is therefore also the time
    /// that the server has to think.
    public var connectTimeout: Duration?

    /// Whether the session follows redirects on its own; ``Wrapper/redirect(_:)`` does so in the same way over all engines.
    ///
    /// On Linux the session then takes credentials along to other hosts, and loses the payload at 307 and 308.
    public var followsRedirects: Bool

    /// Whether cookies are kept in the configuration's storage, and sent.
    public var keepsCookies: Bool

    /// Whether the configuration's cache is used; it has no effect on Linux.
    public var usesCache: Bool

    /// Where a payload with a file in it is copied to, and sent from; the copy is removed when the call is over.
    ///
    /// It has no effect on Linux, where the payload is read while it is sent.
    public var uploadFolder: URL

    /// Creates options; all that a session does on its own is off unless asked for.
    public init(
        idleTimeout: Duration? = standardIdleTimeout,
        connectTimeout: Duration? = nil,
        followsRedirects: Bool = false,
        keepsCookies: Bool = false,
        usesCache: Bool = false,
        uploadFolder: URL = standardUploadFolder
    ) {
        self.idleTimeout = idleTimeout
        self.connectTimeout = connectTimeout
        self.followsRedirects = followsRedirects
        self.keepsCookies = keepsCookies
        self.usesCache = usesCache
        self.uploadFolder = uploadFolder
    }

    /// How long nothing may come or go unless told otherwise: 15 seconds.
    ///
    /// What AbstractHTTP gives a call: enough for a slow answer, short enough that someone still waits. `URLSession` itself
    /// waits for 60.
    public static let standardIdleTimeout = Duration.seconds(15)

    /// Where uploads are copied to unless told otherwise: the system's folder for temporary files.
    public static var standardUploadFolder: URL { FileManager.default.temporaryDirectory }
}

extension URLSessionOptions {
    /// Why no call can be made with a configuration; nil if calls can be made.
    ///
    /// The only configurations with an identifier are those for background transfers.
    static func refusal(of configuration: URLSessionConfiguration) -> ConnectionError? {
        refusal(ofSessionNamed: configuration.identifier)
    }

    /// Why no call can be made in a session of this identifier.
    static func refusal(ofSessionNamed identifier: String?) -> ConnectionError? {
        guard let identifier else { return nil }
        return .engineUnavailable(
            debugInfo: "a session for background transfers (\(identifier.onOneLine)) can't make calls"
        )
    }

    /// A copy of a configuration without what was not asked for.
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
        return copy
    }

    /// The timeout that the session itself is given: later than ours, which must come first.
    ///
    /// Linux cuts fractions of a second off, so that 0.9 s would be none (swift-corelibs-foundation, 6.3.1).
    var sessionTimeout: TimeInterval {
        let week: Int64 = 7 * 24 * 60 * 60
        let ours = [idleTimeout, connectTimeout].compactMap { $0?.components.seconds }.max()
        let longest = idleTimeout == nil ? week : min(week, max(0, ours ?? week))
        return TimeInterval(longest + 60)
    }
}
