import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// Time limits of calls whose body is still to be read.
@Suite(.timeLimit(.minutes(1))) struct LimitedBodyTests {
    private let clock = ManualClock()
    private let silent = OpenServer(chunks: ["ab"], isSilent: true)

    @Test(
        "a body that nobody reads ends at the smallest limit, with the error of a late call and its head",
        arguments: TimeLimit.ofBodies
    )
    func unread(_ limit: TimeLimit) async throws {
        let (log, larger) = (EventLog(), Wrapper.timeout(.seconds(20), clock: clock))
        let wrappers = [.listen(to: log.listener), larger, limit.wrapper(clock), larger]
        let body = try #require(await silent.open(via: wrappers).response?.body)
        #expect(await body.read() == .success(Data("ab".utf8)))
        await clock.waitForSleepers(count: 3)
        clock.advance(by: .seconds(10))
        await silent.ended.wait()
        #expect(silent.ends.elements == [.failed(limit.error(after: OpenServer.head))])
        #expect(await body.read() == .failure(limit.error(after: OpenServer.head)))
        #expect(log.names == ["started", "receivedHead", "noResponse", "failed", "ended"])
        await eventually { clock.sleeperCount == 0 }
    }

    @Test("a reader that waits gets the error on time", arguments: TimeLimit.ofBodies)
    func pending(_ limit: TimeLimit) async throws {
        let body = try #require(await silent.open(via: limit.wrapper(clock)).response?.body)
        let reader = Task {
            _ = await body.read()
            return await body.read()
        }
        await silent.isTaken.wait()
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(10))
        #expect(await reader.value == .failure(limit.error(after: OpenServer.head)))
        #expect(silent.ends.elements == [.failed(limit.error(after: OpenServer.head))])
    }

    @Test("a chunk that waits for its reader is not delivered after the limit", arguments: TimeLimit.ofBodies)
    func waitingChunk(_ limit: TimeLimit) async throws {
        // The retry has read the first chunk.
        let body = try #require(await silent.open(via: .retry(clock: clock), limit.wrapper(clock)).response?.body)
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(10))
        await silent.ended.wait()
        #expect(await body.read() == .failure(limit.error(after: OpenServer.head)))
    }

    @Test("a body that has ended before its limit is set leaves no timer", arguments: TimeLimit.ofBodies)
    func endedBefore(_ limit: TimeLimit) async throws {
        let ended = Wrapper { input, next in
            let output = await next(input)
            output.response?.body?.interrupt(with: Fixture.lost)
            return output
        }
        let body = try #require(await silent.open(via: limit.wrapper(clock), ended).response?.body)
        #expect(await body.read() == .failure(Fixture.lost))
        #expect(clock.sleeperCount == 0)
    }

    @Test("a limit that passes between the head and its reader counts", arguments: TimeLimit.ofBodies)
    func late(_ limit: TimeLimit) async throws {
        let slow = Wrapper { [clock] input, next in
            let output = await next(input)
            clock.advance(by: .seconds(10))
            return output
        }
        let body = try #require(await silent.open(via: limit.wrapper(clock), slow).response?.body)
        await silent.ended.wait()
        #expect(await body.read() == .failure(limit.error(after: OpenServer.head)))
    }

    @Test("an inner call that suspends before its head has one timer, until the end of its body")
    func suspended() async throws {
        let suspending = Wrapper { input, next in
            await Task.yield()
            return await next(input)
        }
        _ = await BodyEnding.readToEnd.end {
            await OpenServer().open(via: .timeout(.seconds(10), clock: clock), suspending)
        } while: {
            await clock.waitForSleepers(count: 1)
            #expect(clock.sleeperCount == 1)
        }
        #expect(clock.sleeperCount == 0)
    }
}
