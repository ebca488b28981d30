import Foundation
import StartSmall
import StartSmallTesting
import Testing

@Suite struct RecorderTests {
    @Test func aCopyIsTheSameRecorder() {
        let recorder = Recorder<Int>()
        let copy = recorder
        copy.append(1)
        #expect(recorder.elements == [1])
    }

    @Test func losesNothingThatManyAppendAtOnce() async {
        let recorder = Recorder<Int>()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<1_000 { group.addTask { recorder.append(number) } }
        }
        #expect(recorder.elements.sorted() == Array(0..<1_000))
    }
}

@Suite struct EventLogTests {
    private let stub = Connector.stub(.hasResponse(Response(statusCode: .ok)))
    // swift-format-ignore: NeverForceUnwrap
    private let input = Input(url: URL(string: "http://127.0.0.1/")!)

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
}

@Suite struct NoCallsTests {
    private let calls = Recorder<Input>()

    @Test func nothingIsListedWhereNothingWasCalled() { #expect(calls.summary == nil) }

    @Test func aCallGetsNoResponseAndIsListed() async {
        let connector = Connector.expectNoCalls(recording: calls)
        let inputs = [Sample.input("https://a/?token=secret-one"), Sample.input("https://b/", .head)]
        for input in inputs {
            let error = await WebAPI.call(with: input, via: connector).connectionError
            #expect(error?.name == "noDataOrNoResponse")
            #expect(error?.debugInfo.contains("secret") == false)
        }
        #expect(calls.summary == "GET https://a/?token=<redacted>\nHEAD https://b/")
    }
}
