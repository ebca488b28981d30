import Foundation
import StartSmallTesting
import Testing

@testable import StartSmall
@testable import StartSmallTool

struct TraceTests {
    @Test(
        "an event's text is on one line, without credentials",
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
        Trace.listener(console).observe(event, CallID(rawValue: 0))
        let text = errors.elements.map { String(decoding: $0, as: UTF8.self) }.joined()
        #expect(text.contains("a.example/"))
        #expect(text.split(separator: "\n").count == 1)
        #expect(!text.contains("hunter2"))
    }

    @Test("times have readable units")
    func times() {
        let errors = Recorder<Data>()
        let console = Console(write: { _ in }, writeError: { errors.append($0) })
        let listener = Trace.listener(console, clock: ManualClock())
        let timings = RequestTimings(connect: .microseconds(1_250), total: .milliseconds(12_345), httpVersion: "2")
        listener.observe(.timings(timings), CallID(rawValue: 0))
        let retrying = RetryAttempt(attempt: 2, delay: .milliseconds(300), after: .status(.serviceUnavailable))
        listener.observe(.retrying(retrying), CallID(rawValue: 0))
        #expect(
            errors.elements.map { String(decoding: $0, as: UTF8.self) } == [
                "      0.0 ms timings connect 1.2 ms, total 12.34 s, sent 0 bytes, received 0 bytes, HTTP/2\n",
                "      0.0 ms retrying attempt 2 in 300.0 ms, after 503 Service Unavailable, 0 bytes\n",
            ]
        )
    }

    @Test(
        "a duration is rounded down",
        arguments: [
            (.zero, "0.0 ms"), (.nanoseconds(99_999), "0.0 ms"), (.milliseconds(999.99), "999.9 ms"),
            (.seconds(1), "1.00 s"), (.milliseconds(59_999), "59.99 s"), (.seconds(123.4), "2 min 3 s"),
        ] as [(Duration, String)]
    )
    func duration(_ duration: Duration, _ text: String) {
        #expect(DurationText.text(duration) == text)
    }
}
