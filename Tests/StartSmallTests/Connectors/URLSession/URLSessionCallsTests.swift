import Foundation
import Testing

@testable import StartSmall

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct URLSessionCallsTests {
    private let start = SuspendingClock.now
    private let task = URLSession.shared.dataTask(with: URL(fileURLWithPath: "/"))

    @Test("an ended call is not overdue, however long its reader takes for the rest")
    func ended() {
        var calls = begun(received: 1)
        let overdue = calls.overdue(at: start + .seconds(2))
        #expect(overdue == [task.taskIdentifier])
        _ = calls.change(task.taskIdentifier, stopping: false) { _ in .output(.noResponse(.cancelled)) }
        let later = (calls.overdue(at: start + .seconds(2)), calls.arrangeSweep(after: start))
        #expect(later.0 == [])
        #expect(later.1 == nil)
    }

    @Test("a call that waits for its reader is not overdue, and has a deadline again afterwards")
    func paused() async {
        var calls = begun(received: URLSessionParts.fullBytes)
        let planned = (calls.overdue(at: start + .seconds(2)), calls.arrangeSweep(for: task.taskIdentifier))
        #expect(planned.0 == [])
        #expect(planned.1 == nil)
        for _ in 0..<2 {
            _ = await withCheckedContinuation { continuation in
                let pending = calls.wait(for: task.taskIdentifier, continuation)
                pending.resumption?.0.resume(returning: pending.resumption?.1 ?? .again)
            }
        }
        let again = calls.arrangeSweep(for: task.taskIdentifier)
        #expect(again != nil)
    }

    /// One call with so many payload bytes that wait for its reader.
    private func begun(received bytes: Int) -> URLSessionCalls {
        var exchange = URLSessionExchange(
            payloadLimit: nil,
            deliversParts: true,
            idleTimeout: .seconds(1),
            now: start
        )
        exchange.received(head: Response(statusCode: .ok), at: start)
        _ = exchange.received(Data(count: bytes), at: start)
        var calls = URLSessionCalls()
        calls.begin(task, exchange, hasListeners: false)
        return calls
    }
}
