extension Connector {
    /// The platform's engine in the wrappers that people expect without asking: the default of every `via:`.
    ///
    /// Redirects are followed, and payloads limited, as ``Wrapper/redirect(_:)`` and ``Wrapper/limitPayload(bytes:)`` do
    /// unless told otherwise.
    public static let standard = Connector.urlSession().wrapped(by: .redirect(), .limitPayload())
}
