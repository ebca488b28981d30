#if os(Linux)
    import CCurl
    import Foundation

    /// Facts about the proxy of a call: a failure of a connection to a proxy is the proxy's failure.
    extension ConnectionOptions {
        /// Whether any variable of the environment names a proxy.
        ///
        /// The value is read only once, so that libcurl need not look for each request, while others may change the
        /// environment.
        static let environmentNamesProxy = [
            "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY",
        ]
        .contains { !(ProcessInfo.processInfo.environment[$0] ?? "").isEmpty }

        /// Whether a request to an `http` URL certainly uses a connection without TLS.
        ///
        /// A proxy may be connected to with TLS, and older versions of libcurl don't report that.
        var mayUsePlainConnections: Bool {
            switch proxy {
            case .none: true
            case .url(let url): !url.lowercased().hasPrefix("https")
            case .system: !Self.environmentNamesProxy
            }
        }

        /// Whether requests may use a proxy, which a Unix domain socket bypasses.
        var mayUseProxy: Bool {
            if unixSocket != nil { return false }
            return switch proxy {
            case .none: false
            case .url: true
            case .system: Self.environmentNamesProxy
            }
        }

        /// Whether a transfer that failed with this text used a proxy.
        func hasAskedProxy(_ handle: UnsafeMutablePointer<ccurl_transfer>, _ text: String) -> Bool {
            // A Unix domain socket bypasses every proxy.
            if unixSocket != nil { return false }
            switch proxy {
            case .none: return false
            case .url: return true
            case .system where !Self.environmentNamesProxy: return false
            case .system:
                let reported = ccurl_used_proxy(handle)
                if reported >= 0 { return reported == 1 }
                return !Self.names(ccurl_asked_url(handle).map { String(cString: $0) } ?? "", text)
            }
        }

        /// Whether a failure to connect (libcurl 7.81 to 8.6) names the host of a URL.
        ///
        /// How libcurl interprets `no_proxy` has changed with its versions, but it names the host that it connected to.
        static func names(_ url: String, _ text: String) -> Bool {
            guard let url = URL(string: url), let host = url.host(percentEncoded: false) else { return false }
            let port = url.port ?? (url.scheme == "https" ? 443 : 80)
            return text.lowercased().contains("failed to connect to \(host.lowercased()) port \(port) ")
        }
    }
#endif
