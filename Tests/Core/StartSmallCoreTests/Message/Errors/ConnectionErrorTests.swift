import Foundation
import StartSmall
import TestSupport
import Testing

private let response = Response(statusCode: .found, headers: ["Set-Cookie": "hunter2"], payload: Data([1]))
private let cause = ConnectionError.Cause(domain: "curl", code: 28, text: "too slow", partial: response)

/// Every case with its name.
private let cases: [(String, ConnectionError)] = [
    ("malformedURL", .malformedURL(debugInfo: "x")), ("malformedMethod", .malformedMethod(debugInfo: "x")),
    ("malformedHeader", .malformedHeader(debugInfo: "x")), ("malformedPayload", .malformedPayload(debugInfo: "x")),
    ("missingCredentials", .missingCredentials(debugInfo: "x")),
    ("engineUnavailable", .engineUnavailable(debugInfo: "x")), ("cancelled", .cancelled),
    ("timedOut", .timedOut(cause)), ("payloadTooLarge", .payloadTooLarge(response, limit: 7)),
    ("tooManyRedirects", .tooManyRedirects(response, limit: 7)), ("rejected", .rejected(response, reason: "x")),
    ("requestRefused", .requestRefused(reason: "x")), ("testRefusal", .refused(TestRefusal(), after: response)),
    ("notConnectedToInternet", .notConnectedToInternet(cause)), ("hostNotFound", .hostNotFound(cause)),
    ("connectionRefused", .connectionRefused(cause)), ("proxyFailed", .proxyFailed(cause)),
    ("secureConnectionFailed", .secureConnectionFailed(cause)),
    ("serverCertificateUntrusted", .serverCertificateUntrusted(cause)),
    ("clientCertificateRejected", .clientCertificateRejected(cause)), ("connectionLost", .connectionLost(cause)),
    ("malformedResponse", .malformedResponse(cause)), ("unreadablePayload", .unreadablePayload(cause)),
    ("noDataOrNoResponse", .noDataOrNoResponse(debugInfo: "x")), ("other", .other(cause)),
]

struct ConnectionErrorTests {
    @Test("every case has its name, and a debugInfo that is not empty", .parity("A3"), arguments: cases)
    func names(_ name: String, _ error: ConnectionError) {
        #expect(error.name == name)
        #expect(!error.debugInfo.isEmpty)
        #expect(error.description == "\(name): \(error.debugInfo)")
    }

    @Test("no mirror of an error shows a credential, and dump shows the description")
    func mirror() {
        let text = "token=hunter2"
        let errors: [ConnectionError] = [
            .rejected(response, reason: text), .malformedURL(debugInfo: text), .requestRefused(reason: text),
            .noDataOrNoResponse(debugInfo: text),
        ]
        for error in errors {
            var dumped = ""
            dump([Either<ConnectionError, Int>.left(error)], to: &dumped)
            #expect(!dumped.contains("hunter2") && dumped.contains(error.name), "\(dumped)")
        }
        var dumped = ""
        dump(TransformError<Never>.malformedData(response, debugInfo: text), to: &dumped)
        #expect(!dumped.contains("hunter2") && dumped.contains("malformedData"), "\(dumped)")
    }

    @Test("a description has the engine's domain, code and text, and the partial response", .parity("A11"))
    func nothingLost() {
        for (_, error) in cases {
            guard let cause = error.cause else { continue }
            for part in ["curl", "28", "too slow", "302 Found", "1 bytes"] { #expect(error.description.contains(part)) }
            #expect(cause.partial == response)
        }
        #expect(cases.count { $0.1.cause != nil } == 12)
        #expect(Set(cases.map(\.1)).count == cases.count)
        #expect(ConnectionError.payloadTooLarge(response, limit: 7).debugInfo.contains("302 Found"))
        #expect(ConnectionError.tooManyRedirects(response, limit: 7).debugInfo.contains("7"))
        #expect(ConnectionError.rejected(response, reason: "stale").description.contains("stale: 302 Found"))
    }

    @Test("no description contains a credential, and every description is one line", .parity("A3"), arguments: cases)
    func redaction(_: String, _ error: ConnectionError) {
        #expect(!error.description.contains("hunter2"))
        #expect(!error.description.contains { $0.isNewline })
    }

    @Test("the engine's text loses the credentials of URLs and stays on one line")
    func words() {
        let text = "no way to https://u:hunter2@h/?token=hunter2\nat all"
        var cause = ConnectionError.Cause(domain: "d", code: 1, text: "")
        // As a creator of an error may do, too.
        cause.text = text
        let hidden = #"no way to https://<redacted>@h/?token=<redacted>\nat all"#
        #expect(ConnectionError.Cause(domain: "d", code: 1, text: text).description == "\(hidden) (d 1)")
        #expect(ConnectionError.other(cause).description == "other: \(hidden) (d 1)")
        #expect(ConnectionError.malformedURL(debugInfo: text).description == "malformedURL: \(hidden)")
        #expect(ConnectionError.malformedURL(debugInfo: text).debugInfo == text)
    }
}
