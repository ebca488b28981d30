import Foundation
import StartSmallTesting
import TestSupport
import Testing

import StartSmall
@testable import StartSmallCore

/// The calls whose payload is read as it arrives: `input.delivery = .stream`.
@Suite(.timeLimit(.minutes(1))) struct StreamedCallTests {
    private static let head = Response(statusCode: .ok, headers: ["A": "b"])
    private static let input = Input(url: Fixture.url, delivery: .stream)
    private let log = EventLog()

    private func call(_ connector: Connector) async -> Output {
        await WebAPI.call(with: Self.input, via: connector.wrapped(by: .listen(to: log.listener)))
    }

    /// The ways in which a stream ends, with its last events.
    private static let ends: [(name: String, last: [String])] = [
        ("complete", ["received", "succeeded", "ended"]),
        ("finished", ["received", "succeeded", "ended"]),
        ("lost", ["noResponse", "failed", "ended"]),
        ("interrupted", ["noResponse", "failed", "ended"]),
        ("discarded", ["cancelled", "failed", "ended"]),
        ("dropped", ["cancelled", "failed", "ended"]),
    ]

    @Test("a call ends with its body, in one way, and nothing is reported after that", arguments: ends.indices)
    func events(of index: Int) async throws {
        let (name, last) = Self.ends[index]
        let contexts = Recorder<CallContext>()
        let connector = Connector { _, context in
            contexts.append(context)
            return .open(Self.head, ["he", "llo"].map(\.utf8), then: name == "lost" ? Fixture.lost : nil)
        }
        do {
            let body = try #require(await call(connector).response?.body)
            #expect(await body.read() == .success(Data("he".utf8)))
            #expect(log.names == ["started", "receivedHead"])
            switch name {
            case "finished": body.finish()
            case "interrupted": body.interrupt(with: Fixture.lost)
            case "discarded": body.discard()
            case "dropped": break
            default: while case .success(.some) = await body.read() {}
            }
        }
        contexts.elements[0].report(TestEvent("late"))
        #expect(log.names == ["started", "receivedHead"] + last)
        guard let event = log.events.first(where: { $0.name == last[0] }) else { return }
        switch event {
        case .received(let response):
            #expect(response.headers == Self.head.headers)
            #expect(response.payload == Data())
            #expect(response.description.contains(name == "complete" ? "5 bytes delivered" : "2 bytes delivered"))
        case .noResponse(let error):
            #expect(error == Fixture.lost(after: Self.head, reading: name == "interrupted" ? 2 : 5))
        default: break
        }
    }

    @Test("the body of a response outside of 2xx is its payload, up to the limit", arguments: [nil, 5, 4, 0, -1])
    func refused(limit: Int?) async {
        let ends = Recorder<ResponseBody.End>()
        let connector = Connector { _ in
            Output.open(Response(statusCode: .notFound), ["he", "llo"].map(\.utf8)).onEnd { ends.append($0) }
        }
        let output = await WebAPI.call(with: Self.input.with { $0.payloadLimit = limit }, via: connector)
        let taken = max(0, limit ?? .max)
        #expect(output.response?.statusCode == .notFound)
        #expect(output.response?.content == .data(Data("hello".utf8).prefix(taken)))
        #expect((output.connectionError?.name == "payloadTooLarge") == (taken < 5))
        #expect(ends.elements.count == 1)
    }

    @Test("an endless payload of an error does not fill the memory")
    func endless() async {
        var endless = Response(statusCode: .notFound)
        endless.content = .body(ResponseBody { Data(count: 100_000) })
        let output = await call(.stub(.hasResponse(endless)))
        #expect(output.connectionError?.name == "payloadTooLarge")
        #expect(output.response?.payload.count == 1 << 20)
    }

    @Test("a payload in memory becomes a body, with its trailers after it")
    func opened() async throws {
        var response = Fixture.ok
        response.trailers = ["T": "1"]
        let output = await call(.stub(.hasResponse(response)))
        let body = try #require(output.response?.body)
        #expect(output.response?.trailers == [:])
        #expect(await body.read() == .success(Data("hello".utf8)))
        #expect(body.trailers == [:])
        #expect(await body.read() == .success(nil))
        #expect(body.trailers == ["T": "1"])
        #expect(log.events.contains { if case .received(let head) = $0 { head.trailers == ["T": "1"] } else { false } })
    }

    @Test("a response that a wrapper makes is opened as well, and an engine's body is read for a call into memory")
    func forms() async {
        let own = Connector.stub(.noResponse(.cancelled)).wrapped(by: Wrapper { _, _ in .hasResponse(Fixture.ok) })
        #expect(await call(own).response?.body?.read() == .success(Data("hello".utf8)))
        for connector in [
            Connector { _ in .open(Self.head, ["he", "llo"].map(\.utf8)) },
            Connector.stub(.noResponse(.cancelled)).wrapped(by: Wrapper { _, _ in .open(Self.head, ["hello".utf8]) }),
        ] {
            let output = await WebAPI.call(with: Fixture.input, via: connector)
            #expect(output.response?.content == .data(Data("hello".utf8)))
        }
    }

    @Test("a call that is cancelled when its head arrives ends the body, and returns no response")
    func cancelled() async {
        let ends = Recorder<ResponseBody.End>()
        let connector = Connector { _ in
            withUnsafeCurrentTask { $0?.cancel() }
            return Output.open(Self.head, ["hello".utf8]).onEnd { ends.append($0) }
        }
        #expect(await Task { await call(connector) }.value == .noResponse(.cancelled))
        #expect(ends.elements == [.discarded])
        #expect(log.names == ["started", "receivedHead", "cancelled", "failed", "ended"])
    }
}
