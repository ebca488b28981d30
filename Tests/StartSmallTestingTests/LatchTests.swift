import StartSmall
import Testing

@testable import StartSmallTesting

@Suite(.timeLimit(.minutes(1))) struct LatchTests {
    @Test func anOpenGateHoldsNobody() async {
        let gate = Latch()
        gate.open()
        await gate.wait()
    }

    @Test func holdsUntilItIsOpened() async {
        let (gate, passed) = (Latch(), Recorder<String>())
        async let waiting: Void = {
            await gate.wait()
            passed.append("passed")
        }()
        for _ in 0..<100 { await Task.yield() }
        passed.append("opened")
        gate.open()
        await waiting
        #expect(passed.elements == ["opened", "passed"])
    }

    @Test func openingTwiceChangesNothing() async {
        let gate = Latch()
        gate.open()
        gate.open()
        await gate.wait()
    }

    @Test func letsAllGoOnAtOnce() async {
        let gate = Latch()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<1_000 { group.addTask { await gate.wait() } }
            group.addTask { gate.open() }
        }
    }

    @Test func cancellingEndsTheWaiting() async {
        let gate = Latch()
        let task = Task { await gate.wait() }
        for _ in 0..<100 { await Task.yield() }
        task.cancel()
        await task.value
    }

    @Test func aCancelledTaskDoesNotWait() async {
        let gate = Latch()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            await gate.wait()
        }
        task.cancel()
        await task.value
    }

    @Test func openingAndCancellingAtOnceGoOnOnce() async {
        // A continuation that goes on twice ends the process.
        for _ in 0..<1_000 {
            let gate = Latch()
            let task = Task { await gate.wait() }
            await withTaskGroup(of: Void.self) { group in
                group.addTask { gate.open() }
                group.addTask { task.cancel() }
            }
            await task.value
        }
    }

    @Test(arguments: [0, 1])
    func aThreadIsBlockedUntilEitherOpens(index: Int) async {
        let gates = [Latch(), Latch()]
        async let blocked = onThread {
            Latch.block(untilOneOpens: gates[0], gates[1])
            return true
        }
        for _ in 0..<100 { await Task.yield() }
        gates[index].open()
        #expect(await blocked)
    }

    @Test func aThreadIsNotBlockedIfOneIsOpen() async {
        let open = Latch()
        open.open()
        #expect(await onThread { Latch.block(untilOneOpens: Latch(), open) } == ())
    }
}
