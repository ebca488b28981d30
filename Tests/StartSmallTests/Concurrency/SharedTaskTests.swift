import StartSmallTesting
import Synchronization
import Testing

@testable import StartSmall

/// Work that ends when its gate opens, or when it is cancelled; notes how each run went.
private final class Work: Sendable {
    let begun = Recorder<Int>()
    let ended = Recorder<String>()
    let gates = (1...3).map { _ in Latch() }
    private let number = Mutex(0)

    func callAsFunction() async -> Int {
        let number = number.withLock { number in
            number += 1
            return number
        }
        begun.append(number)
        await gates[number - 1].wait()
        ended.append("\(number)\(Task.isCancelled ? " cancelled" : "")")
        return number
    }
}

struct SharedTaskTests {
    private let work = Work()

    /// A task that waits for the value, once it does.
    private func waiting(for shared: SharedTask<Int>) async -> Task<Int?, Never> {
        let task = Task { await shared.value() }
        while shared.waitingCount == 0 { await Task.yield() }
        return task
    }

    /// Several of them, of which all wait.
    private func waiting(for shared: SharedTask<Int>, count: Int) async -> [Task<Int?, Never>] {
        let tasks = (0..<count).map { _ in Task { await shared.value() } }
        while shared.waitingCount < count { await Task.yield() }
        return tasks
    }

    @Test("callers that come while the work runs share it, and one that comes later begins it anew")
    func shares() async {
        let shared = SharedTask { [work] in await work() }
        let tasks = await waiting(for: shared, count: 3)
        work.gates[0].open()
        for task in tasks { #expect(await task.value == 1) }
        #expect(work.begun.elements == [1])
        work.gates[1].open()
        #expect(await shared.value() == 2)
        #expect(work.ended.elements == ["1", "2"])
    }

    @Test("a caller that is cancelled leaves, and the others get the value")
    func leaves() async {
        let shared = SharedTask { [work] in await work() }
        let tasks = await waiting(for: shared, count: 3)
        tasks[0].cancel()
        #expect(await tasks[0].value == nil)
        work.gates[0].open()
        #expect(await tasks[1].value == 1)
        #expect(await tasks[2].value == 1)
        #expect(work.ended.elements == ["1"])
    }

    @Test("the last caller that is cancelled cancels the work, and the next one does not wait for its end")
    func lastLeaves() async {
        let shared = SharedTask { [work] in await work() }
        let tasks = await waiting(for: shared, count: 2)
        for task in tasks { task.cancel() }
        for task in tasks { #expect(await task.value == nil) }
        while work.ended.elements.isEmpty { await Task.yield() }
        #expect(work.ended.elements == ["1 cancelled"])
        work.gates[1].open()
        #expect(await shared.value() == 2)
    }

    @Test("the value of cancelled work that ends late is nobody's")
    func lateValue() async {
        let (late, isOver) = (Latch(), Latch())
        let count = Mutex(0)
        let shared = SharedTask { () async -> Int in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 1 {
                // Ignores that it is cancelled.
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

    @Test("a caller that is cancelled before it asks begins nothing")
    func cancelledBefore() async {
        let shared = SharedTask { [work] in await work() }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await shared.value()
        }
        #expect(await task.value == nil)
        #expect(work.begun.elements.isEmpty)
    }

    @Test("whatever callers come and go at once, each gets a value or was cancelled, and no work is left")
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
