import StartSmallTesting
import Synchronization
import TestSupport
import Testing

@testable import StartSmall
@testable import StartSmallCore

struct MainActorSerializedTests {
    @Test("values reach the main actor in the order in which they were given")
    func order() async {
        let received = Recorder<Int>()
        let last = Latch()
        let report = MainActor.serialized { (value: Int) in
            MainActor.assertIsolated()
            received.append(value)
            if value == 999 { last.open() }
        }
        for value in 0..<1000 { report(value) }
        await last.wait()
        #expect(received.elements == Array(0..<1000))
    }

    @Test("an indicator on the main actor alternates as well", .parity("B15"))
    func indicator() async {
        let shown = Recorder<Bool>()
        let hidden = Latch()
        let listener = Listener.indicator(
            MainActor.serialized { isVisible in
                MainActor.assertIsolated()
                shown.append(isVisible)
                if shown.elements.count == 20 { hidden.open() }
            }
        )
        let stub = Connector.stub(.hasResponse(Fixture.ok)).wrapped(by: .listen(to: listener))
        for _ in 0..<10 { _ = await WebAPI.call(with: Fixture.input, via: stub) }
        await hidden.wait()
        #expect(shown.elements == (0..<20).map { $0 % 2 == 0 })
    }

    @Test("events reach the main actor with the IDs of their calls, in order")
    func events() async {
        let (received, last) = (EventLog(), Latch())
        let reported = EventLog()
        let listener = Listener(
            MainActor.serialized { (event: Event, call: CallID) in
                MainActor.assertIsolated()
                received.listener.observe(event, call)
                if event == .ended { last.open() }
            }
        )
        let stub = Connector.stub(.hasResponse(Fixture.ok))
            .wrapped(by: .listen(to: listener), .listen(to: reported.listener))
        _ = await Fixture.endpoint.fetch(via: stub)
        await last.wait()
        #expect(received.events == reported.events && received.calls == reported.calls)
        #expect(received.names == ["started", "received", "transformed", "succeeded", "ended"])
    }

    @MainActor
    @Test("serialized does not wait for the main actor, even on it")
    func later() async {
        let received = Recorder<Int>()
        let done = Latch()
        let report = MainActor.serialized { (value: Int) in
            received.append(value)
            done.open()
        }
        report(1)
        #expect(received.elements.isEmpty)
        await done.wait()
        #expect(received.elements == [1])
    }
}

struct SerialQueueTests {
    @Test("an element that is added during a delivery is delivered by the same caller")
    func meanwhile() {
        let queue = SerialQueue<Int>()
        var taken: [Int] = []
        var wasFirst: [Bool] = [queue.add(0)]
        queue.deliver { element in
            taken.append(element)
            if element < 3 { wasFirst.append(queue.add(element + 1)) }
        }
        #expect(taken == [0, 1, 2, 3])
        #expect(wasFirst == [true, false, false, false])
    }

    @Test("with many threads, no element is lost, no two are delivered at once, and those of a thread keep their order")
    func concurrent() async {
        let queue = SerialQueue<(sender: Int, number: Int)>()
        let (taken, overlaps) = (Recorder<(sender: Int, number: Int)>(), Recorder<Int>())
        let isBusy = Mutex(())
        let take: @Sendable ((sender: Int, number: Int)) -> Void = { element in
            if isBusy.withLockIfAvailable({ _ in taken.append(element) }) == nil { overlaps.append(element.number) }
        }
        await withTaskGroup { group in
            for sender in 0..<8 {
                group.addTask { @concurrent in
                    for number in 0..<200 where queue.add((sender, number)) { queue.deliver(to: take) }
                }
            }
        }
        #expect(overlaps.elements.isEmpty)
        for sender in 0..<8 {
            #expect(taken.elements.filter { $0.sender == sender }.map(\.number) == Array(0..<200))
        }
    }
}
