import StartSmallCore
import StartSmallFoundation
public import StartSmallSupport

extension ConnectionOptions {
    /// The proxy of a connection.
    public enum Proxy: Equatable, Sendable {
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

    /// Whether any variable of the environment names a proxy.
    ///
    /// The value is read only once, so that libcurl need not look for each request, while others may change the
    /// environment.
    package static let environmentNamesProxy = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
        .contains { !(ProcessInfo.processInfo.environment[$0] ?? "").isEmpty }
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
