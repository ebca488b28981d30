import Foundation
import StartSmallSupport
import StartSmallTesting
import TestSupport
import Testing

@testable import StartSmallCore

/// The order of the end: the functions of a body and of those inside are done before any reader learns of it.
@Suite(.timeLimit(.minutes(1))) struct BodyEndOrderTests {
    /// An executor that runs its jobs only when it is told to, so that a reader takes its steps within an `abort`.
    private final class ManualExecutor: TaskExecutor {
        private let jobs = Locked<[UnownedJob]>([])

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            jobs.withLock { $0.append(job) }
        }

        func runAll() {
            while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
                job.runSynchronously(on: asUnownedTaskExecutor())
            }
        }
    }

    @Test("a reader that comes in an abort learns of the end after the functions inside", arguments: [1, 3])
    func lateReader(_ depth: Int) async {
        let (executor, events) = (ManualExecutor(), Recorder<String>())
        let inner = ResponseBody(
            pulling: { () async throws(ConnectionError) -> Data? in Data("a".utf8) },
            // However long this takes, the reader does not learn of the end before.
            abort: { executor.runAll() }
        )
        inner.onEnd { _ in events.append("inside") }
        var outer = inner
        for _ in 0..<depth { outer = outer.map { $0 } }
        outer.onEnd { _ in events.append("outside") }
        let reader = Task(executorPreference: executor) { [outer] in
            let result = await outer.read()
            events.append("reader")
            return result
        }
        outer.interrupt(with: Fixture.lost)
        executor.runAll()
        #expect(await reader.value == .failure(Fixture.lost))
        #expect(events.elements == ["inside", "outside", "reader"])
    }

    @Test("a reader waits for a function inside that another thread still calls")
    func runningInside() async {
        let (executor, events) = (ManualExecutor(), Recorder<String>())
        let inner = ResponseBody(pulling: { () async throws(ConnectionError) -> Data? in Data("a".utf8) })
        let outer = inner.map { $0 }
        let reader = Task(executorPreference: executor) {
            let result = await outer.read()
            events.append("reader")
            return result
        }
        // Called after the one that ends the outer body, which a reader may see ended from now on.
        inner.onEnd { _ in
            executor.runAll()
            events.append("inside")
        }
        inner.interrupt(with: Fixture.lost)
        executor.runAll()
        #expect(await reader.value == .failure(Fixture.lost))
        #expect(events.elements == ["inside", "reader"])
    }
}
