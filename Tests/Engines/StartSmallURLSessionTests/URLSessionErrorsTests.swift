import Foundation
import StartSmallTesting
import Testing

import StartSmall
@testable import StartSmallURLSession

@Suite struct URLSessionErrorsTests {
    private static let codes: [(name: String, codes: [URLError.Code])] = [
        (
            "other",
            [
                .unknown, .httpTooManyRedirects, .userAuthenticationRequired, .fileDoesNotExist,
                .backgroundSessionWasDisconnected,
            ]
        ),
        ("cancelled", [.cancelled]),
        ("malformedURL", [.badURL, .unsupportedURL]),
        ("timedOut", [.timedOut]),
        ("hostNotFound", [.cannotFindHost, .dnsLookupFailed]),
        ("connectionRefused", [.cannotConnectToHost]),
        ("connectionLost", [.networkConnectionLost, .zeroByteResource]),
        (
            "notConnectedToInternet",
            [.notConnectedToInternet, .internationalRoamingOff, .callIsActive, .dataNotAllowed]
        ),
        ("malformedResponse", [.redirectToNonExistentLocation, .badServerResponse, .cannotParseResponse]),
        ("unreadablePayload", [.cannotDecodeRawData, .cannotDecodeContentData]),
        ("secureConnectionFailed", [.appTransportSecurityRequiresSecureConnection, .secureConnectionFailed]),
        (
            "serverCertificateUntrusted",
            [
                .serverCertificateHasBadDate, .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
                .serverCertificateNotYetValid,
            ]
        ),
        ("clientCertificateRejected", [.clientCertificateRejected, .clientCertificateRequired]),
    ]

    @Test("each code of URLError has its case", arguments: codes)
    func meaning(name: String, codes: [URLError.Code]) {
        for code in codes { #expect(ConnectionError(urlSession: URLError(code)).name == name, "\(code)") }
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
