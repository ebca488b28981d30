extension Connector {
    /// The platform's engine in the wrappers that people expect without asking: the default of every `via:`.
    ///
    /// Redirects are followed, payloads in memory limited, and downloads to files gone on with, as
    /// ``Wrapper/redirect(_:)``, ``Wrapper/limitPayload(bytes:)`` and ``Wrapper/resumeDownloads()`` do unless told
    /// otherwise.
    public static let standard = Connector.urlSession()
        .wrapped(by: .redirect(), .limitPayload(), .resumeDownloads())
}
