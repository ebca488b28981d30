import Foundation
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

/// A wrapper with a limit of ten seconds.
enum TimeLimit: CaseIterable, Sendable {
    case timeout, deadline, untilHead

    static let ofBodies = [timeout, deadline]

    func wrapper(_ clock: ManualClock, _ seconds: Int = 10) -> Wrapper {
        switch self {
        case .timeout: .timeout(.seconds(seconds), clock: clock)
        case .deadline: .deadline(ManualClock.Instant(offset: .seconds(seconds)), clock: clock)
        case .untilHead: .timeout(untilHead: .seconds(seconds), clock: clock)
        }
    }

    /// The error of a call that is too late.
    func error(after head: Response? = nil) -> ConnectionError {
        switch self {
        case .timeout:
            .timedOut(.init(domain: "StartSmall", code: 0, text: "timed out after 10.0 seconds", partial: head))
        case .deadline: .timedOut(.init(domain: "StartSmall", code: 0, text: "the deadline is over", partial: head))
        case .untilHead: .timedOut(.init(domain: "StartSmall", code: 4, text: "no response head within 10.0 seconds"))
        }
    }
}

extension Connector {
    /// Answers when the latch opens, and ignores cancellation.
    static func stubborn(begun: Latch = Latch(), until latch: Latch) -> Connector {
        Connector { _ in
            begun.open()
            await Task.detached { await latch.wait() }.value
            return .hasResponse(Fixture.ok)
        }
    }

    /// Returns a connector whose head arrives when a latch opens, and whose payload when another one does.
    static func slow(
        _ status: HTTPStatus = .ok,
        head: Latch? = nil,
        reading: Latch = Latch(),
        payload: Latch
    ) -> Connector {
        Connector { _ in
            await head?.wait()
            var response = Response(statusCode: status)
            let body = ResponseBody(
                pulling: { () async throws(ConnectionError) -> Data? in
                    reading.open()
                    await payload.wait()
                    return nil
                },
                abort: payload.open
            )
            response.content = .body(body)
            return .hasResponse(response)
        }
    }
}

/// What the wrappers that limit the time of a call have in common.
@Suite(.timeLimit(.minutes(1))) struct TimeLimitTests {
    private let clock = ManualClock()
    private let latch = Latch()

    @Test(
        "a call that takes too long ends on time, even if the inner call ignores cancellation",
        arguments: TimeLimit.allCases
    )
    func late(_ limit: TimeLimit) async {
        // The smaller limit counts, in any order.
        let larger = limit.wrapper(clock, 20)
        let connector = Connector.stubborn(until: latch).wrapped(by: larger, limit.wrapper(clock), larger)
        async let output = WebAPI.call(with: Fixture.input, via: connector)
        await clock.waitForSleepers(count: limit == .untilHead ? 1 : 3)
        clock.advance(by: .seconds(10))
        #expect(await output == .noResponse(limit.error()))
        latch.open()
    }

    @Test(
        "the inner call is cancelled when the time is over, or the call is cancelled",
        arguments: TimeLimit.allCases,
        [true, false]
    )
    func cancelsInside(_ limit: TimeLimit, isLate: Bool) async {
        let (begun, ended) = (Latch(), Latch())
        let connector = Connector.silent(begun: begun, ended: ended).wrapped(by: limit.wrapper(clock))
        let call = Task { await WebAPI.call(with: Fixture.input, via: connector) }
        await begun.wait()
        await clock.waitForSleepers(count: 1)
        if isLate { clock.advance(by: .seconds(10)) } else { call.cancel() }
        await ended.wait()
        #expect(await call.value == .noResponse(isLate ? limit.error() : .cancelled))
    }

    @Test("without time, no call is made", arguments: TimeLimit.allCases, [0, -1])
    func noTime(_ limit: TimeLimit, _ seconds: Int) async {
        let sent = Recorder<Input>()
        let connector = Connector.stub(.hasResponse(Fixture.ok), recording: sent).wrapped(
            by: limit.wrapper(clock, seconds)
        )
        let output = await WebAPI.call(with: Fixture.input, via: connector)
        #expect(output.connectionError?.name == "timedOut")
        #expect(sent.elements == [])
    }

    @Test("head, end, cancellation and limit at the same moment end the call once", arguments: TimeLimit.allCases)
    func atOnce(_ limit: TimeLimit) async {
        // A continuation that is resumed twice crashes the process, and one that never is stops this test.
        for _ in 0..<(isExhaustive ? 2_000 : 200) {
            let (clock, head, payload) = (ManualClock(), Latch(), Latch())
            let connector = Connector.slow(head: head, payload: payload).wrapped(by: limit.wrapper(clock, 1))
            let task = Task { await WebAPI.call(with: Fixture.input, via: connector) }
            await withTaskGroup(of: Void.self) { group in
                group.addTask { head.open() }
                group.addTask { payload.open() }
                group.addTask { task.cancel() }
                group.addTask { clock.advance(by: .seconds(2)) }
            }
            let output = await task.value
            #expect([nil, "cancelled", "timedOut"].contains(output.connectionError?.name))
        }
    }
}

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
        let log = EventLog()
        let wrappers = [.listen(to: log.listener), .retry(clock: clock), limit.wrapper(clock)]
        let body = try #require(await silent.open(via: wrappers).response?.body)
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(10))
        // The end of the call, which comes after that of the server's body.
        await eventually { log.names.last == "ended" }
        #expect(await body.read() == .failure(limit.error(after: OpenServer.head)))
    }
}
