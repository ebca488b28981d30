import Foundation
import StartSmall
import StartSmallTesting
import Testing

@testable import StartSmallResilience

/// The bodies of streams: a call that is open until its body ends.
@Suite(.timeLimit(.minutes(1))) struct BodyTests {
    /// The ways in which a reader ends a body.
    enum Ending: String, CaseIterable, Sendable {
        case read, broken, discarded, released, interrupted, cancelled, leftAfterLastChunk
    }

    private static let lost = ConnectionError.connectionLost(.init(domain: "stub", code: 1, text: "lost"))
    private static let stream = Sample.input.with { $0.delivery = .stream }
    private static let broken = Sample.get("https://api.test/broken").with { $0.delivery = .stream }

    private let clock = ManualClock()
    private let log = EventLog()
    private let ends = Recorder<ResponseBody.End>()

    /// A connector with a body for each request, which breaks off for the path `/broken`.
    private func server(_ headers: HTTPHeaders = [:]) -> Connector {
        Connector { [ends] input in
            let failure = input.url.path() == "/broken" ? Self.lost : nil
            let output = Output.open(Response(statusCode: .ok, headers: headers), ["a".utf8, "b".utf8], then: failure)
            return output.onEnd { ends.append($0) }
        }
    }

    private func open(_ connector: Connector, _ ending: Ending = .read) async -> Output {
        await WebAPI.call(with: ending == .broken ? Self.broken : Self.stream, via: connector)
    }

    private func end(_ output: Output, _ ending: Ending) async {
        guard let body = output.response?.body else { return }
        switch ending {
        case .read, .broken: while (try? await body.next()) != nil {}
        case .discarded: body.discard()
        case .leftAfterLastChunk:
            for _ in 0..<2 { _ = try? await body.next() }
            body.discard()
        case .released: return
        case .interrupted: body.interrupt(with: Self.lost)
        case .cancelled:
            await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                _ = try? await body.next()
            }.value
        }
    }

    /// Calls a connector, and ends the body; returns the error of a call without one.
    @discardableResult
    private func stream(_ connector: Connector, _ ending: Ending) async -> String? {
        let output = await open(connector, ending)
        await end(output, ending)
        return output.connectionError?.name
    }

    // MARK: circuit breaker

    private func breaking(_ connector: Connector) -> Connector {
        let policy = CircuitBreakerPolicy(trip: .consecutiveFailures(2), openFor: .seconds(5))
        return connector.wrapped(by: .listen(to: log.listener), .circuitBreaker(policy, clock: clock))
    }

    private var circuit: [CircuitEvent] {
        log.events.compactMap { $0.reported(CircuitEvent.self) }
    }

    @Test("a body that was read to its end is a success, and one that nobody wants any more neither that nor a failure")
    func outcomes() async {
        for ending in Ending.allCases {
            let connector = breaking(server())
            for _ in 0..<10 { await stream(connector, ending) }
            let isFailure = ending == .broken || ending == .interrupted
            #expect((await stream(connector, .read) == "circuitOpen") == isFailure, "\(ending)")
            let between = breaking(server())
            for ending in [.broken, ending, .broken] { await stream(between, ending) }
            #expect((await stream(between, .read) == "circuitOpen") == (ending != .read), "\(ending)")
        }
    }

    @Test("a call counts at the end of its body, before its listeners observe its end")
    func counted() async {
        let connector = breaking(server())
        let outputs = [await open(connector, .broken), await open(connector, .broken)]
        #expect(circuit.isEmpty)
        for output in outputs { await end(output, .broken) }
        #expect(circuit == [.opened(for: .seconds(5))])
        #expect(log.names.suffix(4) == ["circuit", "noResponse", "failed", "ended"])
    }

    @Test("a body that has ended before it is returned counts at once")
    func ended() async {
        let ended = Connector { _ in
            let output = Output.open(Response(statusCode: .ok), ["a".utf8])
            output.response?.body?.interrupt(with: Self.lost)
            return output
        }
        let connector = breaking(ended)
        for _ in 0..<2 { _ = await open(connector) }
        #expect(await open(connector).connectionError?.name == "circuitOpen")
    }

    // MARK: adaptive concurrency

    @Test("a stream holds its permit until the end of its body", arguments: Ending.allCases)
    func permits(_ ending: Ending) async {
        let limited = server().wrapped(
            by: .listen(to: log.listener),
            .limitConcurrency(.adaptive(in: 1...1), sharedBy: .connector, clock: clock)
        )
        let output = await open(limited, ending)
        let next = Task { await open(limited).response?.statusCode }
        while !log.names.contains("waiting") { await Task.yield() }
        #expect(log.names.count { $0 == "receivedHead" } == 1)
        await end(output, ending)
        if ending != .released { #expect(await next.value == .ok) }
        _ = consume output
        #expect(await next.value == .ok)
    }

    @Test("a body that breaks off lowers the limit, and the time of its reader does not")
    func overload() async {
        let limited = server().wrapped(
            by: .limitConcurrency(
                .adaptive(in: 1...2, from: 2, slowerThan: .seconds(1)),
                waiting: 0,
                sharedBy: .connector,
                clock: clock
            )
        )
        for _ in 0..<10 {
            let output = await open(limited)
            clock.advance(by: .seconds(60))
            await end(output, .read)
        }
        let outputs = [await open(limited), await open(limited)]
        #expect(outputs.allSatisfy { $0.response != nil })
        for output in outputs { await end(output, .discarded) }
        for _ in 0..<10 { await stream(limited, .broken) }
        let first = await open(limited)
        #expect(await stream(limited, .read) == "tooManyCalls")
        await end(first, .read)
    }

    // MARK: rate limit

    @Test("the limits in the head of a stream hold before its body has ended")
    func limits() async {
        let usedUp: HTTPHeaders = ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "90"]
        let limited = server(usedUp).wrapped(by: .rateLimit(upTo: .zero, clock: clock))
        let output = await open(limited)
        #expect(await stream(limited, .read) == "rateLimited")
        await end(output, .read)
        clock.advance(by: .seconds(90))
        #expect(await stream(limited, .read) == nil)
    }

    // MARK: fallback

    private static func isCreated(_: Input, _ output: Output) -> Bool { output.response?.statusCode == .created }

    @Test("of two bodies, the one that is not returned is discarded", arguments: [HTTPStatus.ok, .created])
    func replaced(other: HTTPStatus) async throws {
        let bodies = Recorder<ResponseBody.Weak>()
        func opening(_ status: HTTPStatus) -> Connector {
            Connector { [ends] _ in
                let output = Output.open(Response(statusCode: status), ["\(status.code)".utf8])
                if let body = output.response?.body { bodies.append(body.weak) }
                return output.onEnd { end in if end == .discarded { ends.append(end) } }
            }
        }
        let connector = opening(.created).wrapped(by: .fallback(to: opening(other), after: Self.isCreated))
        let response = try #require(await open(connector).response)
        #expect(response.statusCode == other)
        #expect(bodies.elements.count == 2 && ends.elements == [.discarded])
        #expect(try await response.body?.next() == Data("\(other.code)".utf8))
    }

    @Test("a body that breaks off is not replaced, even before its first bytes", arguments: [[], ["a"]])
    func notReplaced(chunks: [String]) async {
        let sent = Recorder<Input>()
        let cut = Connector { _ in .open(Response(statusCode: .ok), chunks.map(\.utf8), then: Self.lost) }
        let output = await open(cut.wrapped(by: .fallback(to: .stub(Sample.ok, recording: sent))))
        await end(output, .broken)
        #expect(sent.elements.isEmpty && output.response?.statusCode == .ok)
    }

    @Test("a stream whose head is a failure is replaced by the body of the other connector")
    func replacedHead() async throws {
        let connector = Connector.stub(Sample.unavailable).wrapped(by: .fallback(to: server()))
        let body = try #require(await open(connector).response?.body)
        #expect(try await body.next() == Data("a".utf8))
        #expect(ends.elements.isEmpty)
    }
}
