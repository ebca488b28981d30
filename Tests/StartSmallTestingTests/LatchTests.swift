import StartSmall
import Testing

@testable import StartSmallTesting

@Suite(.timeLimit(.minutes(1))) struct LatchTests {
    @Test func holdsUntilItIsOpened() async {
        let (latch, passed) = (Latch(), Recorder<String>())
        async let waiting: Void = {
            await latch.wait()
            passed.append("passed")
        }()
        for _ in 0..<100 { await Task.yield() }
        passed.append("opened")
        latch.open()
        await waiting
        #expect(passed.elements == ["opened", "passed"])
    }

    @Test func openingTwiceChangesNothing() async {
        let latch = Latch()
        latch.open()
        latch.open()
        await latch.wait()
    }

    @Test func letsAllGoOnAtOnce() async {
        let latch = Latch()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<1_000 { group.addTask { await latch.wait() } }
            group.addTask { latch.open() }
        }
    }

    @Test func cancellingEndsTheWaiting() async {
        let latch = Latch()
        let task = Task { await latch.wait() }
        for _ in 0..<100 { await Task.yield() }
        task.cancel()
        await task.value
    }

    @Test func aCancelledTaskDoesNotWait() async {
        let latch = Latch()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            await latch.wait()
        }
        task.cancel()
        await task.value
    }

    @Test func openingAndCancellingAtOnceGoOnOnce() async {
        // Resuming a continuation twice ends the process.
        for _ in 0..<1_000 {
            let latch = Latch()
            let task = Task { await latch.wait() }
            await withTaskGroup(of: Void.self) { group in
                group.addTask { latch.open() }
                group.addTask { task.cancel() }
            }
            await task.value
        }
    }

    @Test(arguments: [0, 1])
    func aThreadIsBlockedUntilEitherOpens(index: Int) async {
        let latches = [Latch(), Latch()]
        async let blocked = onThread {
            Latch.block(untilOneOpens: latches[0], latches[1])
            return true
        }
        for _ in 0..<100 { await Task.yield() }
        latches[index].open()
        #expect(await blocked)
    }

    @Test func aThreadIsNotBlockedIfOneIsOpen() async {
        let open = Latch()
        open.open()
        #expect(await onThread { Latch.block(untilOneOpens: Latch(), open) } == ())
    }
}
