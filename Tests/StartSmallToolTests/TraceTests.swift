import Foundation
import StartSmallTesting
import Testing

@testable import StartSmall
@testable import StartSmallTool

struct TraceTests {
    @Test(
        "what a text tells is on one line, without credentials",
        arguments: [
            .malformed(Response(statusCode: .ok), debugInfo: "at\nhttp://u:hunter2@a.example/"),
            .invalid(Response(statusCode: .ok), reason: "at\nhttp://a.example/?token=hunter2"),
            .custom(name: "cached", detail: "at\nhttp://a.example/?token=hunter2"),
            .custom(name: "at\nhttp://a.example/?token=hunter2", detail: ""),
            .noResponse(.noDataOrNoResponse(debugInfo: "at\nhttp://a.example/?token=hunter2")),
        ] as [Event]
    )
    func texts(_ event: Event) {
        let errors = Recorder<Data>()
        let console = Console(write: { _ in }, writeError: { errors.append($0) })
        Trace.listener(console).hear(event, CallID(rawValue: 0))
        let text = errors.elements.map { String(decoding: $0, as: UTF8.self) }.joined()
        #expect(text.contains("a.example/"))
        #expect(text.split(separator: "\n").count == 1)
        #expect(!text.contains("hunter2"))
    }
}
