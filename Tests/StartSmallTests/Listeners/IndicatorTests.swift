import StartSmall
import StartSmallTesting
import Synchronization
import TestSupport
import Testing

struct IndicatorTests {
    private let shown = Recorder<Bool>()

    private var connector: Connector {
        .stub(.hasResponse(Fixture.ok)).wrapped(by: .listen(to: .indicator { [shown] in shown.append($0) }))
    }

    @Test("one call shows the indicator, and hides it when the call ends", .parity("B15"))
    func one() async {
        _ = await WebAPI.call(with: Fixture.input, via: connector)
        #expect(shown.elements == [true, false])
    }

    @Test("the indicator stays until the body of a stream has ended, also if nobody reads it", .parity("B15"))
    func stream() async {
        let server = Connector { _ in .open(Response(statusCode: .ok), ["a".utf8], silent: true) }
        let connector = server.wrapped(by: .listen(to: .indicator { [shown] in shown.append($0) }))
        let input = Fixture.input.with { $0.delivery = .stream }
        let output = await WebAPI.call(with: input, via: connector)
        #expect(shown.elements == [true])
        output.discard()
        #expect(shown.elements == [true, false])
        _ = await WebAPI.call(with: input, via: connector)
        #expect(shown.elements == [true, false, true, false])
    }

    @Test("the indicator stays while any of several calls runs, through any connector", .parity("B15"))
    func several() async {
        let listener = Listener.indicator { [shown] in shown.append($0) }
        let (first, second) = (Latch(), Latch())
        let (firstRuns, secondRuns) = (Latch(), Latch())
        func waiting(for latch: Latch, opening runs: Latch) -> Connector {
            Connector { _ in
                runs.open()
                await latch.wait()
                return .hasResponse(Fixture.ok)
            }.wrapped(by: .listen(to: listener))
        }
        let one = WebAPI.call(with: Fixture.input, via: waiting(for: first, opening: firstRuns)) { _ in }
        let other = WebAPI.call(with: Fixture.input, via: waiting(for: second, opening: secondRuns)) { _ in }
        await firstRuns.wait()
        await secondRuns.wait()
        first.open()
        await one.value
        #expect(shown.elements == [true])
        second.open()
        await other.value
        #expect(shown.elements == [true, false])
    }

    @Test("a waiting call that is cancelled hides the indicator", .parity("B15"))
    func cancelled() async {
        let runs = Latch()
        let listener = Listener.indicator { [shown] in shown.append($0) }
        let silent = Connector.silent(begun: runs)
        let task = WebAPI.call(with: Fixture.input, via: silent.wrapped(by: .listen(to: listener))) { _ in }
        await runs.wait()
        task.cancel()
        await task.value
        #expect(shown.elements == [true, false])
    }

    @Test("with many concurrent calls, true and false alternate, one at a time, and false is the last", .parity("B15"))
    func storm() async {
        let isShowing = Atomic(false)
        let overlaps = Atomic(0)
        let recorder = shown
        let listener = Listener.indicator { isVisible in
            if isShowing.exchange(true, ordering: .acquiringAndReleasing) { overlaps.add(1, ordering: .relaxed) }
            recorder.append(isVisible)
            isShowing.store(false, ordering: .releasing)
        }
        let connector = Connector.stub(.hasResponse(Fixture.ok)).wrapped(by: .listen(to: listener))
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { @concurrent in
                    for _ in 0..<200 { _ = await WebAPI.call(with: Fixture.input, via: connector) }
                }
            }
        }
        let elements = shown.elements
        #expect(overlaps.load(ordering: .relaxed) == 0)
        #expect(elements.count >= 2 && elements.count % 2 == 0)
        #expect(elements.enumerated().allSatisfy { $0.element == ($0.offset % 2 == 0) })
    }
}
