import StartSmallCore
import StartSmallEngines

extension ConnectionError.Cause {
    /// Creates the cause of a failure that the session did not report as such, with a code of `NSURLError`.
    init(ofSession code: Int, _ text: String, partial: Response? = nil) {
        self.init(domain: NSURLErrorDomain, code: code, text: text, partial: partial)
    }
}

extension ConnectionError {
    /// Creates the error for an error of a `URLSession`, with its domain, code and text.
    init(urlSession error: any Error, partial: Response? = nil) {
        let error = error as NSError
        let cause = Cause(domain: error.domain, code: error.code, text: Self.text(of: error), partial: partial)
        self = Self.chain(of: error).lazy.compactMap { Self.meaning(of: $0)?(cause) }.first ?? .other(cause)
    }

    typealias Meaning = @Sendable (Cause) -> ConnectionError

    /// Returns an error and its underlying errors, the innermost last; at most four.
    private static func chain(of error: NSError) -> [NSError] {
        var chain = [error]
        while chain.count < 4, let next = chain.last?.userInfo[NSUnderlyingErrorKey] as? any Error {
            chain.append(next as NSError)
        }
        return chain
    }

    /// Returns the texts of the errors, without anything that may be a URL.
    private static func text(of error: NSError) -> String {
        var lines: [String] = []
        for link in chain(of: error) {
            let text = Redaction.withoutURLs(link.localizedDescription)
            let line = lines.isEmpty ? text : "\(link.domain) \(link.code): \(text)"
            if !lines.contains(text) { lines.append(line) }
        }
        return lines.joined(separator: "; ")
    }

    private static func meaning(of error: NSError) -> Meaning? {
        switch error.domain {
        // The initializer is failable on Linux only.
        case NSURLErrorDomain: (URLError.Code(rawValue: error.code) as URLError.Code?).flatMap { meaning(of: $0) }
        case NSPOSIXErrorDomain: Int32(exactly: error.code).flatMap { meaning(ofPOSIXCode: $0) }
        // `kCFErrorHTTPProxyConnectionFailure`, `…BadProxyCredentials`, `…PACFileError`, `…HTTPSProxyConnectionFailure`.
        case "kCFErrorDomainCFNetwork" where error.code == 307: { .proxyFailed(.refusedByProxy(status: 407, $0.text)) }
        case "kCFErrorDomainCFNetwork" where [306, 308, 310].contains(error.code): { .proxyFailed($0) }
        default: nil
        }
    }

    private static func meaning(ofPOSIXCode code: Int32) -> Meaning? {
        switch code {
        case ECONNREFUSED, EHOSTUNREACH: { .connectionRefused($0) }
        case ENETUNREACH, ENETDOWN: { .notConnectedToInternet($0) }
        case ECONNRESET, ECONNABORTED, ENOTCONN, EPIPE: { .connectionLost($0) }
        case ETIMEDOUT: { .timedOut($0) }
        default: nil
        }
    }

    /// Returns the meaning of a `URLError.Code`, as the constants of `NSURLError` are off by one for TLS on Linux
    /// (6.3.1).
    private static func meaning(of code: URLError.Code) -> Meaning? {
        switch code {
        case .cancelled: { _ in .cancelled }
        case .badURL, .unsupportedURL: { .malformedURL(debugInfo: $0.text) }
        case .timedOut: { .timedOut($0) }
        case .cannotFindHost, .dnsLookupFailed: { .hostNotFound($0) }
        case .cannotConnectToHost: { .connectionRefused($0) }
        case .notConnectedToInternet, .internationalRoamingOff, .callIsActive, .dataNotAllowed:
            { .notConnectedToInternet($0) }
        case .networkConnectionLost, .zeroByteResource: { .connectionLost($0) }
        case .badServerResponse, .cannotParseResponse, .redirectToNonExistentLocation: { .malformedResponse($0) }
        case .cannotDecodeRawData, .cannotDecodeContentData: { .unreadablePayload($0) }
        case .secureConnectionFailed, .appTransportSecurityRequiresSecureConnection: { .secureConnectionFailed($0) }
        case .serverCertificateHasBadDate, .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
            .serverCertificateNotYetValid:
            { .serverCertificateUntrusted($0) }
        case .clientCertificateRejected, .clientCertificateRequired: { .clientCertificateRejected($0) }
        default: nil
        }
    }
}
