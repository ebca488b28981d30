import StartSmallCore
import StartSmallSupport
package import StartSmallFoundation

extension ConnectionOptions {
    /// The reason why no engine can make calls with these values; nil if they are valid.
    ///
    /// Files are not checked: they may be replaced while the connector is in use.
    package var rejectionReason: String? {
        let durations: [(String, Duration?)] = [
            ("connectTimeout", connectTimeout), ("idleTimeout", idleTimeout.limit(within: nil)),
            ("idleConnectionAge", idleConnectionAge), ("connectionLifetime", connectionLifetime),
            ("tcpKeepAlive.idle", tcpKeepAlive?.idle), ("tcpKeepAlive.interval", tcpKeepAlive?.interval),
        ]
        for case (let name, let duration?) in durations where duration < .zero {
            return "\(name) is negative: \(duration)"
        }
        for (name, count) in [("maxConnectionsPerHost", maxConnectionsPerHost), ("maxConnections", maxConnections)] {
            if count < 1 { return "\(name) is \(count): it must be at least 1" }
        }
        if let pin = publicKeyPins.first(where: { Self.hash(ofPin: $0) == nil }) {
            return
                "publicKeyPins has an entry that is not a SHA-256 in Base64, such as sha256//…MwE=: \(pin.onOneLine)"
        }
        if case .url(let text) = proxy,
            let refusal = Authority(of: text.contains("//") ? text : "//" + text)?.refusal
        {
            return "proxy has an illegal URL: \(refusal): \(proxy)"
        }
        if let block = addressPolicy.malformedBlock {
            return "addressPolicy has an entry that is not an address block, such as 10.1.0.0/16: \(block.onOneLine)"
        }
        return resolveRejection ?? bypassRejection(environmentNamesProxy: false)
    }

    /// Returns the SHA-256 of a SubjectPublicKeyInfo, which pins a server's key (RFC 7469 2.4).
    ///
    /// - Parameter pin: libcurl's form, such as `sha256//YhKJKSzoTt2b5FP18fvpHo7fJYqQCjAa3HWY3tvRMwE=`.
    /// - Returns: nil if the text is not a pin, of which the hash has 32 bytes (FIPS 180-4).
    package static func hash(ofPin pin: String) -> Data? {
        let prefix = "sha256//"
        guard pin.hasPrefix(prefix) else { return nil }
        return Data(base64Encoded: String(pin.dropFirst(prefix.count))).flatMap { $0.count == 32 ? $0 : nil }
    }

    /// The reason why calls could bypass the address policy or the fixed addresses; nil if none can.
    ///
    /// A proxy looks up the host name of a request itself, so that this process never knows the address.
    package func bypassRejection(environmentNamesProxy: Bool) -> String? {
        let guards = [addressPolicy.isRestrictive ? "addressPolicy" : nil, resolve.isEmpty ? nil : "resolve"]
        guard let name = guards.compactMap(\.self).first else { return nil }
        if unixSocket != nil { return "\(name) has no effect on a unixSocket, which has no address" }
        let isProxyPossible =
            switch proxy {
            case .none: false
            case .url: true
            case .system: environmentNamesProxy
            }
        if !isProxyPossible { return nil }
        return "\(name) can't be enforced with a proxy, which looks up host names itself: set proxy to .none"
    }

    /// The paths of the files of certificates, for a quick check before each call; empty for a URL that has none.
    package var certificatePaths: [String] { certificateFiles.map { $0.url.isFileURL ? $0.url.path : "" } }

    private var certificateFiles: [(what: String, url: URL)] {
        (caFile.map { [("caFile", $0)] } ?? []) + (clientCertificate?.files ?? []).map { ($0.what, $0.url) }
    }

    /// The reason why a file of certificates can't be read now; nil if all can be read, or none is given.
    package var unreadableFile: String? {
        if caFile == nil, clientCertificate == nil { return nil }
        for (what, url) in certificateFiles {
            let path = url.path.onOneLine
            if !url.isFileURL {
                return "\(what) is not a file URL: \(Redaction.standard.shown(url: url.absoluteString))"
            }
            if !FileManager.default.isReadableFile(atPath: url.path) { return "\(what) can't be read: \(path)" }
        }
        return nil
    }
}
