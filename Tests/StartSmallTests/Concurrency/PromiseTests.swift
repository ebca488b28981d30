import StartSmallTesting
import Testing

@testable import StartSmall

struct PromiseTests {
    private let promise = Promise<Int>()

    @Test("a promise that is fulfilled before the wait returns its value")
    func before() async {
        promise.fulfill(1)
        #expect(await promise.value() == 1)
    }

    @Test("a waiting task receives the value when the promise is fulfilled")
    func after() async {
        let waiting = Task { await promise.value() }
        for _ in 0..<10 { await Task.yield() }
        promise.fulfill(1)
        #expect(await waiting.value == 1)
    }

    @Test("only the first value counts, and the second fulfillment returns false")
    func second() async {
        let first = promise.fulfill(1)
        let second = promise.fulfill(2)
        #expect(first && !second)
        #expect(await promise.value() == 1)
    }

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
