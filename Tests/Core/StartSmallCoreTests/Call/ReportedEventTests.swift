import Foundation
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

struct ReportedEventTests {
    private struct Other: ReportedEvent {
        let name: String
    }

    private struct Secret: ReportedEvent, CustomStringConvertible {
        let name = "secret"
        var description: String { "https://user:hunter2@h/?access_token=hunter2\nsecond line" }
    }

    @Test("reported events are equal if their types and values are, whatever their names")
    func equality() {
        let event = Event.reported(TestEvent("hit"))
        #expect(event == .reported(TestEvent("hit")) && event.name == "hit")
        #expect(event != .reported(TestEvent("miss")) && event != .reported(Other(name: "hit")))
        #expect(Event.reported(TestEvent("ended")) != .ended)
    }

    @Test("a listener gets a value by its type, and none of another type or another event")
    func value() {
        let event = Event.reported(TestEvent("hit"))
        #expect(event.reported(TestEvent.self) == TestEvent("hit") && event.reported(Other.self) == nil)
        #expect(Event.ended.reported(TestEvent.self) == nil)
        for name in ["noResponse", "cancelled"] { #expect(!Event.reported(TestEvent(name)).isFailure) }
    }

    @Test("the description of a reported event is its name and its value, on one line, without credentials")
    func description() {
        #expect("\(Reported(Waiting(behind: 2)))" == "waiting: Waiting(behind: 2)")
        var dumped = ""
        dump(Event.reported(Secret()), to: &dumped)
        for text in ["\(Event.reported(Secret()))", "\(Reported(Secret()))", dumped] {
            #expect(text.contains("secret: ") && text.contains("second line"))
            #expect(!text.contains("hunter2"))
        }
        #expect(!"\(Reported(Secret()))".contains("\n"))
    }

    private struct Waiting: ReportedEvent {
        let behind: Int
        var name: String { "waiting" }
    }

    @Test("without a listener, no value is created, by a wrapper or by a connector", arguments: [true, false])
    func laziness(hasListener: Bool) async {
        let (made, log) = (Recorder<String>(), EventLog())
        @Sendable func event(_ name: String) -> TestEvent {
            made.append(name)
            return TestEvent(name)
        }
        let wrapper = Wrapper { input, next in
            next.report(event("wrapper"))
            return await next(input)
        }
        let connector = Connector { _, context in
            context.report(event("connector"))
            return .text("a")
        }.wrapped(by: wrapper)
        let names = hasListener ? ["wrapper", "connector"] : []
        _ = await WebAPI.call(
            with: Fixture.input,
            via: hasListener ? connector.wrapped(by: .listen(to: log.listener)) : connector
        )
        #expect(made.elements == names)
        #expect(log.events.compactMap { $0.reported(TestEvent.self)?.name } == names)
    }
}
