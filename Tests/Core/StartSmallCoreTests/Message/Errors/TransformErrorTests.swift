import Foundation
import StartSmall
import TestSupport
import Testing

private let response = Response(statusCode: .forbidden, headers: ["Set-Cookie": "hunter2"], payload: Data([1]))

private let errors: [(TransformError<String>, String)] = [
    (.problem("rate\nlimit", response), #"problem: rate\nlimit (403 Forbidden [1 more], 1 bytes)"#),
    (.unexpectedStatusCode(response), "unexpectedStatusCode: (403 Forbidden [1 more], 1 bytes)"),
    (
        .malformedData(response, debugInfo: "x\ny"),
        #"malformedData: x\ny (403 Forbidden [1 more], 1 bytes)"#
    ),
    (.invalid(response, reason: "old"), "invalid: old (403 Forbidden [1 more], 1 bytes)"),
]

struct TransformErrorTests {
    @Test("every case keeps the whole response, and is described on one line", .parity("A11"), arguments: errors)
    func responses(_ error: TransformError<String>, _ description: String) {
        #expect(error.response == response)
        #expect(error.description == description)
    }

    @Test("no description shows a credential, whatever the origin of its text", .parity("A11"))
    func credentials() {
        let text = "see https://me:hunter2@a.example/?token=hunter2"
        let hidden = "see https://<redacted>@a.example/?token=<redacted>"
        let described: [(TransformError<String>, String)] = [
            (.problem(text, response), "problem: \(hidden) ("),
            (.malformedData(response, debugInfo: text), "malformedData: \(hidden) ("),
            (.invalid(response, reason: text), "invalid: \(hidden) ("),
        ]
        for (error, beginning) in described {
            #expect(error.description.hasPrefix(beginning))
            #expect(!"\(error) \(Either<ConnectionError, TransformError<String>>.right(error))".contains("hunter2"))
        }
    }
}
