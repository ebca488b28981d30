#if CURL_ENGINE
    import StartSmallCore
    import StartSmallEngines
    import StartSmallFoundation

    /// A failed transfer: what has failed, and the facts that libcurl knows, as plain values.
    struct CurlFailure: Hashable, Sendable {
        /// The thing that has failed.
        enum Kind: Hashable, Sendable {
            /// Failures that this module finds: a head that can't be trusted, a payload that does not conform to its
            /// content coding, a head or a process at its limit, a request that must not be sent again, a response that
            /// is not complete, too many name lookups without their calls, and a reached time limit.
            case framing, coding, headLimit, memory, repetition, ended, lookup, overdue

            /// A `CURLcode` that libcurl reports.
            case library(Int)

            /// The code that libcurl has for the same failure, for the cause of the error.
            var code: Int {
                switch self {
                case .framing: 8
                case .coding: 61
                case .headLimit: 100
                case .memory: 27
                case .repetition: 52
                case .ended: 18
                case .lookup: 6
                case .overdue: 28
                case .library(let code): code
                }
            }
        }

        let kind: Kind
        let text: String

        /// The system's `errno`, or 0.
        var systemError = 0

        /// The status with which a proxy answered CONNECT, or 0.
        var proxyStatus = 0

        /// Whether the failure is that answer, as libcurl says in words.
        ///
        /// The status stays while libcurl goes on after a 407, as with Digest; the next connection may fail otherwise.
        var isRefusalOfProxy: Bool {
            let words = text.split(separator: " ")
            return hasRefusalOfProxy && ["code", "response"].contains { words.contains([$0, "\(proxyStatus)"]) }
        }

        fileprivate var hasRefusalOfProxy: Bool { proxyStatus != 0 && !(200...299).contains(proxyStatus) }

        /// Whether there was a connection, and the request was on its way.
        var isConnected = false
        var hasProxy = false

        /// The system's error number for a lacking resource, such as descriptors or memory; 0 if none is lacking.
        var resourceError = 0

        /// Whether the server has said that it did not process the request (RFC 9113 6.8, 8.7).
        var isUnprocessed = false

        /// The reason why the address policy refused every address; nil if it did not.
        var refusal: String?
    }

    extension ConnectionError {
        init(_ failure: CurlFailure, partial: Response? = nil) {
            if let refusal = failure.refusal {
                self = .requestRefused(reason: refusal)
                return
            }
            if failure.isUnprocessed {
                self = .connectionLost(.unprocessed(Redaction.withoutURLs(failure.text)))
                return
            }
            if failure.isRefusalOfProxy {
                let text = Redaction.withoutURLs(failure.text)
                self = .proxyFailed(.refusedByProxy(status: failure.proxyStatus, text))
                return
            }
            let cause = Cause(
                domain: Self.curlDomain,
                code: failure.kind.code,
                text: Self.text(of: failure),
                partial: partial
            )
            self = Self.meaning(of: failure)(cause)
        }

        static let curlDomain = "libcurl"

        private static func text(of failure: CurlFailure) -> String {
            let text = Redaction.withoutURLs(failure.text)
            let number = failure.resourceError == 0 ? failure.systemError : failure.resourceError
            if number == 0 { return text }
            return "\(text) (errno \(number): \(String(cString: strerror(Int32(clamping: number)))))"
        }

        private typealias Meaning = @Sendable (Cause) -> ConnectionError

        private static let unusable: Meaning = { .engineUnavailable(debugInfo: $0.text) }

        private static func meaning(of failure: CurlFailure) -> Meaning {
            switch failure.kind {
            case .framing, .headLimit: malformedResponse
            case .coding: unreadablePayload
            case .memory: unusable
            case .repetition, .ended: connectionLost
            case .lookup: hostNotFound
            case .overdue: timedOut
            case .library(let code):
                bySpecialSign(code, of: failure) ?? byConnection(code, of: failure) ?? byCode(code)
            }
        }

        /// Returns the meaning of a code that differs before and after connecting; nil for all other codes.
        ///
        /// Everything that an engine lacks is found before its request is on its way. A failure after that is caused by
        /// the server; a failure before, by the proxy.
        private static func byConnection(_ code: Int, of failure: CurlFailure) -> Meaning? {
            if failure.isConnected { return onConnection.contains(code) ? malformedResponse : nil }
            return failure.hasProxy && ofProxy.contains(code) ? proxyFailed : nil
        }

        /// Codes that libcurl also uses for malformed bytes of a server.
        ///
        /// 27 is for a header line of more than 100 KB (7.81 to 8.x), 43 for a field without a colon. Others are for
        /// chunks and lines that libcurl can't read, or for missing features of an engine, which a server must not be
        /// able to fake.
        private static let onConnection: Set = [1, 2, 4, 23, 27, 41, 43, 48, 53, 54, 58, 59, 66, 77, 82]

        /// Codes that libcurl also uses for a malformed head of a proxy's answer to CONNECT.
        private static let ofProxy: Set = [8, 23, 27, 43, 100]

        /// Returns the meaning of a failure by more than its code; nil if only the code matters.
        private static func bySpecialSign(_ code: Int, of failure: CurlFailure) -> Meaning? {
            if failure.resourceError != 0 { return unusable }
            if failure.hasRefusalOfProxy { return proxyFailed }
            // No request was on its way: the peer that closed the connection is the proxy that was asked for a tunnel.
            if failure.hasProxy, !failure.isConnected, lost.contains(code) { return proxyFailed }
            switch code {
            case Code.couldNotConnect:
                if failure.hasProxy { return proxyFailed }
                return noNetwork.contains(Int32(failure.systemError)) ? notConnectedToInternet : nil
            case Code.unsupportedProtocol:
                // libcurl also uses this code for a response in HTTP/0.9 or 9.1; it reports a protocol that is not
                // built in before connecting.
                return failure.isConnected ? malformedResponse : nil
            case Code.peerVerification:
                // OpenSSL's code also for an alert of the server: that the client certificate has expired (with TLS
                // 1.2).
                return failure.text == alertOfExpiry ? clientCertificateRejected : nil
            case Code.tlsHandshake, Code.receiving, Code.sending:
                // A server's refusal is an alert in the handshake, or after it (RFC 8446 4.4.2.4, 6.2).
                let text = failure.text.lowercased()
                if clientAlerts.contains(where: text.contains) { return clientCertificateRejected }
                // A malformed chunk has no code (7.81 to 8.x).
                return text.contains("chunk") ? malformedResponse : nil
            case Code.http3:
                // A reset of the stream before its head, which is code 18 after it (RFC 9114 4.1).
                return failure.text.contains("reset by") ? connectionLost : nil
            case Code.contentCoding:
                // Also a transfer coding that was not asked for, which libcurl 8 refuses by itself (RFC 9112 6.1).
                return failure.text.contains("Transfer-Encoding") ? malformedResponse : nil
            default: return nil
            }
        }

        /// The codes of `CURLcode` that mean more than one thing.
        private enum Code {
            static let unsupportedProtocol = 1
            static let couldNotConnect = 7
            static let tlsHandshake = 35
            static let gotNothing = 52
            static let sending = 55
            static let receiving = 56
            static let peerVerification = 60
            static let contentCoding = 61
            static let http3 = 95
        }

        private static let lost = [Code.gotNothing, Code.sending, Code.receiving]
        private static let noNetwork = [ENETDOWN, ENETUNREACH]

        /// The message of libcurl for code 60 if OpenSSL has found nothing wrong with the server (lib/vtls/openssl.c).
        ///
        /// `CURLINFO_SSL_VERIFYRESULT` does not help here: it is 1 until there is a result.
        private static let alertOfExpiry = "SSL certificate verification failed"
        private static let clientAlerts = [
            "alert bad certificate", "alert certificate required", "alert unknown ca", "alert certificate unknown",
            "alert certificate expired", "alert certificate revoked", "alert unsupported certificate",
            "alert access denied",
        ]

        /// Returns the meaning of a number of `CURLcode` (curl.h, 8.x), if nothing else is known.
        private static func byCode(_ code: Int) -> Meaning {
            switch code {
            // Something that is not built in, not found or unknown; a failed init; a client certificate, CA file,
            // cipher or revocation list of the options that can't be used; and a failed poll.
            case 1, 2, 4, 41, 43, 48, 53, 54, 58, 59, 66, 77, 82, 99: unusable
            case 3: { .malformedURL(debugInfo: $0.text) }
            // The lookup of a proxy, and its handshake.
            case 5, 97: proxyFailed
            case 6: hostNotFound
            case 7: connectionRefused
            // A weird reply, one of HTTP/3, or one that is too large.
            case 8, 95, 100: malformedResponse
            // An HTTP/2 session that is over, as after a server's GOAWAY (RFC 9113 6.8), or stream; a part or nothing of
            // a response; sending and receiving; and a payload that can't be sent again.
            case 16, 18, 52, 55, 56, 65, 92: connectionLost
            case 28: timedOut
            // The handshake, the level and the shutdown of TLS, the handshake of QUIC, and ECH.
            case 35, 64, 80, 96, 101: secureConnectionFailed
            // The verification, the issuer, the key and the status of the peer's certificate.
            case 60, 83, 90, 91: serverCertificateUntrusted
            case 61: unreadablePayload
            case 98: clientCertificateRejected
            default: other
            }
        }
    }
#endif
