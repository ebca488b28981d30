import Foundation
import StartSmallTesting
import Testing

@testable import StartSmall

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct URLSessionErrorsTests {
    private static let names: [(URLError.Code, String)] = [
        (.unknown, "other"),
        (.cancelled, "cancelled"),
        (.badURL, "malformedURL"),
        (.timedOut, "timedOut"),
        (.unsupportedURL, "malformedURL"),
        (.cannotFindHost, "hostNotFound"),
        (.cannotConnectToHost, "connectionRefused"),
        (.networkConnectionLost, "connectionLost"),
        (.dnsLookupFailed, "hostNotFound"),
        (.httpTooManyRedirects, "other"),
        (.resourceUnavailable, "other"),
        (.notConnectedToInternet, "notConnectedToInternet"),
        (.redirectToNonExistentLocation, "malformedResponse"),
        (.badServerResponse, "malformedResponse"),
        (.userCancelledAuthentication, "other"),
        (.userAuthenticationRequired, "other"),
        (.zeroByteResource, "connectionLost"),
        (.cannotDecodeRawData, "unreadablePayload"),
        (.cannotDecodeContentData, "unreadablePayload"),
        (.cannotParseResponse, "malformedResponse"),
        (.internationalRoamingOff, "notConnectedToInternet"),
        (.callIsActive, "notConnectedToInternet"),
        (.dataNotAllowed, "notConnectedToInternet"),
        (.requestBodyStreamExhausted, "other"),
        (.appTransportSecurityRequiresSecureConnection, "secureConnectionFailed"),
        (.fileDoesNotExist, "other"),
        (.fileIsDirectory, "other"),
        (.noPermissionsToReadFile, "other"),
        (.dataLengthExceedsMaximum, "other"),
        (.secureConnectionFailed, "secureConnectionFailed"),
        (.serverCertificateHasBadDate, "serverCertificateUntrusted"),
        (.serverCertificateUntrusted, "serverCertificateUntrusted"),
        (.serverCertificateHasUnknownRoot, "serverCertificateUntrusted"),
        (.serverCertificateNotYetValid, "serverCertificateUntrusted"),
        (.clientCertificateRejected, "clientCertificateRejected"),
        (.clientCertificateRequired, "clientCertificateRejected"),
        (.cannotLoadFromNetwork, "other"),
        (.cannotCreateFile, "other"),
        (.cannotOpenFile, "other"),
        (.cannotCloseFile, "other"),
        (.cannotWriteToFile, "other"),
        (.cannotRemoveFile, "other"),
        (.cannotMoveFile, "other"),
        (.downloadDecodingFailedMidStream, "other"),
        (.downloadDecodingFailedToComplete, "other"),
        (.backgroundSessionRequiresSharedContainer, "other"),
        (.backgroundSessionInUseByAnotherProcess, "other"),
        (.backgroundSessionWasDisconnected, "other"),
    ]

    @Test("each code of URLError has its case", arguments: names)
    func meaning(code: URLError.Code, name: String) {
        #expect(ConnectionError(urlSession: URLError(code)).name == name)
    }

    @Test("domain, code, text and the partial response are kept")
    func everything() {
        let partial = Response(statusCode: .ok, payload: Data("half".utf8))
        let error = error(-1005, "the network went away")
        let cause = ConnectionError(urlSession: error, partial: partial).cause
        #expect(
            cause
                == ConnectionError.Cause(
                    domain: NSURLErrorDomain,
                    code: -1005,
                    text: "the network went away",
                    partial: partial
                )
        )
    }

    @Test(
        "system errors have their cases",
        arguments: [
            (ECONNREFUSED, "connectionRefused"), (EHOSTUNREACH, "connectionRefused"),
            (ECONNRESET, "connectionLost"), (ECONNABORTED, "connectionLost"), (ENOTCONN, "connectionLost"),
            (EPIPE, "connectionLost"), (ENETUNREACH, "notConnectedToInternet"), (ENETDOWN, "notConnectedToInternet"),
            (ETIMEDOUT, "timedOut"), (EINVAL, "other"),
        ]
    )
    func system(code: Int32, name: String) {
        let error = NSError(domain: NSPOSIXErrorDomain, code: Int(code))
        #expect(ConnectionError(urlSession: error).name == name)
    }

    @Test("proxy errors are proxy failures (CFNetworkErrors)", arguments: [306, 307, 308, 310])
    func proxy(code: Int) {
        let error = NSError(domain: "kCFErrorDomainCFNetwork", code: code)
        #expect(ConnectionError(urlSession: error).name == "proxyFailed")
    }

    @Test("the underlying error decides if the outer one is unspecific, and its text is kept")
    func underlying() {
        let under = NSError(
            domain: "kCFErrorDomainCFNetwork",
            code: 310,
            userInfo: [NSLocalizedDescriptionKey: "no such proxy"]
        )
        let error = NSError(
            domain: NSURLErrorDomain,
            code: -1,
            userInfo: [NSLocalizedDescriptionKey: "unknown", NSUnderlyingErrorKey: under]
        )
        let connectionError = ConnectionError(urlSession: error)
        #expect(connectionError.name == "proxyFailed")
        #expect(connectionError.cause?.text == "unknown; kCFErrorDomainCFNetwork 310: no such proxy")
    }

    @Test(
        "no error shows a URL, as it may contain a credential",
        arguments: ["https://u:pw@h/", "(http://h/?token=pw),", "https://\u{301}u:pw@h/"]
    )
    func noURL(url: String) {
        let text = ConnectionError(urlSession: error(-1003, "can't load \(url) now")).debugInfo
        #expect(!text.contains("pw"))
        #expect(text.contains("can't load <redacted> now"))
    }

    private func error(_ code: Int, _ text: String) -> NSError {
        NSError(domain: NSURLErrorDomain, code: code, userInfo: [NSLocalizedDescriptionKey: text])
    }
}
