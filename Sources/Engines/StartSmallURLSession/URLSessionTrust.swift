#if !CORELIBS_URLSESSION
    import StartSmallCore
    import StartSmallSupport
    #if canImport(Security)
        import CryptoKit
        import Security
    #endif

    /// The translation of the options of TLS and proxies for Apple's frameworks.
    extension ConnectionOptions {
        /// Sets the oldest version of TLS and the proxy of a configuration.
        func apply(toSecurityOf configuration: URLSessionConfiguration) {
            let isNewest = configuration.tlsMinimumSupportedProtocolVersion == .TLSv13
            configuration.tlsMinimumSupportedProtocolVersion = minimumTLS == .tls1_3 || isNewest ? .TLSv13 : .TLSv12
            switch proxy {
            case .system: break
            case .none: configuration.connectionProxyDictionary = [:]
            case .url(let text):
                let entries = URLSessionProxy(text)?.entries ?? [:]
                configuration.connectionProxyDictionary = entries
            }
        }

        /// The user and the password of the proxy; nil if there is none.
        var proxyCredential: URLCredential? {
            guard case .url(let text) = proxy, let proxy = URLSessionProxy(text), let user = proxy.user else {
                return nil
            }
            return URLCredential(user: user, password: proxy.password ?? "", persistence: .forSession)
        }

        /// The client certificate, or the reason why it can't be used.
        var clientCredential: Either<String, URLCredential> {
            guard case .pkcs12(let file, let password) = clientCertificate else {
                return .left("it is not a PKCS#12 file")
            }
            let data: Data
            do { data = try Data(contentsOf: file) } catch { return .left(SystemErrorText.text(of: error)) }
            var items: CFArray?
            let options = [kSecImportExportPassphrase as String: password]
            let status = SecPKCS12Import(data as CFData, options as CFDictionary, &items)
            guard status == errSecSuccess else { return .left("SecPKCS12Import failed with status \(status)") }
            let found = (items as? [[String: Any]])?.first?[kSecImportItemIdentity as String]
            guard let object = found as AnyObject?, CFGetTypeID(object) == SecIdentityGetTypeID() else {
                return .left("the file contains no identity")
            }
            let identity = unsafeDowncast(object, to: SecIdentity.self)
            return .right(URLCredential(identity: identity, certificates: nil, persistence: .forSession))
        }
    }

    extension URLSessionChallenge {
        /// Creates a challenge, with the server's certificates evaluated if the options check them.
        init(_ challenge: URLAuthenticationChallenge, _ options: ConnectionOptions) {
            let space = challenge.protectionSpace
            if space.isProxy() {
                self = .proxyPassword(failureCount: challenge.previousFailureCount)
            } else if space.authenticationMethod == NSURLAuthenticationMethodServerTrust {
                let trust = options.checksServerTrust ? space.serverTrust : nil
                let failure = trust.map { options.failure(of: $0) } ?? "there are no certificates to evaluate"
                self = .serverTrust(failure: failure, keyHash: trust.flatMap(Self.keyHash))
            } else if space.authenticationMethod == NSURLAuthenticationMethodClientCertificate {
                self = .clientCertificate
            } else {
                self = .other
            }
        }

        /// Returns the SHA-256 of the server's SubjectPublicKeyInfo; nil for a key of an unknown kind.
        private static func keyHash(_ trust: SecTrust) -> Data? {
            guard let leaf = (SecTrustCopyCertificateChain(trust) as? [SecCertificate])?.first,
                let key = SecCertificateCopyKey(leaf),
                let attributes = SecKeyCopyAttributes(key) as? [String: Any],
                let type = attributes[kSecAttrKeyType as String] as? String,
                let bits = attributes[kSecAttrKeySizeInBits as String] as? Int,
                let bytes = SecKeyCopyExternalRepresentation(key, nil) as Data?
            else { return nil }
            let isRSA = type == kSecAttrKeyTypeRSA as String
            let kind = isRSA ? PublicKeyKind.rsa : PublicKeyKind(curveBits: bits)
            return kind.map { Data(SHA256.hash(data: $0.subjectPublicKeyInfo(of: bytes))) }
        }
    }

    extension ConnectionOptions {
        /// Returns the reason why the certificates of a server are not trusted; nil if they are trusted.
        ///
        /// If there is a `caFile`, only its certificates are trusted.
        fileprivate func failure(of trust: SecTrust) -> String? {
            if let caFile {
                guard let file = try? Data(contentsOf: caFile), let certificates = PEMCertificates.read(file)
                else { return "caFile has no certificates in PEM" }
                let anchors = certificates.compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
                guard anchors.count == certificates.count else { return "caFile has a certificate that can't be read" }
                guard SecTrustSetAnchorCertificates(trust, anchors as CFArray) == errSecSuccess,
                    SecTrustSetAnchorCertificatesOnly(trust, true) == errSecSuccess
                else { return "the certificates of caFile can't be set as trusted" }
            }
            var error: CFError?
            if SecTrustEvaluateWithError(trust, &error) { return nil }
            return error?.localizedDescription ?? "the certificates are not trusted"
        }
    }

    /// The handling of challenges of Apple's `URLSession`.
    extension URLSessionSessionDelegate {
        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            switch URLSessionChallenge(challenge, options).disposition(by: options) {
            case .performDefault: completionHandler(.performDefaultHandling, nil)
            case .trustServer:
                let credential = challenge.protectionSpace.serverTrust.map { URLCredential(trust: $0) }
                completionHandler(.useCredential, credential)
            case .sendProxyPassword: completionHandler(.useCredential, options.proxyCredential)
            case .sendClientCertificate:
                switch options.clientCredential {
                case .right(let credential): completionHandler(.useCredential, credential)
                case .left(let reason):
                    let reason = "clientCertificate can't be opened: \(reason)"
                    fail(task, with: .engineUnavailable(debugInfo: reason), completionHandler)
                }
            case .fail(let error): fail(task, with: error, completionHandler)
            }
        }

        /// Ends a call before its challenge is cancelled, which `URLSession` would report as a cancelled task.
        private func fail(
            _ task: URLSessionTask,
            with error: ConnectionError,
            _ completionHandler: @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            end(task.taskIdentifier) { _ in .output(.noResponse(error)) }
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
    }
#endif
