import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// Time limits of calls whose body is still to be read.
@Suite(.timeLimit(.minutes(1))) struct LimitedBodyTests {
    /// A wrapper with a limit of ten seconds.
    enum Limit: CaseIterable, Sendable {
        case timeout, deadline

        func wrapper(_ clock: ManualClock) -> Wrapper {
            switch self {
            case .timeout: .timeout(.seconds(10), clock: clock)
            case .deadline: .deadline(ManualClock.Instant(offset: .seconds(10)), clock: clock)
            }
        }

        /// The error of a call that is too late, with the head of its response.
        var error: ConnectionError {
            let text = self == .timeout ? "timed out after 10.0 seconds" : "the deadline is over"
            return .timedOut(.init(domain: "StartSmall", code: 0, text: text, partial: OpenServer.head))
        }
    }

    private let clock = ManualClock()
    private let silent = OpenServer(chunks: ["ab"], isSilent: true)

    @Test("a body that nobody reads ends on time with the error of a late call and its head", arguments: Limit.allCases)
    func unread(_ limit: Limit) async throws {
        let log = EventLog()
        let output = await silent.open(via: .listen(to: log.listener), limit.wrapper(clock))
        let body = try #require(output.response?.body)
        #expect(await body.read() == .success(Data("ab".utf8)))
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(10))
        await silent.ended.wait()
        #expect(silent.ends.elements == [.failed(limit.error)])
        #expect(await body.read() == .failure(limit.error))
        #expect(log.names == ["started", "receivedHead", "noResponse", "failed", "ended"])
    }

    @Test("a reader that waits gets the error on time", arguments: Limit.allCases)
    func pending(_ limit: Limit) async throws {
        let body = try #require(await silent.open(via: limit.wrapper(clock)).response?.body)
        let reader = Task {
            _ = await body.read()
            return await body.read()
        }
        await silent.isTaken.wait()
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(10))
        #expect(await reader.value == .failure(limit.error))
        #expect(silent.ends.elements == [.failed(limit.error)])
    }

    @Test("a chunk that waits for its reader is not delivered after the limit", arguments: Limit.allCases)
    func waitingChunk(_ limit: Limit) async throws {
        // The retry has read the first chunk.
        let body = try #require(await silent.open(via: .retry(clock: clock), limit.wrapper(clock)).response?.body)
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(10))
        await silent.ended.wait()
        #expect(await body.read() == .failure(limit.error))
    }

    @Test("a body that ends in any way leaves no timer", arguments: BodyEnding.allCases)
    func noTimer(_ ending: BodyEnding) async {
        for limit in Limit.allCases {
            let server = OpenServer()
            let end = await ending.end {
                await server.open(via: limit.wrapper(clock), limit.wrapper(clock))
            } while: {
                await clock.waitForSleepers(count: 2)
            }
            await server.ended.wait()
            #expect(server.ends.elements == [end])
            await eventually { clock.sleeperCount == 0 }
        }
    }

    @Test("a body that has ended before its limit is set leaves no timer", arguments: Limit.allCases)
    func endedBefore(_ limit: Limit) async throws {
        let ended = Wrapper { input, next in
            let output = await next(input)
            output.response?.body?.interrupt(with: Fixture.lost)
            return output
        }
        let body = try #require(await silent.open(via: limit.wrapper(clock), ended).response?.body)
        #expect(await body.read() == .failure(Fixture.lost))
        #expect(clock.sleeperCount == 0)
    }

    @Test("a limit that passes between the head and its reader counts", arguments: Limit.allCases)
    func late(_ limit: Limit) async throws {
        let slow = Wrapper { [clock] input, next in
            let output = await next(input)
            clock.advance(by: .seconds(10))
            return output
        }
        let body = try #require(await silent.open(via: limit.wrapper(clock), slow).response?.body)
        await silent.ended.wait()
        #expect(await body.read() == .failure(limit.error))
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

    @Test("of two limits, the smaller one ends the body, in any order", arguments: [[10, 20], [20, 10]])
    func nested(_ seconds: [Int]) async throws {
        let limits = seconds.map { Wrapper.timeout(.seconds($0), clock: clock) }
        let body = try #require(await silent.open(via: limits).response?.body)
        await clock.waitForSleepers(count: 2)
        clock.advance(by: .seconds(10))
        await silent.ended.wait()
        #expect(await body.read() == .failure(Limit.timeout.error))
        await eventually { clock.sleeperCount == 0 }
    }

    @Test("a cancelled task whose call had its head in time gets no body, and the transfer ends")
    func cancelled() async {
        let cancelling = Wrapper { input, next in
            let output = await next(input)
            withUnsafeCurrentTask { $0?.cancel() }
            return output
        }
        let server = OpenServer(kept: Recorder())
        let call = Task { await server.open(via: cancelling, .timeout(.seconds(10), clock: clock)) }
        #expect(await call.value == .noResponse(.cancelled))
        #expect(server.ends.elements == [.discarded])
        await eventually { clock.sleeperCount == 0 }
    }
}
