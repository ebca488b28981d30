import Foundation
import Testing

@testable import StartSmall

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct URLSessionCallsTests {
    private let start = SuspendingClock.now
    private let task = URLSession.shared.dataTask(with: URL(fileURLWithPath: "/"))

    @Test("A call that has ended is not overdue, however long its receiver takes for what is left")
    func ended() {
        var calls = begun(received: 1)
        let overdue = calls.overdue(at: start + .seconds(2))
        #expect(overdue == [task.taskIdentifier])
        _ = calls.change(task.taskIdentifier, stopping: false) { _ in .output(.noResponse(.cancelled)) }
        let later = (calls.overdue(at: start + .seconds(2)), calls.arrangeSweep(after: start))
        #expect(later.0 == [])
        #expect(later.1 == nil)
    }

    @Test("A call that waits for its receiver is not overdue, and has a deadline again when it goes on")
    func paused() async {
        var calls = begun(received: URLSessionParts.fullBytes)
        let planned = (calls.overdue(at: start + .seconds(2)), calls.arrangeSweep(for: task.taskIdentifier))
        #expect(planned.0 == [])
        #expect(planned.1 == nil)
        for _ in 0..<2 {
            _ = await withCheckedContinuation { continuation in
                let errand = calls.wait(for: task.taskIdentifier, continuation)
                errand.answering?.0.resume(returning: errand.answering?.1 ?? .again)
            }
        }
        let again = calls.arrangeSweep(for: task.taskIdentifier)
        #expect(again != nil)
    }

    /// One call, of whose payload so many bytes wait for its receiver.
    private func begun(received bytes: Int) -> URLSessionCalls {
        var exchange = URLSessionExchange(
            payloadLimit: nil,
            givesParts: true,
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
