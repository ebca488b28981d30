import StartSmall
import StartSmallTesting
import Testing
import ParityTrait

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
