import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// Groups of calls whose body is still to be read.
@Suite(.timeLimit(.minutes(1))) struct TrackedBodyTests {
    private let group = CallGroup()
    private let silent = OpenServer(chunks: ["ab"], isSilent: true)

    @Test("cancelAll ends the bodies that nobody reads, and later calls run")
    func cancelAll() async {
        let log = EventLog()
        let outputs = [
            await silent.open(via: .listen(to: log.listener), .tracked(in: group)),
            await silent.open(via: .listen(to: log.listener), .tracked(in: group)),
        ]
        #expect(group.count == 2)
        group.cancelAll()
        #expect(group.count == 0)
        #expect(silent.ends.elements == [.failed(.cancelled), .failed(.cancelled)])
        for output in outputs { #expect(await output.response?.body?.read() == .failure(.cancelled)) }
        for call in log.calls {
            #expect(log.events(of: call).map(\.name) == ["started", "receivedHead", "cancelled", "failed", "ended"])
        }
        let later = await silent.open(via: .tracked(in: group))
        #expect(await later.response?.body?.read() == .success(Data("ab".utf8)))
    }

    @Test("cancelAll wakes a reader, and not its task")
    func pending() async throws {
        let body = try #require(await silent.open(via: .tracked(in: group)).response?.body)
        let reader = Task {
            _ = await body.read()
            let last = await body.read()
            return Task.isCancelled ? nil : last
        }
        await silent.isTaken.wait()
        group.cancelAll()
        #expect(await reader.value == .failure(.cancelled))
    }

    @Test("nothing more is sent for a body that a group or a time limit has ended", arguments: [true, false])
    func asksNoMore(_ byGroup: Bool) async throws {
        let (clock, broken, ended, isOver) = (ManualClock(), Latch(), Latch(), Latch())
        // Asks for the rest after the last chunk.
        let continuing = Wrapper { input, next in
            await next(input).mapBody { body in
                body.around { inner async throws(ConnectionError) -> Data? in
                    if let chunk = try await inner.next() { return chunk }
                    broken.open()
                    await Task.detached { await ended.wait() }.value
                    _ = await next(input)
                    isOver.open()
                    return nil
                }
            }
        }
        let server = OpenServer(chunks: [])
        let limit: Wrapper = byGroup ? .tracked(in: group) : .timeout(.seconds(10), clock: clock)
        let output = await server.open(via: limit, continuing)
        let reader = Task { await output.response?.body?.read() }
        await broken.wait()
        if byGroup {
            group.cancelAll()
        } else {
            await clock.waitForSleepers(count: 1)
            let late = Latch()
            output.onEnd { _ in late.open() }
            clock.advance(by: .seconds(10))
            await late.wait()
        }
        ended.open()
        await isOver.wait()
        #expect(await reader.value != .success(nil))
        #expect(server.sent.elements.count == 1)
    }
}
