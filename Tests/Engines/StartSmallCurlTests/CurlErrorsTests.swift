#if os(Linux)
    import CCurl
    import Foundation
    import Testing

    import StartSmall
    @testable import StartSmallCurl

    @Suite("libcurl failures as connection errors") struct CurlErrorsTests {
        /// The names of all `CURLcode` values whose error is not `other`.
        private static let names: [Int: String] = [
            1: "engineUnavailable", 2: "engineUnavailable", 3: "malformedURL", 4: "engineUnavailable",
            5: "proxyFailed", 6: "hostNotFound", 7: "connectionRefused", 8: "malformedResponse",
            16: "connectionLost", 18: "connectionLost", 28: "timedOut", 35: "secureConnectionFailed",
            41: "engineUnavailable", 43: "engineUnavailable", 48: "engineUnavailable", 52: "connectionLost",
            53: "engineUnavailable", 54: "engineUnavailable", 55: "connectionLost", 56: "connectionLost",
            58: "engineUnavailable", 59: "engineUnavailable", 60: "serverCertificateUntrusted",
            61: "unreadablePayload", 64: "secureConnectionFailed", 65: "connectionLost",
            66: "engineUnavailable", 77: "engineUnavailable", 80: "secureConnectionFailed",
            82: "engineUnavailable", 83: "serverCertificateUntrusted", 90: "serverCertificateUntrusted",
            91: "serverCertificateUntrusted", 92: "connectionLost", 95: "malformedResponse",
            96: "secureConnectionFailed", 97: "proxyFailed", 98: "clientCertificateRejected",
            99: "engineUnavailable", 100: "malformedResponse", 101: "secureConnectionFailed",
        ]

        @Test("each code has its case, with code and text", arguments: 1...120)
        func eachCodeIs(code: Int) {
            let error = ConnectionError(CurlFailure(kind: .library(code), text: "words"))
            #expect(error.name == Self.names[code] ?? "other")
            #expect(error.debugInfo.contains("words"))
            if let cause = error.cause { #expect((cause.domain, cause.code) == ("libcurl", code)) }
        }

        @Test("once the request is on its way, only the code of waiting is an engine failure", arguments: 1...120)
        func onConnection(code: Int) {
            let error = ConnectionError(CurlFailure(kind: .library(code), text: "words", isConnected: true))
            #expect((error.name == "engineUnavailable") == (code == 99))
        }

        @Test("a lack of descriptors or memory is an engine failure, whatever the code", arguments: [5, 6, 7, 27])
        func lack(code: Int) {
            let error = ConnectionError(CurlFailure(kind: .library(code), text: "words", resourceError: Int(EMFILE)))
            #expect(error == .engineUnavailable(debugInfo: "words (errno 24: Too many open files)"))
        }

        @Test(
            "the error has no system error number that libcurl kept from another failure",
            arguments: [
                (7, "Couldn't connect", true), (56, "Recv failure: Connection refused", true),
                (56, "OpenSSL SSL_read: bad record", false), (18, "transfer closed", false), (28, "timed out", false),
            ]
        )
        func ownNumber(code: Int, text: String, isOwn: Bool) {
            let number = CurlFailure(kind: .library(code), text: text).systemErrorOfItsOwn(Int(ECONNREFUSED))
            #expect(number == (isOwn ? Int(ECONNREFUSED) : 0))
        }

        @Test("bytes of a proxy that are not an answer to CONNECT are a proxy failure", arguments: [8, 27, 43, 100])
        func proxysBytes(code: Int) {
            #expect(ConnectionError(CurlFailure(kind: .library(code), text: "", hasProxy: true)).name == "proxyFailed")
        }

        @Test(
            "a failure that this library finds has one case, and the code that libcurl has for it",
            arguments: [
                (.framing, "malformedResponse", 8), (.coding, "unreadablePayload", 61),
                (.headLimit, "malformedResponse", 100), (.repetition, "connectionLost", 52),
                (.ended, "connectionLost", 18), (.lookup, "hostNotFound", 6), (.overdue, "timedOut", 28),
            ] as [(CurlFailure.Kind, String, Int)],
            [false, true]
        )
        func ownKind(kind: (CurlFailure.Kind, name: String, code: Int), isConnected: Bool) {
            let failure = CurlFailure(kind: kind.0, text: "words", isConnected: isConnected, hasProxy: true)
            let error = ConnectionError(failure)
            #expect(error.name == kind.name && error.cause?.code == kind.code && error.cause?.text == "words")
        }

        private typealias Failure = CurlFailure

        private static let refined: [(CurlFailure, String)] = [
            (Failure(kind: .library(1), text: "HTTP/0.9 when not allowed", isConnected: true), "malformedResponse"),
            (Failure(kind: .library(56), text: "hexadecimal sequence in chunked-encoding"), "malformedResponse"),
            (Failure(kind: .library(61), text: "Transfer-Encoding (gzip) found"), "malformedResponse"),
            (Failure(kind: .library(61), text: "Unrecognized content encoding type"), "unreadablePayload"),
            (Failure(kind: .library(7), text: "", systemError: 111), "connectionRefused"),
            (Failure(kind: .library(7), text: "", systemError: 101), "notConnectedToInternet"),
            (Failure(kind: .library(7), text: "", systemError: 111, hasProxy: true), "proxyFailed"),
            (Failure(kind: .library(56), text: "", proxyStatus: 407), "proxyFailed"),
            (Failure(kind: .library(56), text: "Proxy CONNECT aborted", hasProxy: true), "proxyFailed"),
            (Failure(kind: .library(52), text: "", isConnected: true, hasProxy: true), "connectionLost"),
            (Failure(kind: .library(56), text: "", isConnected: true, hasProxy: true), "connectionLost"),
            (Failure(kind: .library(56), text: "", proxyStatus: 200), "connectionLost"),
            (Failure(kind: .library(60), text: "SSL certificate verification failed"), "clientCertificateRejected"),
            (Failure(kind: .library(60), text: "SSL: no alternative name"), "serverCertificateUntrusted"),
            (Failure(kind: .library(56), text: "tlsv13 alert certificate required"), "clientCertificateRejected"),
            (Failure(kind: .library(35), text: "sslv3 alert bad certificate"), "clientCertificateRejected"),
            (Failure(kind: .library(35), text: "SSL: wrong version number"), "secureConnectionFailed"),
        ]

        @Test(
            "a proxy's refusal is the failure only if libcurl says its whole status as that of the response",
            arguments: [
                ("CONNECT tunnel failed, response 407", 407, true), ("response 4070", 407, false),
                ("Received HTTP code 407 from proxy after CONNECT", 407, true), ("code 4070 from proxy", 407, false),
                ("CONNECT tunnel failed, response 1407", 407, false), ("response -407", 407, false),
                ("CONNECT tunnel failed, response 502", 407, false), ("response 200", 200, false),
                ("Failed to connect to proxy port 407 after 0 ms: Couldn't connect", 407, false), ("", 407, false),
                ("407", 407, false), ("response", 407, false), ("CONNECT tunnel failed, response 0", 0, false),
            ]
        )
        func refusalOfProxy(text: String, status: Int, isRefusal: Bool) {
            #expect(CurlFailure(kind: .library(56), text: text, proxyStatus: status).isRefusalOfProxy == isRefusal)
        }

        @Test("the text and the circumstances refine the meaning of a code", arguments: refined)
        func moreThanThe(failure: CurlFailure, name: String) {
            #expect(ConnectionError(failure).name == name)
        }

        @Test(
            "a failure to connect is a proxy's if libcurl names another host than that of the URL",
            arguments: [
                ("http://127.0.0.1:2/a", "127.0.0.1 port 2", true),
                ("http://127.0.0.1:2/", "127.0.0.1 port 3128", false),
                ("http://example.com/", "EXAMPLE.com port 80", true),
                ("https://example.com/", "example.com port 443", true),
                ("https://example.com/", "proxy.example.com port 443", false), ("http://[::1]:8/", "::1 port 8", true),
                ("http://[fe80::1%25eth0]:8/", "fe80::1 port 8", true),
                ("http://example.com/", "example.com port 8080", false), ("", "example.com port 80", false),
            ]
        )
        func namedHost(url: String, host: String, isNamed: Bool) {
            let text = "Failed to connect to \(host) after 0 ms: Couldn't connect to server"
            #expect(ConnectionOptions.names(url, text) == isNamed)
        }

        @Test("text that looks like a URL is redacted", arguments: ["", "\u{301}"])
        func whatLooksLike(accent: String) {
            let text = "at https://\(accent)me:secret@host/?token=x now"
            let error = ConnectionError(CurlFailure(kind: .library(99), text: text))
            #expect(error.debugInfo == "at <redacted> now")
        }
    }
#endif
