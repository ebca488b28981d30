import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension ConnectionError {
    /// Creates the error for an error of a `URLSession`, with its domain, code and text.
    ///
    /// - Parameters:
    ///   - error: the error.
    ///   - partial: the part of the response that had arrived.
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
        case NSURLErrorDomain:
            URLSessionErrorText.meaning(of: error) ?? byURLErrorCode[error.code]
        case NSPOSIXErrorDomain: byPOSIXCode[error.code]
        case "kCFErrorDomainCFNetwork": byCFNetworkCode[error.code]
        default: nil
        }
    }

    /// The meanings of codes of CFNetwork.
    ///
    /// They are `kCFErrorHTTPProxyConnectionFailure`, `…BadProxyCredentials`, `…PACFileError`,
    /// `…HTTPSProxyConnectionFailure`.
    private static let byCFNetworkCode: [Int: Meaning] = [
        306: { .proxyFailed($0) },
        307: { .proxyFailed($0) },
        308: { .proxyFailed($0) },
        310: { .proxyFailed($0) },
    ]

    private static let byPOSIXCode: [Int: Meaning] = [
        Int(ECONNREFUSED): { .connectionRefused($0) },
        Int(EHOSTUNREACH): { .connectionRefused($0) },
        Int(ENETUNREACH): { .notConnectedToInternet($0) },
        Int(ENETDOWN): { .notConnectedToInternet($0) },
        Int(ECONNRESET): { .connectionLost($0) },
        Int(ECONNABORTED): { .connectionLost($0) },
        Int(ENOTCONN): { .connectionLost($0) },
        Int(EPIPE): { .connectionLost($0) },
        Int(ETIMEDOUT): { .timedOut($0) },
    ]

    /// The meanings by `URLError.Code`, as the constants of `NSURLError` are off by one for TLS on Linux (6.3.1).
    private static let byURLErrorCode: [Int: Meaning] = Dictionary(
        uniqueKeysWithValues: byCode.map { ($0.key.rawValue, $0.value) }
    )

    private static let byCode: [URLError.Code: Meaning] = [
        .cancelled: { _ in .cancelled },
        .badURL: { .malformedURL(debugInfo: $0.text) },
        .unsupportedURL: { .malformedURL(debugInfo: $0.text) },
        .timedOut: { .timedOut($0) },
        .cannotFindHost: { .hostNotFound($0) },
        .dnsLookupFailed: { .hostNotFound($0) },
        .cannotConnectToHost: { .connectionRefused($0) },
        .notConnectedToInternet: { .notConnectedToInternet($0) },
        .internationalRoamingOff: { .notConnectedToInternet($0) },
        .callIsActive: { .notConnectedToInternet($0) },
        .dataNotAllowed: { .notConnectedToInternet($0) },
        .networkConnectionLost: { .connectionLost($0) },
        .zeroByteResource: { .connectionLost($0) },
        .badServerResponse: { .malformedResponse($0) },
        .cannotParseResponse: { .malformedResponse($0) },
        .redirectToNonExistentLocation: { .malformedResponse($0) },
        .cannotDecodeRawData: { .unreadablePayload($0) },
        .cannotDecodeContentData: { .unreadablePayload($0) },
        .secureConnectionFailed: { .secureConnectionFailed($0) },
        .appTransportSecurityRequiresSecureConnection: { .secureConnectionFailed($0) },
        .serverCertificateHasBadDate: { .serverCertificateUntrusted($0) },
        .serverCertificateUntrusted: { .serverCertificateUntrusted($0) },
        .serverCertificateHasUnknownRoot: { .serverCertificateUntrusted($0) },
        .serverCertificateNotYetValid: { .serverCertificateUntrusted($0) },
        .clientCertificateRejected: { .clientCertificateRejected($0) },
        .clientCertificateRequired: { .clientCertificateRejected($0) },
    ]
}
