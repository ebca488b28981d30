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
        "libcurl's text distinguishes errors that Foundation on Linux does not",
        arguments: [
            ("Recv failure: Connection reset by peer", "connectionLost"),
            ("transfer closed with 95 bytes remaining to read", "connectionLost"),
            ("transfer closed with outstanding read data remaining", "connectionLost"),
            ("Empty reply from server", "connectionLost"),
            ("Failed to connect to 127.0.0.1 port 1 after 0 ms: Connection refused", "connectionRefused"),
            ("Failed to connect to 10.0.0.1 port 1 after 1 ms: No route to host", "connectionRefused"),
            ("Connection timed out after 1001 milliseconds", "timedOut"),
            ("Could not resolve proxy: nowhere.invalid", "proxyFailed"),
            ("Could not resolve host: nowhere.invalid", "hostNotFound"),
            ("SSL certificate problem: self-signed certificate", "serverCertificateUntrusted"),
            ("SSL certificate problem: certificate has expired", "serverCertificateUntrusted"),
            (
                "SSL: no alternative certificate subject name matches target host name 'x.test'",
                "serverCertificateUntrusted"
            ),
            ("server certificate verification failed. CAfile: none", "serverCertificateUntrusted"),
            (
                "OpenSSL SSL_read: error:0A00045C:SSL routines::tlsv13 alert certificate required, errno 0",
                "clientCertificateRejected"
            ),
            ("error:0A00010B:SSL routines::wrong version number", "secureConnectionFailed"),
            ("Error while processing content unencoding: incorrect header check", "unreadablePayload"),
            ("Unrecognized content encoding type. libcurl understands deflate", "unreadablePayload"),
            ("Received HTTP/0.9 when not allowed", "malformedResponse"),
            ("Failed writing header", "malformedResponse"),
            ("Illegal or missing hexadecimal sequence in chunked-encoding", "malformedResponse"),
            ("something that libcurl says in ten years", "other"),
        ]
    )
    func texts(text: String, name: String) {
        #expect(ConnectionError(urlSession: error(NSURLErrorUnknown, text)).name == name)
    }

    @Test("a specific code decides, whatever the text")
    func codeFirst() {
        #expect(ConnectionError(urlSession: error(NSURLErrorTimedOut, "connection reset by peer")).name == "timedOut")
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
