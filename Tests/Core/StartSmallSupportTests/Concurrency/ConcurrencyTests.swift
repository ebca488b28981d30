import Testing

@testable import StartSmallSupport

struct DurationsTests {
    @Test(
        "a timer is not early, waits for no longer than a day, and no duration is too long for 32 bits",
        arguments: [
            .zero, .nanoseconds(1), .milliseconds(50), .milliseconds(2_147), .seconds(3), .seconds(86_399),
            .seconds(86_400), .maximumWait, .seconds(Int64.max), .seconds(-1), .seconds(Int64.min),
        ] as [Duration]
    )
    func notEarly(duration: Duration) {
        let wanted = min(max(duration, .zero), .seconds(86_400))
        let given = Duration.milliseconds(duration.timerMilliseconds)
        #expect(given >= wanted && given <= wanted + .milliseconds(1))
    }
}

struct HeapTests {
    private func taken(_ heap: Heap<Int>) -> [Int] {
        var heap = heap
        return Array(AnyIterator { heap.removeFirst() })
    }

    private func heap(_ elements: [Int]) -> Heap<Int> {
        elements.reduce(into: Heap()) { $0.insert($1) }
    }

    @Test("after some elements are removed by a condition, the others are still removed in order", arguments: 0..<50)
    func removeAll(_ count: Int) {
        let elements = (0..<count).map { _ in Int.random(in: 0..<20) }
        var heap = heap(elements)
        heap.removeAll { $0.isMultiple(of: 3) }
        #expect(taken(heap) == elements.filter { !$0.isMultiple(of: 3) }.sorted())
    }
}

struct PromiseTests {
    private let promise = Promise<Int>()

    @Test("a cancellation before the value wins, and the later fulfillment returns false")
    func cancelled() async {
        let waiting = Task { await promise.value() }
        waiting.cancel()
        #expect(await waiting.value == nil)
        let isFulfilled = promise.fulfill(1)
        #expect(!isFulfilled)
    }

    @Test("a value that is set before the cancellation is not lost")
    func cancelledLate() async {
        promise.fulfill(1)
        let waiting = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await promise.value()
        }
        #expect(await waiting.value == 1)
    }

    @Test("in 2,000 races with a cancellation, each value is either received or refused")
    func storm() async {
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<2_000 {
                group.addTask {
                    let promise = Promise<Int>()
                    let waiting = Task { await promise.value() }
                    let canceller = Task { waiting.cancel() }
                    let isFulfilled = promise.fulfill(1)
                    await canceller.value
                    return await waiting.value == (isFulfilled ? 1 : nil)
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}
