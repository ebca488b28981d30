import Foundation
import StartSmall
import StartSmallTesting
import Synchronization
import TestSupport
import Testing

@testable import StartSmallCore
import StartSmallResilience

/// A connector that counts its concurrent calls, and holds each until its latch is open.
private struct Crowd: Sendable {
    let entered = Recorder<String>()
    let change: @Sendable ((inout (now: Int, most: Int)) -> Void) -> Void
    let latches: @Sendable (String) -> Latch

    init() {
        let state = Mutex((now: 0, most: 0))
        change = { body in state.withLock { body(&$0) } }
        let known = Mutex<[String: Latch]>([:])
        latches = { name in
            known.withLock { known in
                let latch = known[name] ?? Latch()
                known[name] = latch
                return latch
            }
        }
    }

    var most: Int {
        var most = 0
        change { most = $0.most }
        return most
    }

    func within(_ work: () async -> Void) async {
        change { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
        await work()
        change { $0.now -= 1 }
    }

    var connector: Connector {
        .stub { input in
            let name = input.url.lastPathComponent
            entered.append(name)
            await within { await latches(name).wait() }
            return .hasResponse(Fixture.ok)
        }
    }

    static func call(_ name: String, _ connector: Connector) -> Task<Output, Never> {
        Task { await WebAPI.call(with: Input(url: Fixture.url.appendingPathComponent(name)), via: connector) }
    }
}

struct LimitConcurrencyTests {
    private let crowd = Crowd()
    private let log = EventLog()

    private func limited(_ limit: Int, waiting: Int? = nil) -> Connector {
        crowd.connector.wrapped(by: .listen(to: log.listener), .limitConcurrency(limit, waiting: waiting))
    }

    private func waits(_ count: Int) async {
        await eventually { log.names.filter { $0 == "waiting" }.count == count }
    }

    /// Returns a call with the only permit, and one that waits for it.
    private func insideAndWaiting(_ connector: Connector) async -> (Task<Output, Never>, Task<Output, Never>) {
        let first = Crowd.call("a", connector)
        await eventually { crowd.entered.elements == ["a"] }
        let second = Crowd.call("b", connector)
        await waits(1)
        return (first, second)
    }

    @Test("as many calls as allowed wait, and one more is refused at once, with both limits in its error")
    func refused() async {
        let connector = limited(1, waiting: 1)
        let (first, second) = await insideAndWaiting(connector)
        #expect(log.events.contains(.reported(Waiting(behind: 0))))
        #expect(await Crowd.call("c", connector).value == .noResponse(.tooManyCalls(limit: 1, waiting: 1)))
        crowd.latches("a").open()
        crowd.latches("b").open()
        for call in [first, second] { #expect(await call.value == .hasResponse(Fixture.ok)) }
        #expect(crowd.entered.elements == ["a", "b"])
    }

    @Test("a call that is cancelled while it waits ends at once, and frees its place in the queue")
    func leaving() async {
        let connector = limited(1, waiting: 1)
        let (first, second) = await insideAndWaiting(connector)
        second.cancel()
        #expect(await second.value == .noResponse(.cancelled))
        let third = Crowd.call("c", connector)
        await waits(2)
        crowd.latches("a").open()
        crowd.latches("c").open()
        for call in [first, third] { #expect(await call.value == .hasResponse(Fixture.ok)) }
        #expect(crowd.entered.elements == ["a", "c"])
    }

    @Test("no more calls run than the limit, and cancelled calls lose no permit", arguments: [1, 3, 16])
    func storm(_ limit: Int) async {
        let crowd = crowd
        let connector = Connector.stub { input in
            if input != Fixture.input { return await crowd.connector.connect(input, CallContext(reportingTo: nil)) }
            await crowd.within { for _ in 0..<Int.random(in: 0...10) { await Task.yield() } }
            return .hasResponse(Fixture.ok)
        }.wrapped(by: .limitConcurrency(limit))
        await withTaskGroup { group in
            for index in 0..<1_000 {
                group.addTask {
                    let call = Task { await WebAPI.call(with: Fixture.input, via: connector) }
                    for _ in 0..<Int.random(in: 0...10) { await Task.yield() }
                    if index.isMultiple(of: 2) { call.cancel() }
                    _ = await call.value
                }
            }
        }
        #expect(crowd.most <= limit)
        let calls = (0..<limit).map { Crowd.call("\($0)", connector) }
        await eventually { crowd.entered.elements.count == limit }
        for index in 0..<limit { crowd.latches("\(index)").open() }
        for call in calls { #expect(await call.value == .hasResponse(Fixture.ok)) }
    }
}

/// Permits of calls whose body is still to be read.
@Suite(.timeLimit(.minutes(1))) struct LimitedStreamTests {
    @Test("a body that a limit inside ends while nobody reads gives its permit to the next call")
    func limitInside() async throws {
        let (clock, server) = (ManualClock(), OpenServer(isSilent: true))
        let connector = server.connector.wrapped(by: .limitConcurrency(1), .timeout(.seconds(10), clock: clock))
        let first = await WebAPI.call(with: OpenServer.input, via: connector)
        let second = Task { await WebAPI.call(with: OpenServer.input, via: connector) }
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(10))
        #expect(await second.value.response?.statusCode == .ok)
        #expect(await first.response?.body?.read() != .success(Data("ab".utf8)))
    }
}
