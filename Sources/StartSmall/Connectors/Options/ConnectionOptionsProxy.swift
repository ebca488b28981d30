extension ConnectionOptions {
    /// The proxy of a connection.
    public enum Proxy: Hashable, Sendable {
        /// The system's proxy.
        ///
        /// On Linux, `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` name the proxy; elsewhere, the settings
        /// do.
        case system

        /// No proxy, regardless of the system's settings.
        case none

        /// The proxy with this URL, such as `http://proxy.example.com:3128`; user and password may be in the URL.
        case url(String)
    }
}

extension ConnectionOptions.Proxy: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The proxy, without user and password.
    public var description: String {
        switch self {
        case .system: "system"
        case .none: "none"
        case .url(let text): Redaction.standard.shown(url: text.contains("//") ? text : "//" + text)
        }
    }
}
