public import StartSmallCore
public import StartSmallEngines

extension Connector {
    /// The platform's engine in wrappers that most apps expect: the default of every `via:`.
    ///
    /// The value is ``standard(over:redirecting:limitingPayload:)`` with its default arguments.
    public static let standard: Connector = standard()

    /// Returns an engine in the wrappers of ``Connector/standard``, with custom options.
    ///
    /// ```swift
    /// let options = ConnectionOptions(connectTimeout: .seconds(5), publicKeyPins: pins)
    /// let app = Connector.standard(over: .engine(options: options), limitingPayload: 200_000_000)
    /// ```
    ///
    /// Redirects are followed, and payloads in memory are limited, as by ``Wrapper/redirect(_:)`` and
    /// ``Wrapper/limitPayload(bytes:)``. Wrappers around the result can't relax this: of two limits, the smaller one
    /// applies, and a followed redirect is not visible to an outer ``Wrapper/redirect(_:)``.
    ///
    /// - Parameters:
    ///   - engine: the connector inside, such as `.engine(options: options)`.
    ///   - policy: the number of redirects to follow, and the header fields to drop.
    ///   - bytes: the maximum payload in memory, in bytes; 64 MiB by default.
    public static func standard(
        over engine: Connector = .engine,
        redirecting policy: RedirectPolicy = RedirectPolicy(),
        limitingPayload bytes: Int = Wrapper.defaultPayloadLimit
    ) -> Connector {
        engine.wrapped(by: .redirect(policy), .limitPayload(bytes: bytes))
    }

    /// The platform's engine, without wrappers.
    ///
    /// The engine is `.curl()` on Linux, and `.urlSession()` on other platforms. On Linux without a usable libcurl, each
    /// call ends with ``ConnectionError/engineUnavailable(debugInfo:)``. All connectors that are made from this engine
    /// share its connections.
    public static let engine: Connector = engine(options: ConnectionOptions())

    /// Returns the platform's engine with options, without wrappers, and with its own connections.
    ///
    /// - Parameter options: time limits, connections, proxy, certificates and versions, on every platform.
    public static func engine(options: ConnectionOptions) -> Connector {
        #if CURL_ENGINE
            .curl(options: options)
        #else
            .urlSession(options: options)
        #endif
    }
}
