import StartSmall
import Testing

@testable import StartSmallTesting

@Suite(.timeLimit(.minutes(1))) struct LatchTests {
    @Test("a latch holds all tasks until it is opened, once or twice")
    func opening() async {
        let (latch, passed) = (Latch(), Recorder<String>())
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<1_000 {
                group.addTask {
                    await latch.wait()
                    passed.append("passed")
                }
            }
            for _ in 0..<100 { await Task.yield() }
            passed.append("opened")
            latch.open()
            latch.open()
        }
        await latch.wait()
        #expect(passed.elements == ["opened"] + Array(repeating: "passed", count: 1_000))
    }

    @Test("a cancelled task stops waiting, or does not begin to", arguments: [true, false])
    func cancelling(isWaiting: Bool) async {
        let latch = Latch()
        let task = Task {
            while !isWaiting, !Task.isCancelled { await Task.yield() }
            await latch.wait()
        }
        for _ in 0..<100 { await Task.yield() }
        task.cancel()
        await task.value
    }

    @Test("a task that is cancelled while its latch opens goes on once")
    func race() async {
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

    @Test("a thread is blocked until either of two latches is open", arguments: [0, 1], [true, false])
    func blocking(index: Int, isOpen: Bool) async {
        let latches = [Latch(), Latch()]
        if isOpen { latches[index].open() }
        async let blocked = onThread {
            Latch.block(untilOneOpens: latches[0], latches[1])
            return true
        }
        for _ in 0..<100 { await Task.yield() }
        latches[index].open()
        #expect(await blocked)
    }
}
