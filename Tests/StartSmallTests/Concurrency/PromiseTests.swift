import StartSmallTesting
import Testing

@testable import StartSmall

struct PromiseTests {
    private let promise = Promise<Int>()

    @Test("a value that comes first is there for who waits")
    func before() async {
        promise.fulfill(1)
        #expect(await promise.value() == 1)
    }

    @Test("who waits gets the value when it comes")
    func after() async {
        let waiting = Task { await promise.value() }
        for _ in 0..<10 { await Task.yield() }
        promise.fulfill(1)
        #expect(await waiting.value == 1)
    }

    @Test("only the first value counts, and the second is told so")
    func second() async {
        let first = promise.fulfill(1)
        let second = promise.fulfill(2)
        #expect(first && !second)
        #expect(await promise.value() == 1)
    }

    @Test("a cancellation that comes first wins, and who brings the value is told")
    func cancelled() async {
        let waiting = Task { await promise.value() }
        waiting.cancel()
        #expect(await waiting.value == nil)
        let kept = promise.fulfill(1)
        #expect(!kept)
    }

    @Test("a value that came before the cancellation is not lost")
    func cancelledLate() async {
        promise.fulfill(1)
        let waiting = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await promise.value()
        }
        #expect(await waiting.value == 1)
    }

    @Test("of 2,000 values against cancellations, each either arrives or is refused")
    func storm() async {
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<2_000 {
                group.addTask {
                    let promise = Promise<Int>()
                    let waiting = Task { await promise.value() }
                    let canceller = Task { waiting.cancel() }
                    let kept = promise.fulfill(1)
                    await canceller.value
                    return await waiting.value == (kept ? 1 : nil)
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}
