import Foundation
import OpenCombine
import StartSmall
import StartSmallOpenCombine
import StartSmallTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct PublisherTests {
    private typealias Failed = CallError<TransformError<Never>>

    private let zen = Endpoint.text(.get("https://api.example.com/zen"))
    private let answer = Output.text("Design for failure.")
    private let sent = Recorder<Input>()
    private let got = Recorder<String>()
    private let log = EventLog()

    /// Opens when the call has ended and all other listeners have received that, since the innermost listener is first.
    private let ended = Latch()

    private func app(_ stub: Connector) -> Connector {
        let end = Listener { [ended] event, _ in if event == .ended { ended.open() } }
        return stub.wrapped(by: .listen(to: end), .listen(to: log.listener))
    }

    private func subscribe(_ publisher: some Publisher<String, Failed>) -> AnyCancellable {
        publisher.sink(
            receiveCompletion: { [got] completion in
                switch completion {
                case .finished: got.append("finished")
                case .failure(let failure): got.append("failed: \(failure.left?.name ?? "no value")")
                }
            },
            receiveValue: { [got] in got.append($0) }
        )
    }

    @Test(
        "the publisher sends the failure and nothing else",
        .parity("C6"),
        arguments: [
            (Output.noResponse(.noDataOrNoResponse(debugInfo: "the line is dead")), "failed: noDataOrNoResponse"),
            (.status(.notFound), "failed: no value"),
        ]
    )
    func failure(output: Output, expected: String) async {
        let subscription = subscribe(zen.publisher(via: app(.stub(output))))
        await ended.wait()
        #expect(got.elements == [expected])
        withExtendedLifetime(subscription) {}
    }

    @Test("a call begins only with a subscriber, once for each", .parity("C6"))
    func cold() async {
        let second = Latch()
        let count = Recorder<Void>()
        let end = Listener { event, _ in
            guard event == .ended else { return }
            count.append(())
            if count.elements.count == 2 { second.open() }
        }
        let publisher = zen.publisher(via: Connector.stub(answer, recording: sent).wrapped(by: .listen(to: end)))
        #expect(sent.elements.isEmpty)
        let subscriptions = [subscribe(publisher), subscribe(publisher)]
        await second.wait()
        #expect(sent.elements.count == 2)
        #expect(got.elements.count { $0 == "Design for failure." } == 2)
        withExtendedLifetime(subscriptions) {}
    }

    private var zenTwice: CompositeCall<TransformError<Never>, String> { zen.zip(zen).map { "\($0) \($1)" } }

    @Test("a composite call sends one value and then finishes", .parity("C6"))
    func calls() async {
        let finished = Latch()
        let connector = Connector.stub(answer, recording: sent)
        let subscription = zenTwice.publisher(via: connector).sink(
            receiveCompletion: { [got] _ in
                got.append("finished")
                finished.open()
            },
            receiveValue: { [got] in got.append($0) }
        )
        await finished.wait()
        #expect(got.elements == ["Design for failure. Design for failure.", "finished"])
        #expect(sent.elements.count == 2)
        withExtendedLifetime(subscription) {}
    }

    @Test("the subscriber receives its value between transformed and succeeded", .parity("C6"))
    func order() async {
        let steps = Recorder<String>()
        let listener = Listener { event, _ in steps.append(event.name) }
        let connector = app(Connector.stub(answer).wrapped(by: .listen(to: listener)))
        let subscription = zen.publisher(via: connector).sink(
            receiveCompletion: { _ in steps.append("completion") },
            receiveValue: { _ in steps.append("value") }
        )
        await ended.wait()
        #expect(
            steps.elements == ["started", "received", "transformed", "value", "completion", "succeeded", "ended"]
        )
        withExtendedLifetime(subscription) {}
    }

    @Test("a cancelled subscription cancels its call, and receives nothing more", .parity("C6"))
    func cancelled() async {
        let called = Latch()
        let silent = Connector { _ in
            called.open()
            await Latch().wait()
            return .noResponse(.cancelled)
        }
        let subscription = subscribe(zen.publisher(via: app(silent)))
        await called.wait()
        subscription.cancel()
        await ended.wait()
        #expect(log.names == ["started", "cancelled", "failed", "ended"])
        #expect(got.elements.isEmpty)
    }

    @Test("a subscriber that leaves after its value does not cancel the call", .parity("C6"))
    func leaving() async {
        let subscriber = ByHand(leavesAtOnce: true, got: got)
        zen.publisher(via: app(.stub(answer))).subscribe(subscriber)
        subscriber.subscription?.request(.max(1))
        await ended.wait()
        #expect(log.names == ["started", "received", "transformed", "succeeded", "ended"])
        #expect(got.elements.first == "Design for failure.")
    }

    @Test("no call begins before a value is requested", .parity("C6"))
    func demand() async {
        let subscriber = ByHand(got: got)
        zen.publisher(via: app(.stub(answer, recording: sent))).subscribe(subscriber)
        #expect(log.names.isEmpty)
        subscriber.subscription?.request(.max(1))
        await ended.wait()
        subscriber.subscription?.request(.unlimited)
        #expect(got.elements == ["Design for failure.", "finished"])
        #expect(sent.elements.count == 1)
    }

    @Test("a subscription that is cancelled before a request for a value never calls", .parity("C6"))
    func cancelledEarly() {
        let subscriber = ByHand(got: got)
        zen.publisher(via: app(.stub(answer, recording: sent))).subscribe(subscriber)
        let subscription = subscriber.subscription
        subscription?.cancel()
        subscription?.request(.unlimited)
        #expect(log.names.isEmpty && sent.elements.isEmpty && got.elements.isEmpty)
    }
}

/// A subscriber that requests nothing by itself, and may leave when it has a value.
private final class ByHand: Subscriber {
    typealias Input = String
    typealias Failure = CallError<TransformError<Never>>

    var subscription: (any Subscription)?
    private let leavesAtOnce: Bool
    private let got: Recorder<String>

    init(leavesAtOnce: Bool = false, got: Recorder<String>) {
        self.leavesAtOnce = leavesAtOnce
        self.got = got
    }

    func receive(subscription: any Subscription) { self.subscription = subscription }

    func receive(_ input: String) -> Subscribers.Demand {
        got.append(input)
        if leavesAtOnce { subscription?.cancel() }
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) { got.append("finished") }
}
