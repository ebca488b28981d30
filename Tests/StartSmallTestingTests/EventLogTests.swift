import Foundation
import StartSmall
import StartSmallTesting
import Testing

@Suite struct EventLogTests {
    private let stub = Connector.stub(.hasResponse(Response(statusCode: .ok)))
    // swift-format-ignore: NeverForceUnwrap
    private let input = Input(url: URL(string: "http://127.0.0.1/")!)

    @Test func isEmptyAtFirst() {
        let log = EventLog()
        #expect(log.events.isEmpty)
        #expect(log.calls.isEmpty)
    }

    @Test func recordsTheEventsOfACallInOrder() async {
        let log = EventLog()
        _ = await WebAPI.call(with: input, via: stub.wrapped(by: .listen(to: log.listener)))
        #expect(log.names == ["started", "received", "succeeded", "ended"])
        #expect(log.events == [.started(input), .received(Response(statusCode: .ok)), .succeeded, .ended])
    }

    @Test func tellsTheCallsApart() async {
        let log = EventLog()
        let connector = stub.wrapped(by: .listen(to: log.listener))
        let other = Input(url: URL(string: "http://127.0.0.1/2")!)
        _ = await WebAPI.call(with: input, via: connector)
        _ = await WebAPI.call(with: other, via: connector)
        #expect(log.calls.count == 2)
        #expect(log.calls.map { log.events(of: $0).first } == [.started(input), .started(other)])
        #expect(log.calls.map { log.events(of: $0).count } == [4, 4])
    }

    @Test func hasNoEventsOfACallThatItDidNotObserve() {
        #expect(EventLog().events(of: CallID(rawValue: 1)).isEmpty)
    }
}
