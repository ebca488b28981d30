#if CURL_ENGINE
    import StartSmallCore
    import StartSmallEngines
    import CCurl
    import StartSmallFoundation

    /// The translation of options for libcurl.
    extension ConnectionOptions {
        /// Sets the options of a new handle that are the same for each call.
        ///
        /// - Returns: The reason why an option can't be set, or nil.
        func apply(to handle: UnsafeMutablePointer<ccurl_transfer>) -> String? {
            handle.pointee.is_unshared = !unsharedHTTP2.isEmpty
            let connectLimit = connectTimeout.map { max(1, $0.clampedNanoseconds / 1_000_000) }
            handle.pointee.connect_milliseconds = connectLimit ?? 0
            let results =
                numbers.map { ($0.rawValue, ccurl_set_long(handle, $0, $1)) }
                + texts.map { ($0.rawValue, ccurl_set_text(handle, $0, $1)) }
            if let (option, code) = results.first(where: { $0.1 != 0 }) {
                return CurlTransfer.reason("option \(option)", code)
            }
            // From 7.87 on: a transfer that ends does not wait for its name lookup.
            _ = ccurl_set_long(handle, ccurl_quick_exit, 1)
            for option in directories where ccurl_set_text(handle, option, nil) != 0 {
                // If its TLS library has no directories of certificates, libcurl has no such option to reset.
                continue
            }
            // Each version of libcurl knows at least one: the texts came with 7.85, and the numbers are deprecated
            // since then.
            let protocols = [
                (ccurl_protocols_text, ccurl_protocols), (ccurl_redirect_protocols_text, ccurl_redirect_protocols),
            ]
            for (text, number) in protocols {
                if ccurl_set_text(handle, text, "http,https") == 0 { continue }
                let code = ccurl_set_long(handle, number, ccurl_protocol_http_and_https)
                if code != 0 { return CurlTransfer.reason("option \(number.rawValue)", code) }
            }
            return nil
        }

        private var numbers: [(ccurl_long_option, Int)] {
            let tls = minimumTLS == .tls1_2 ? ccurl_tls_1_2 : ccurl_tls_1_3
            return [
                (ccurl_no_signal, 1), (ccurl_follow_location, 0), (ccurl_path_as_is, 1), (ccurl_pipe_wait, 1),
                (ccurl_tcp_no_delay, 1), (ccurl_http09_allowed, 0), (ccurl_suppress_connect_headers, 1),
                (ccurl_disallow_user_in_url, 1), (ccurl_no_progress, 1),
                (ccurl_tls_version, tls), (ccurl_proxy_tls_version, tls),
                // The timeout until a call sets its own (`ccurl_transfer_expect_connection`).
                (ccurl_connect_timeout_ms, Int(Int32.max)),
                (ccurl_max_age_of_connection, seconds(idleConnectionAge)),
                (ccurl_max_lifetime_of_connection, connectionLifetime.map(seconds) ?? 0),
            ] + keepAlive + version + unsharedHTTP2
        }

        private var keepAlive: [(ccurl_long_option, Int)] {
            guard let tcpKeepAlive else { return [] }
            // What Linux accepts at most (MAX_TCP_KEEPIDLE and MAX_TCP_KEEPINTVL of net/tcp.h).
            let most = 32_767
            return [
                (ccurl_tcp_keep_alive, 1),
                (ccurl_tcp_keep_alive_idle, min(most, seconds(tcpKeepAlive.idle))),
                (ccurl_tcp_keep_alive_interval, min(most, seconds(tcpKeepAlive.interval))),
            ]
        }

        /// The options that make each call over HTTP/2 with prior knowledge open its own connection.
        ///
        /// libcurl 7.88.0 and 7.88.1 would begin HTTP/2 again on a connection that speaks HTTP/2 already (curl 10634,
        /// fixed in 8.0.0).
        private var unsharedHTTP2: [(ccurl_long_option, Int)] {
            guard httpVersion == .http2, Self.breaksReusedHTTP2(ccurl_version()) else { return [] }
            return [(ccurl_fresh_connect, 1), (ccurl_forbid_reuse, 1)]
        }

        /// Whether a version of libcurl can't reuse a connection that speaks HTTP/2 by prior knowledge.
        static func breaksReusedHTTP2(_ version: UInt32) -> Bool { (0x075800...0x075801).contains(version) }

        private var version: [(ccurl_long_option, Int)] {
            switch httpVersion {
            // Without HTTP/2 built in, libcurl accepts no option that asks for it.
            case .automatic where ccurl_features() & UInt32(ccurl_feature_http2) == 0: []
            case .automatic: [(ccurl_http_version, ccurl_http_2_over_tls)]
            case .http1_1: [(ccurl_http_version, ccurl_http_1_1)]
            case .http2: [(ccurl_http_version, ccurl_http_2_only)]
            case .http3: [(ccurl_http_version, ccurl_http_3)]
            }
        }

        /// Returns the reason why a version of libcurl has no HTTP/3 with a fallback, if that is asked for; or nil.
        ///
        /// - Parameter version: the version of libcurl, as `0x075800` for 7.88.0; before that, it does not fall back.
        func lacksHTTP3(features: UInt32, version: UInt32) -> String? {
            guard httpVersion == .http3 else { return nil }
            if version < 0x075800 { return "httpVersion is .http3, which libcurl supports from 7.88 on" }
            guard features & UInt32(ccurl_feature_http3) == 0 else { return nil }
            return "httpVersion is .http3, and this libcurl was built without HTTP/3"
        }

        private var texts: [(ccurl_text_option, String)] {
            var texts: [(ccurl_text_option, String)] = []
            func add(_ option: ccurl_text_option, _ value: String?) { if let value { texts.append((option, value)) } }
            switch proxy {
            // The environment is read only once, so that libcurl need not look for each request, while others may
            // change it.
            case .system: add(ccurl_proxy, Self.environmentNamesProxy ? nil : "")
            case .none: add(ccurl_proxy, "")
            // Without the second option, libcurl would apply the environment's no_proxy to a proxy that is not the
            // environment's.
            case .url(let url): texts += [(ccurl_proxy, url), (ccurl_no_proxy, "")]
            }
            let trusted = caFile?.path ?? Self.systemCAFile
            add(ccurl_ca_file, trusted)
            add(ccurl_proxy_ca_file, trusted)
            switch clientCertificate {
            case .pem(let certificate, let key, let password):
                texts += [(ccurl_client_certificate, certificate.path), (ccurl_client_key, key.path)]
                add(ccurl_key_password, password)
            case .pkcs12(let file, let password):
                texts += [(ccurl_client_certificate_type, "P12"), (ccurl_client_certificate, file.path)]
                add(ccurl_key_password, password)
            case nil: break
            }
            add(ccurl_pinned_public_key, publicKeyPins.isEmpty ? nil : publicKeyPins.joined(separator: ";"))
            add(ccurl_interface, interface)
            add(ccurl_unix_socket, unixSocket?.path)
            return texts
        }

        /// The options for directories of certificates to clear, which libcurl would trust in addition to the file.
        ///
        /// libcurl has a directory built in, such as `/etc/ssl/certs`.
        var directories: [ccurl_text_option] { caFile == nil ? [] : [ccurl_ca_path, ccurl_proxy_ca_path] }

        /// The system's file of certificates, if libcurl was built to look for a file that does not exist.
        ///
        /// The value is nil if libcurl's own file exists, or if none exists.
        static let systemCAFile: String? = {
            guard ccurl_missing_ca_file() != nil else { return nil }
            return systemCAFiles.first(where: FileManager.default.isReadableFile)
        }()

        /// The files in which systems keep their certificates, as Go's crypto/x509 looks for them (root_linux.go).
        static let systemCAFiles = [
            "/etc/ssl/certs/ca-certificates.crt",  // Debian, Ubuntu, Gentoo, Arch
            "/etc/pki/tls/certs/ca-bundle.crt",  // Fedora, RHEL 6
            "/etc/ssl/ca-bundle.pem",  // openSUSE
            "/etc/pki/tls/cacert.pem",  // OpenELEC
            "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // CentOS, RHEL 7
            "/etc/ssl/cert.pem",  // Alpine
        ]

        /// The content codings that are asked for, as far as their libraries can be loaded.
        static var codings: String? {
            let codings = ["gzip", "deflate", "br"].filter { $0.withCString(ccurl_decodes) }
            return codings.isEmpty ? nil : codings.joined(separator: ", ")
        }

        /// The content codings that a request may ask for and that are decoded: `*` may be any (RFC 9110 12.5.3).
        static let knownCodings = Set(
            ["identity", "*"] + ["gzip", "x-gzip", "deflate", "br", "zstd"].filter { $0.withCString(ccurl_decodes) }
        )

        /// Returns whole seconds, at least one: libcurl reads 0 as no limit.
        private func seconds(_ duration: Duration) -> Int {
            Int(clamping: max(1, duration.clampedNanoseconds / 1_000_000_000))
        }
    }

    /// Facts about the proxy of a call: a failure of a connection to a proxy is the proxy's failure.
    extension ConnectionOptions {
        /// Whether a transfer that failed with this text used a proxy.
        func hasAskedProxy(_ handle: UnsafeMutablePointer<ccurl_transfer>, _ text: String) -> Bool {
            guard mayUseProxy, proxy == .system else { return mayUseProxy }
            let reported = ccurl_used_proxy(handle)
            if reported >= 0 { return reported == 1 }
            return !Self.names(ccurl_asked_url(handle).map { String(cString: $0) } ?? "", text)
        }

        /// Whether calls may use a proxy; a Unix domain socket bypasses every proxy.
        var mayUseProxy: Bool {
            unixSocket == nil && proxy != .none && (proxy != .system || Self.environmentNamesProxy)
        }

        /// Whether a failure to connect (libcurl 7.81 to 8.6) names the host of a URL.
        ///
        /// How libcurl interprets `no_proxy` has changed with its versions, but it names the host that it connected to.
        static func names(_ url: String, _ text: String) -> Bool {
            // libcurl does not name the zone of an address.
            guard let url = URL(string: url), let host = url.host(percentEncoded: false)?.prefix(while: { $0 != "%" })
            else { return false }
            let port = url.port ?? (url.scheme == "https" ? 443 : 80)
            return text.lowercased().contains("failed to connect to \(host.lowercased()) port \(port) ")
        }
    }

    /// The address policy, as libcurl's callbacks ask it.
    extension ConnectionOptions.AddressPolicy {
        /// Returns the policy in memory that the caller has to free; nil if all addresses are allowed.
        func forCallbacks() -> UnsafeMutablePointer<Self>? {
            guard isRestrictive else { return nil }
            let policy = UnsafeMutablePointer<Self>.allocate(capacity: 1)
            policy.initialize(to: self)
            return policy
        }

        /// Asks a policy that ``forCallbacks()`` returned; an address of an unknown kind is refused.
        static let check: ccurl_address_check = { context, address in
            guard let address = NetworkAddress(address.pointee) else { return false }
            return context.assumingMemoryBound(to: ConnectionOptions.AddressPolicy.self).pointee.allows(address)
        }
    }

    extension NetworkAddress {
        /// Creates an address from that of a callback; nil if it is of another kind.
        init?(_ address: ccurl_address) {
            let bytes = withUnsafeBytes(of: address.bytes) { Array($0.prefix(Int(address.count))) }
            self.init(bytes: bytes, zone: address.zone == 0 ? nil : "\(address.zone)")
        }
    }

    extension CurlTransfer {
        /// The reason why the address policy refused the transfer; nil if it did not.
        ///
        /// If the policy allowed an address that can't be reached, that is the failure.
        func refusal(by policy: ConnectionOptions.AddressPolicy) -> String? {
            let transfer = handle.pointee
            let isRefused = !transfer.has_allowed || transfer.stop == ccurl_stop_address
            guard transfer.has_refused, isRefused else { return nil }
            return policy.reason(refusing: NetworkAddress(transfer.refused))
        }
    }
#endif
