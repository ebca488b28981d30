import Foundation
import StartSmall
import StartSmallTesting
import Testing

@Suite struct RecorderTests {
    @Test("a recorder loses nothing that many tasks append at the same time")
    func concurrent() async {
        let recorder = Recorder<Int>()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<1_000 { group.addTask { recorder.append(number) } }
        }
        #expect(recorder.elements.sorted() == Array(0..<1_000))
    }

    @Test("a log has the events of each call in order")
    func events() async {
        let log = EventLog()
        let connector = Connector.stub(.status(.ok)).wrapped(by: .listen(to: log.listener))
        let inputs = ["https://a/", "https://a/2"].map { Sample.input($0) }
        for input in inputs { _ = await WebAPI.call(with: input, via: connector) }
        let names = ["started", "received", "succeeded", "ended"]
        #expect(log.names == names + names)
        for (call, input) in zip(log.calls, inputs) {
            let expected: [Event] = [.started(input), .received(Response(statusCode: .ok)), .succeeded, .ended]
            #expect(log.events(of: call) == expected)
        }
        #expect(log.calls.count == 2)
    }
}
