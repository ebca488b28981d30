import Foundation
import Testing

import StartSmall
@testable import StartSmallURLSession

@Suite struct URLSessionCallsTests {
    private let start = SuspendingClock.now
    private let task = URLSession.shared.dataTask(with: URL(fileURLWithPath: "/"))

    @Test("an ended call is not overdue, however long its reader takes for the rest")
    func ended() {
        var calls = begun(received: 1)
        let overdue = calls.overdue(at: start + .seconds(2))
        #expect(overdue == [task.taskIdentifier])
        _ = calls.change(task.taskIdentifier, stopping: false) { _ in .output(.noResponse(.cancelled)) }
        let later = (calls.overdue(at: start + .seconds(2)), calls.arrangeCheck(after: start))
        #expect(later.0 == [])
        #expect(later.1 == nil)
    }

    @Test("a call that waits for its reader is not overdue, and has a deadline again afterwards")
    func paused() async {
        var calls = begun(received: URLSessionExchange.fullBytes)
        let overdue = calls.overdue(at: start + .seconds(2))
        #expect(overdue == [])
        var arranged: [Bool] = []
        for _ in 0..<2 {
            _ = await withCheckedContinuation { continuation in
                let pending = calls.wait(for: task.taskIdentifier, continuation)
                arranged.append(pending.check != nil)
                pending.resumption?.0.resume(returning: pending.resumption?.1 ?? .again)
            }
        }
        #expect(arranged == [false, true])
    }

    @Test("progress that is not yet due is reported later, even if nothing happens until then")
    func deferredProgress() async {
        let start = start + .seconds(3600)
        var exchange = URLSessionExchange(payloadLimit: nil, idleTimeout: nil, now: start)
        exchange.received(head: Response(statusCode: .ok), at: start)
        _ = exchange.received(Data(count: 1), at: start)
        var calls = URLSessionCalls()
        calls.begin(task, exchange, hasListeners: true)
        _ = await withCheckedContinuation { continuation in
            let pending = calls.wait(for: task.taskIdentifier, continuation)
            let isWaiting = pending.resumption == nil
            #expect(isWaiting)
            #expect(pending.check == start + .milliseconds(50))
            let last = calls.change(task.taskIdentifier, stopping: false) { _ in .again }
            last?.resumption?.0.resume(returning: .again)
        }
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
