import Foundation

extension Connector {
    /// The platform's engine in the wrappers that people expect without asking: the default of every `via:`.
    ///
    /// It is ``standard(over:redirecting:limitingPayload:)`` with its defaults.
    public static let standard: Connector = standard()

    /// An engine in the wrappers of ``Connector/standard``, which do as they are told here.
    ///
    /// ```swift
    /// let app = Connector.standard(limitingPayload: 200_000_000)
    /// ```
    ///
    /// Redirects are followed, payloads in memory are limited, and broken downloads to files are resumed, as
    /// ``Wrapper/redirect(_:)``, ``Wrapper/limitPayload(bytes:)`` and ``Wrapper/resumeDownloads()`` do. What stands around
    /// the result does not widen them: of two limits the smaller wins, and a redirect that was followed is seen by no
    /// ``Wrapper/redirect(_:)`` outside.
    ///
    /// - Parameters:
    ///   - engine: what connects, such as `.curl(options: options)`.
    ///   - policy: how far redirects are followed, and which fields are left behind.
    ///   - bytes: how many bytes of payload are taken into memory at most.
    public static func standard(
        over engine: Connector = .engine,
        redirecting policy: RedirectPolicy = RedirectPolicy(),
        limitingPayload bytes: Int = Wrapper.defaultPayloadLimit
    ) -> Connector {
        engine.wrapped(by: .redirect(policy), .limitPayload(bytes: bytes), .resumeDownloads())
    }

    /// The platform's engine with options, in the wrappers of ``Connector/standard``.
    ///
    /// ```swift
    /// let app = Connector.standard(options: ConnectionOptions(connectTimeout: .seconds(5), publicKeyPins: pins))
    /// ```
    ///
    /// - Parameters:
    ///   - options: time limits, connections, proxy, certificates and versions, on every platform.
    ///   - policy: how far redirects are followed, and which fields are left behind.
    ///   - bytes: how many bytes of payload are taken into memory at most.
    public static func standard(
        options: ConnectionOptions,
        redirecting policy: RedirectPolicy = RedirectPolicy(),
        limitingPayload bytes: Int = Wrapper.defaultPayloadLimit
    ) -> Connector {
        standard(over: engine(options: options), redirecting: policy, limitingPayload: bytes)
    }

    /// The platform's engine, with nothing around it.
    ///
    /// It is `.curl()` on Linux, and `.urlSession()` elsewhere, and where libcurl can't be loaded: then a line on the
    /// standard error says so, once. All that is made of it shares its connections.
    public static let engine: Connector = engine(options: ConnectionOptions())

    /// The platform's engine with options, with nothing around it, and with connections of its own.
    ///
    /// - Parameter options: time limits, connections, proxy, certificates and versions, on every platform.
    public static func engine(options: ConnectionOptions) -> Connector {
        #if os(Linux) && !APPLE_BRANCH
            engine(curlUnavailable: curlUnavailable, options: options) { _ in fallbackNotice }
        #else
            .urlSession(options: options)
        #endif
    }

    #if os(Linux) && !APPLE_BRANCH
        /// The engine for Linux, by the reason why libcurl can't be used, if there is one, which is printed.
        ///
        /// An app that must not fall back uses `.curl()`, whose calls fail with the reason.
        static func engine(
            curlUnavailable reason: String?,
            options: ConnectionOptions = ConnectionOptions(),
            print: (String) -> Void
        ) -> Connector {
            guard let reason else { return .curl(options: options) }
            print(fallbackText(reason))
            return .urlSession(options: options)
        }

        /// Prints, once for the process, that libcurl can't be used.
        private static let fallbackNotice: Void = FileHandle.standardError.write(
            Data((fallbackText(curlUnavailable ?? "") + "\n").utf8)
        )

        private static func fallbackText(_ reason: String) -> String {
            "StartSmall: \(reason). Connector.standard and Connector.engine use URLSession instead, which a hostile "
                + "server can crash on Linux: install libcurl 7.81 or later (Debian: libcurl4), or use .urlSession() "
                + "explicitly."
        }
    #endif
}
