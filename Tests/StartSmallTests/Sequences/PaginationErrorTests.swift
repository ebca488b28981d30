import Foundation
import StartSmall
import Testing

struct PaginationErrorTests {
    private typealias Failure = PaginationError<TransformError<Never>>

    // swift-format-ignore: NeverForceUnwrap
    private static let url = URL(string: "https://u:hunter2@a.example/list?page=2&token=hunter2")!
    private static let shown = "https://<redacted>@a.example/list?page=2&token=<redacted>"

    private static let reasons: [(Failure.Reason, String)] = [
        (.noResponse(.cancelled), "cancelled: the task was cancelled"),
        (.failed(.unexpectedStatusCode(Response(statusCode: .gone))), "unexpectedStatusCode: (410 Gone, 0 bytes)"),
        (.repeated(url), "the next page was already fetched: \(shown)"),
        (.otherOrigin(url), "the next page has another origin: \(shown)"),
        (.tooMany(limit: 3), "more than 3 pages"),
    ]

    @Test("page and reason are described on one line, without credentials, in every description", arguments: reasons)
    private func told(reason: Failure.Reason, text: String) {
        let failure = Failure(page: 2, reason: reason)
        var dumped = ""
        dump([failure], to: &dumped)
        dump(reason, to: &dumped)
        #expect("\(failure)" == "page 2: \(text)")
        #expect(String(reflecting: failure) == "page 2: \(text)")
        #expect(String(reflecting: reason) == text)
        #expect(dumped.contains(text) && !dumped.contains("hunter2"))
    }
}
