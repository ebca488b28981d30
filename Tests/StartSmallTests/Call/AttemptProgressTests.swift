import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// The attempt numbers of progress events, and the statuses of their responses.
struct AttemptProgressTests {
    /// Returns the progress that a listener receives from an engine that answers with these statuses in turn.
    private func reports(_ statuses: [HTTPStatus], by wrappers: Wrapper...) async -> [StartSmall.TransferProgress] {
        let (log, calls) = (EventLog(), Recorder<Void>())
        let engine = Connector { input, context in
            calls.append(())
            let status = statuses[min(calls.elements.count, statuses.count) - 1]
            context.report(.progress(TransferProgress(status: status, received: .init(bytes: 5, total: 5))))
            return .status(status, headers: ["Location": "/next"])
        }
        let connector = engine.wrapped(by: wrappers).wrapped(by: .listen(to: log.listener))
        _ = await WebAPI.call(with: Fixture.input, via: connector)
        return log.events.progress
    }

    @Test("each retry and each redirect is an attempt, counted from 1")
    func numbers() async {
        let retried = await reports([.serviceUnavailable, .serviceUnavailable, .ok], by: .retry(random: { 0 }))
        #expect(retried.map(\.attempt) == [1, 2, 3])
        let redirected = await reports([.found, .ok], by: .redirect())
        #expect(redirected.map(\.attempt) == [1, 2])
        #expect(redirected.map(\.status) == [.found, .ok])
    }

    @Test("each call counts its own attempts")
    func calls() async {
        for _ in 0..<2 { #expect(await reports([.ok]).map(\.attempt) == [1]) }
    }

    @Test("an engine that calls another engine counts as one attempt")
    func nested() async {
        let log = EventLog()
        let inner = Connector { _, context in
            context.report(.progress(TransferProgress(received: .init(bytes: 1))))
            return .status(.ok)
        }
        let outer = Connector { input, context in await inner.connect(input, context) }
        let twice = Wrapper { input, next in
            _ = await next(input)
            return await next(input)
        }
        _ = await WebAPI.call(with: Fixture.input, via: outer.wrapped(by: .listen(to: log.listener), twice))
        #expect(log.events.progress.map(\.attempt) == [1, 2])
    }

    @Test("progress of a response that is no success has no total, and so no fraction of the requested payload")
    func refusal() async {
        for status in [HTTPStatus.notFound, .found, .internalServerError] {
            let progress = await reports([status])
            #expect(progress.map(\.received) == [.init(bytes: 5)])
            #expect(progress.allSatisfy { $0.received.fraction == nil })
        }
        #expect(await reports([.partialContent]).map(\.received.fraction) == [1])
    }

    @Test(
        "over a socket: a refused download never reports 100 %, and progress of a redirect has its own attempt",
        arguments: EngineUnderTest.all
    )
    func download(engine: EngineUnderTest) async throws {
        let log = EventLog()
        let server = Connector.stub(routes: [
            "GET /moved": .text("moved", status: .found, headers: ["Location": "/file"]),
            "GET /file": .text("whole"), "GET /none": .text("no such file", status: .notFound),
        ])
        try await LoopbackServer.serving(server) { server in
            let connector = engine.connector().wrapped(by: .listen(to: log.listener), .redirect())
            for name in ["none", "moved"] {
                _ = try await Download(Input(url: server.url.appending(path: name)), via: connector)
            }
        }
        let calls = log.calls.map { log.events(of: $0).progress }
        let (refused, moved) = (try #require(calls.first), try #require(calls.last))
        #expect(refused.allSatisfy { $0.status == .notFound && $0.received.fraction == nil })
        #expect(moved.filter { $0.attempt == 1 }.allSatisfy { $0.status == .found && $0.received.fraction == nil })
        #expect(moved.last == TransferProgress(attempt: 2, status: .ok, received: .init(bytes: 5, total: 5)))
    }
}
