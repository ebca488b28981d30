import Foundation
import StartSmall
import StartSmallTesting
import Synchronization
import Testing

@testable import StartSmallCaching

@Suite(.timeLimit(.minutes(2))) struct CacheSharingTests {
    private let base = TestStore()
    private let time = TestTime()
    private let sent = Recorder<Input>()
    private let answered = Latch()
    private let store: CacheStore

    init() { store = base.store }

    /// A connector that answers when the latch is open, and is cancelled before.
    private func connector(_ respond: @escaping @Sendable (Input) -> Output) -> Connector {
        Connector.stub(recording: sent) { [answered] input in
            await answered.wait()
            return Task.isCancelled ? .noResponse(.cancelled) : respond(input)
        }.cached(store, time)
    }

    private func waiting(_ count: Int) async {
        await reach { [store] in store.coordinator.waitingCount == count }
    }

    /// Stores a response, and lets two seconds pass.
    private func stored(_ output: Output, _ input: Input = .get()) async {
        _ = await Connector.stub(output).cached(store, time).output(input)
        time.pass(2)
    }

    private static let fresh = Output.text("one", headers: ["Cache-Control": "max-age=60"])
    private static let stale = Output.text(
        "old",
        headers: ["Cache-Control": "max-age=1, stale-if-error=99", "ETag": "\"1\""]
    )

    @Test("a thousand concurrent misses cause one request")
    func thousand() async {
        let connector = connector { _ in Self.fresh }
        let calls = (0..<1000).map { _ in Task { await connector.output() } }
        await waiting(999)
        answered.open()
        var statuses: [String?: Int] = [:]
        for call in calls {
            let output = await call.value
            #expect(output.text == "one")
            statuses[output.statusText, default: 0] += 1
        }
        #expect(sent.elements.count == 1)
        #expect(statuses["StartSmall; fwd=uri-miss; ttl=60; collapsed"] == 999)
    }

    @Test("a call that looked before another one stored, and takes the lead after that, looks again")
    func lateLeader() async {
        let (looked, release) = (Latch(), Latch())
        let isFirst = Mutex(true)
        let slow = base.store(at: .responses) {
            let isLate = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if !isLate { return }
            looked.open()
            await release.wait()
        }
        let connector = Connector.stub(Self.fresh, recording: sent).cached(slow, time)
        let late = Task { await connector.output() }
        await looked.wait()
        #expect(await connector.output().text == "one")
        release.open()
        #expect(await late.value.cacheStatus?.isHit == true && sent.elements.count == 1)
    }

    @Test("after a failure, those who wait use the stale response where allowed, and else send their own request")
    func failure() async {
        await stored(Self.stale)
        let failing = connector { _ in .status(.serviceUnavailable) }
        let permitted = (0..<5).map { _ in Task { await failing.output() } }
        await waiting(4)
        let strict = Task { await failing.output(.get(["Cache-Control": "max-age=99"])) }
        await waiting(5)
        answered.open()
        for call in permitted { #expect(await call.value.cacheStatus?.detail == "stale-if-error") }
        #expect(await strict.value.response?.statusCode == .serviceUnavailable)
        #expect(sent.elements.count == 2)
    }

    @Test(
        "variants are requested side by side, each once; if they are unknown, when the first has arrived (4.1)",
        arguments: [true, false]
    )
    func variants(isKnown: Bool) async {
        let fields: HTTPHeaders = ["Cache-Control": "max-age=60", "Vary": "Accept"]
        if isKnown { await stored(.text("", headers: fields), .get(["Accept": "known"])) }
        let connector = connector { .text($0.headers["Accept"] ?? "", headers: fields) }
        let calls = (0..<12).map { number in Task { await connector.output(.get(["Accept": "\(number % 3)"])) } }
        await waiting(isKnown ? 9 : 11)
        #expect(sent.elements.count == (isKnown ? 3 : 1))
        answered.open()
        for (number, call) in calls.enumerated() { #expect(await call.value.text == "\(number % 3)") }
        #expect(sent.elements.count == 3)
    }

    @Test("if its call is cancelled, another one sends the request, and none of them is cancelled")
    func handover() async {
        let connector = connector { _ in Self.fresh }
        let leader = Task { await connector.output() }
        await reach { [sent] in sent.elements.count == 1 }
        let others = (0..<5).map { _ in Task { await connector.output() } }
        await waiting(5)
        leader.cancel()
        #expect(await leader.value == .noResponse(.cancelled))
        await reach { [sent] in sent.elements.count == 2 }
        await waiting(4)
        answered.open()
        for other in others { #expect(await other.value.text == "one") }
        #expect(sent.elements.count == 2)
    }

    @Test("a call that is cancelled but does not end lets another one take over")
    func deafLeader() async {
        let (begun, release) = (Latch(), Latch())
        let count = Mutex(0)
        let connector = Connector { _ in
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            begun.open()
            if isFirst { await Task.detached { await release.wait() }.value }
            return Self.fresh
        }.cached(store, time)
        let leader = Task { await connector.output() }
        await begun.wait()
        let other = Task { await connector.output() }
        await waiting(1)
        leader.cancel()
        #expect(await other.value.text == "one")
        release.open()
        #expect(await leader.value == .noResponse(.cancelled))
    }

    @Test("a waiting call can be cancelled alone")
    func cancelledWaiter() async {
        let connector = connector { _ in Self.fresh }
        let leader = Task { await connector.output() }
        await reach { [sent] in sent.elements.count == 1 }
        let waiter = Task { await connector.output() }
        await waiting(1)
        waiter.cancel()
        #expect(await waiter.value == .noResponse(.cancelled))
        answered.open()
        #expect(await leader.value.text == "one" && sent.elements.count == 1)
    }

    @Test("responses that can't be shared do not delay each other: those that have waited are requested side by side")
    func unshared() async {
        let connector = connector { _ in .text("own", headers: ["Cache-Control": "no-store"]) }
        let calls = (0..<10).map { _ in Task { await connector.output() } }
        await waiting(9)
        answered.open()
        for call in calls { #expect(await call.value.text == "own") }
        #expect(sent.elements.count == 10)
    }

    // Background validation (RFC 5861 3).

    private static let revalidated = Output.text(
        "old",
        headers: ["Cache-Control": "max-age=1, stale-while-revalidate=99", "ETag": "\"1\""]
    )

    private func background() async -> Connector {
        await stored(Self.revalidated)
        return Connector.stub(recording: sent) { [answered] _ in
            await answered.wait()
            // Longer than the time that passes meanwhile, which counts as the delay of the response (RFC 9111 4.2.3).
            return .text("new", headers: ["Cache-Control": "max-age=600"])
        }.cached(store, time)
    }

    @Test("a stale response is used while it is validated once, even if its call is cancelled (RFC 5861 3)")
    func whileRevalidate() async {
        let connector = await background()
        for _ in 0..<10 {
            let output = await connector.output()
            #expect(
                output.text == "old" && output.statusText == "StartSmall; hit; ttl=-1; detail=stale-while-revalidate"
            )
        }
        let call = Task { await connector.output() }
        call.cancel()
        _ = await call.value
        await reach { [sent] in sent.elements.count == 1 }
        #expect(sent.elements.first?.headers["If-None-Match"] == "\"1\"")
        answered.open()
        await reach { [base] in base.all.first?.response.payload == Data("new".utf8) }
        #expect(await connector.output().text == "new" && sent.elements.count == 1)
    }

    @Test("no validation in the background begins for only-if-cached")
    func onlyIfCached() async {
        let connector = await background()
        #expect(await connector.output(.get(["Cache-Control": "only-if-cached"])).text == "old")
        for _ in 0..<100 { await Task.yield() }
        #expect(sent.elements.isEmpty)
    }
}
