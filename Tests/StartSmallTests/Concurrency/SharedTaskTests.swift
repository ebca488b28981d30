import StartSmallTesting
import Synchronization
import Testing

@testable import StartSmall

/// Work that ends when its latch opens or when it is cancelled, and records the outcome of each run.
private final class Work: Sendable {
    let begun = Recorder<Int>()
    let ended = Recorder<String>()
    let latches = (1...3).map { _ in Latch() }
    private let number = Mutex(0)

    func callAsFunction() async -> Int {
        let number = number.withLock { number in
            number += 1
            return number
        }
        begun.append(number)
        await latches[number - 1].wait()
        ended.append("\(number)\(Task.isCancelled ? " cancelled" : "")")
        return number
    }
}

struct SharedTaskTests {
    private let work = Work()

    /// Returns a task once that task waits for the value.
    private func waiting(for shared: SharedTask<Int>) async -> Task<Int?, Never> {
        let task = Task { await shared.value() }
        while shared.waitingCount == 0 { await Task.yield() }
        return task
    }

    /// Returns several tasks once all of them wait for the value.
    private func waiting(for shared: SharedTask<Int>, count: Int) async -> [Task<Int?, Never>] {
        let tasks = (0..<count).map { _ in Task { await shared.value() } }
        while shared.waitingCount < count { await Task.yield() }
        return tasks
    }

    @Test("callers during the work share its value, and a later caller starts the work again")
    func shares() async {
        let shared = SharedTask { [work] in await work() }
        let tasks = await waiting(for: shared, count: 3)
        work.latches[0].open()
        for task in tasks { #expect(await task.value == 1) }
        #expect(work.begun.elements == [1])
        work.latches[1].open()
        #expect(await shared.value() == 2)
        #expect(work.ended.elements == ["1", "2"])
    }

    @Test("a cancelled caller stops waiting, and the others receive the value")
    func leaves() async {
        let shared = SharedTask { [work] in await work() }
        let tasks = await waiting(for: shared, count: 3)
        tasks[0].cancel()
        #expect(await tasks[0].value == nil)
        work.latches[0].open()
        #expect(await tasks[1].value == 1)
        #expect(await tasks[2].value == 1)
        #expect(work.ended.elements == ["1"])
    }

    @Test("the cancellation of the last caller cancels the work, and the next caller does not wait for its end")
    func lastLeaves() async {
        let shared = SharedTask { [work] in await work() }
        let tasks = await waiting(for: shared, count: 2)
        for task in tasks { task.cancel() }
        for task in tasks { #expect(await task.value == nil) }
        while work.ended.elements.isEmpty { await Task.yield() }
        #expect(work.ended.elements == ["1 cancelled"])
        work.latches[1].open()
        #expect(await shared.value() == 2)
    }

    @Test("the value of cancelled work that ends late is discarded")
    func lateValue() async {
        let (late, isOver) = (Latch(), Latch())
        let count = Mutex(0)
        let shared = SharedTask { () async -> Int in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 1 {
                // Ignores cancellation.
                await Task { await late.wait() }.value
                isOver.open()
            }
            return number
        }
        let first = await waiting(for: shared)
        first.cancel()
        #expect(await first.value == nil)
        #expect(await shared.value() == 2)
        late.open()
        await isOver.wait()
        #expect(await shared.value() == 3)
    }

    @Test("a caller that is cancelled before its call does not start the work")
    func cancelledBefore() async {
        let shared = SharedTask { [work] in await work() }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await shared.value()
        }
        #expect(await task.value == nil)
        #expect(work.begun.elements.isEmpty)
    }

    @Test("each of many concurrent callers receives a value or is cancelled, and no work is left running")
    func interleaving() async {
        let running = Mutex(0)
        let shared = SharedTask { () async -> Int in
            running.withLock { $0 += 1 }
            await Task.yield()
            running.withLock { $0 -= 1 }
            return 1
        }
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<200 {
                group.addTask {
                    let task = Task { await shared.value() }
                    if index.isMultiple(of: 3) { task.cancel() }
                    let value = await task.value
                    #expect(value == 1 || index.isMultiple(of: 3))
                }
            }
        }
        while running.withLock({ $0 }) > 0 { await Task.yield() }
        #expect(shared.waitingCount == 0)
    }
}
