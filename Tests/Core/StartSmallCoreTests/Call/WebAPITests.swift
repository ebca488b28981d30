import Dispatch
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

struct WebAPITests {
    private let sent = Recorder<Input>()

    private var stub: Connector {
        .stub(.hasResponse(Fixture.ok), recording: sent)
    }

    @Test("async: from an input to an output", .parity("A7"))
    func asynchronous() async {
        #expect(await WebAPI.call(with: Fixture.input, via: stub) == .hasResponse(Fixture.ok))
        #expect(sent.elements == [Fixture.input])
    }

    @Test("callback: the block gets the output once", .parity("A7"))
    func callback() async {
        let got = Recorder<Output>()
        await WebAPI.call(with: Fixture.input, via: stub) { got.append($0) }.value
        #expect(got.elements == [.hasResponse(Fixture.ok)])
    }

    @Test("cancelling the task ends a waiting call", .parity("B6"))
    func cancelled() async {
        let got = Recorder<Output>()
        let waiting = Latch()
        let connector = Connector.silent(begun: waiting)
        let task = WebAPI.call(with: Fixture.input, via: connector) { got.append($0) }
        await waiting.wait()
        task.cancel()
        await task.value
        #expect(got.elements == [.noResponse(.cancelled)])
    }
}

struct CallbackQueueTests {
    private static let key = DispatchSpecificKey<Bool>()
    private let queue = DispatchQueue(label: "callbacks")
    private let got = Recorder<String>()
    private let stub = Connector.stub(.hasResponse(Fixture.ok))

    init() {
        queue.setSpecific(key: Self.key, value: true)
    }

    private static var isOnQueue: Bool { DispatchQueue.getSpecific(key: key) ?? false }

    @Test("the block is called on the queue", .parity("B25"))
    func onQueue() async {
        await WebAPI.call(with: Fixture.input, via: stub, on: queue) { [got] _ in got.append("\(Self.isOnQueue)") }
            .value
        await Fixture.endpoint.fetch(via: stub, on: queue) { [got] _ in got.append("\(Self.isOnQueue)") }.value
        #expect(got.elements == ["true", "true"])
    }

    @MainActor
    @Test("the main queue is the main actor's queue", .parity("B25"))
    func main() async {
        await Fixture.endpoint.fetch(via: stub, on: .main) { [got] _ in
            MainActor.assumeIsolated { got.append("main") }
        }.value
        #expect(got.elements == ["main"])
    }

    /// Calls the block of any `Fetchable`, which does not know that it is an endpoint.
    private func fetch(_ call: some Fetchable, via connector: Connector) async {
        await call.fetch(via: connector) { [got] _ in got.append("block") }.value
        await call.fetch(via: connector, on: queue) { [got] _ in got.append("block") }.value
    }

    @Test("a block also runs between transformed and succeeded in generic code", .parity("B11"))
    func orderOfFetchable() async {
        let listener = Listener { [got] event, _ in got.append(event.name) }
        await fetch(Fixture.endpoint, via: stub.wrapped(by: .listen(to: listener)))
        let events = ["started", "received", "transformed", "block", "succeeded", "ended"]
        #expect(got.elements == events + events)
    }
}
