extension Connector {
    /// The platform's engine in the wrappers that people expect without asking: the default of every `via:`.
    ///
    /// The engine is `.curl()` on Linux, and `.urlSession()` elsewhere, and where libcurl can't be loaded. Redirects are
    /// followed, payloads in memory are limited, and broken downloads to files are resumed, as ``Wrapper/redirect(_:)``,
    /// ``Wrapper/limitPayload(bytes:)`` and ``Wrapper/resumeDownloads()`` do unless told otherwise.
    public static let standard = engine.wrapped(by: .redirect(), .limitPayload(), .resumeDownloads())

    private static var engine: Connector {
        #if os(Linux)
            engine(curlUnavailable: curlUnavailable)
        #else
            .urlSession()
        #endif
    }

    #if os(Linux)
        /// The engine for Linux, by the reason why libcurl can't be used, if there is one.
        static func engine(curlUnavailable reason: String?) -> Connector {
            reason == nil ? .curl() : .urlSession()
        }
    #endif
}
