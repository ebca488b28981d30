import Dispatch
import StartSmall
import StartSmallTesting
import Testing
import ParityTrait

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

    @Test("without a queue, the block is called on no queue", .parity("B25"))
    func onNone() async {
        await WebAPI.call(with: Fixture.input, via: stub) { [got] _ in got.append("\(Self.isOnQueue)") }.value
        #expect(got.elements == ["false"])
    }

    @MainActor
    @Test("the main queue is the main actor's queue", .parity("B25"))
    func main() async {
        await Fixture.endpoint.fetch(via: stub, on: .main) { [got] _ in
            MainActor.assumeIsolated { got.append("main") }
        }.value
        #expect(got.elements == ["main"])
    }

    @Test("a block on a queue also runs between transformed and succeeded", .parity("B11"))
    func order() async {
        let listener = Listener { [got] event, _ in got.append(event.name) }
        let connector = stub.wrapped(by: .listen(to: listener))
        await Fixture.endpoint.fetch(via: connector, on: queue) { [got] _ in got.append("block") }.value
        #expect(got.elements == ["started", "received", "transformed", "block", "succeeded", "ended"])
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

    @Test("a cancelled call calls the block on the queue, once", .parity("B25"))
    func cancelled() async {
        let waiting = Latch()
        let silent = Connector.silent(begun: waiting)
        let task = WebAPI.call(with: Fixture.input, via: silent, on: queue) { [got] output in
            got.append("\(Self.isOnQueue) \(output.connectionError?.name ?? "")")
        }
        await waiting.wait()
        task.cancel()
        await task.value
        #expect(got.elements == ["true cancelled"])
    }
}
