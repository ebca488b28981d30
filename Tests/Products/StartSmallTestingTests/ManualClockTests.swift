import StartSmallTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct ManualClockTests {
    private let clock = ManualClock()

    @Test("a manual clock moves only when it is advanced, and never back")
    func standsStill() {
        #expect(clock.now.offset == .zero)
        clock.advance(by: .seconds(3))
        clock.advance(by: .seconds(-2))
        #expect(clock.now.offset == .seconds(3))
    }

    @Test("a sleep until a past deadline returns at once", arguments: [-1, 0])
    func past(_ seconds: Int) async throws {
        try await clock.sleep(for: .seconds(seconds))
        #expect(clock.sleeperCount == 0)
    }

    @Test("a sleeper wakes at its deadline, and not before")
    func order() async throws {
        let woke = Recorder<Int>()
        var tasks: [Task<Void, any Error>] = []
        let start = clock.now
        for (number, seconds) in [3, 1, 2, 1, 3, 2].enumerated() {
            tasks.append(
                Task {
                    try await clock.sleep(until: start.advanced(by: .seconds(seconds)))
                    woke.append(number)
                }
            )
            await clock.waitForSleepers(count: number + 1)
        }
        #expect(clock.remaining == [1, 1, 2, 2, 3, 3].map { .seconds($0) })
        for due in [[1, 3], [2, 5], [0, 4]] {
            clock.advance(by: .seconds(1))
            for number in due { try await tasks[number].value }
            #expect(woke.elements.suffix(2).sorted() == due)
        }
        #expect(woke.elements.count == 6)
    }

    // Waiting for sleepers.

    @Test("a wait for more sleepers than there are fails after its limit, says how long the others sleep, and cancels")
    func wrongCount() async {
        let (real, printed) = (ManualClock(), Recorder<String>())
        let waiting = Task {
            async let other = (try? await clock.sleep(for: .seconds(10))) != nil
            let isReached = await clock.waitForSleepers(count: 2, clock: real, fileID: "A/B.swift", line: 7) {
                printed.append($0)
            }
            // The cancellation of the task ends its children, so that the test does not wait for them.
            return (isReached, Task.isCancelled, await other)
        }
        await clock.waitForSleepers(count: 1)
        await real.waitForSleepers(count: 1)
        #expect(real.remaining == [.seconds(20)])
        real.advance(by: .seconds(20))
        let (isReached, isCancelled, isAwake) = await waiting.value
        #expect(!isReached && isCancelled && !isAwake)
        let text = "A/B.swift:7: waitForSleepers(count: 2): only 1 sleep after 20.0 seconds, for 10.0 seconds"
        #expect(printed.elements == [text])
    }

    @Test("a wait that reaches its number of sleepers, or is cancelled, prints nothing", arguments: [true, false])
    func rightCount(isReached: Bool) async {
        let (real, printed) = (ManualClock(), Recorder<String>())
        let waiting = Task { await clock.waitForSleepers(count: 1, clock: real) { printed.append($0) } }
        await real.waitForSleepers(count: 1)
        let sleeping = isReached ? Task { try? await clock.sleep(for: .seconds(1)) } : nil
        if !isReached { waiting.cancel() }
        #expect(await waiting.value == isReached)
        #expect(real.sleeperCount == 0 && printed.elements.isEmpty)
        sleeping?.cancel()
    }

    @Test("a cancelled sleeper wakes at once with CancellationError and is removed")
    func cancelling() async {
        let others = Task { try await clock.sleep(for: .seconds(5)) }
        let task = Task { try await clock.sleep(for: .seconds(10)) }
        await clock.waitForSleepers(count: 2)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.remaining == [.seconds(5)])
        clock.advance(by: .seconds(20))
        await #expect(throws: Never.self) { try await others.value }
    }

    @Test("a task that is already cancelled does not sleep, not even for zero seconds")
    func cancelledBefore() async {
        for seconds in [0, 10] {
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                try await clock.sleep(for: .seconds(seconds))
            }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        #expect(clock.sleeperCount == 0)
    }

    @Test("simultaneous waking and cancelling wake a sleeper once")
    func race() async {
        // Resuming a continuation twice ends the process, and never resuming it blocks this test.
        for _ in 0..<1_000 {
            let task = Task { try? await clock.sleep(for: .seconds(1)) }
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    await Task.yield()
                    task.cancel()
                }
                group.addTask { clock.advance(by: .seconds(2)) }
            }
            await task.value
            #expect(clock.sleeperCount == 0)
        }
    }
}
