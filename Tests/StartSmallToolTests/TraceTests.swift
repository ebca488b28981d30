import Foundation
import StartSmall
import StartSmallTesting
import Testing

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
    func texts(_ event: Event) async {
        let errors = Recorder<Data>()
        let console = Console(write: { _ in }, writeError: { errors.append($0) }, isTerminal: false)
        let told = Connector { _, report in
            report(event)
            return .status(.ok)
        }
        let input = Input(url: URL(string: "http://a.example/")!)
        _ = await WebAPI.call(with: input, via: told.wrapped(by: .listen(to: Trace.listener(console))))
        let text = errors.elements.map { String(decoding: $0, as: UTF8.self) }.joined()
        #expect(text.contains("a.example/"))
        #expect(text.split(separator: "\n").count == 5)
        #expect(!text.contains("hunter2"))
    }
}
