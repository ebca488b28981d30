import Foundation
import StartSmallTesting
import TestSupport
import Testing

import StartSmallStreams
@testable import StartSmall
@testable import StartSmallCore

struct StandardConnectorTests {
    @Test("the engine is libcurl's on Linux, and Foundation's elsewhere") func engine() {
        #if os(Linux) && !APPLE_BRANCH
            #expect(Connector.engine.description == "curl")
        #else
            #expect(Connector.engine.description == "urlSession")
        #endif
    }

    @Test("a JSON call is one line, and goes to the server") func get() async throws {
        try await LoopbackServer.serving(.stub(.json(encoding: ["login": "Kuniwak"]))) { server in
            let user = Endpoint.json([String: String].self, .right(Input(url: server.url)))
            #expect(await user.fetch().right == ["login": "Kuniwak"])
        }
    }

    @Test("each form of a call without a connector is made by the standard one, which follows redirects")
    func withoutConnector() async throws {
        let (sent, got) = (Recorder<Input>(), Recorder<String?>())
        @Sendable func text(_ output: Output) -> String? {
            output.response.map { String(decoding: $0.payload, as: UTF8.self) }
        }
        func first<S: AsyncSequence>(_ sequence: S) async throws -> S.Element? {
            for try await element in sequence { return element }
            return nil
        }
        // Events, which are also lines of a text.
        let redirecting = Connector.stub(recording: sent) { input in
            input.url.path() == "/next"
                ? .text("data: 1\n\n", headers: ["Content-Type": "text/event-stream"])
                : .status(.found, headers: ["Location": "/next"])
        }
        try await LoopbackServer.serving(redirecting) { server in
            let input = Input(url: server.url)
            let (endpoint, lines) = (Endpoint.text(.right(input)), Endpoint.lines(.right(input)))
            got.append(text(await WebAPI.call(with: input)))
            await WebAPI.call(with: input) { got.append(text($0)) }.value
            got.append(await endpoint.fetch().right)
            await endpoint.fetch { got.append($0.right) }.value
            got.append(try await endpoint.value())
            got.append(try await first(Polling(endpoint, every: .seconds(600)))?.right)
            got.append(try await first(endpoint.pages(by: .link()).stream())?.right)
            #expect(got.elements == Array(repeating: "data: 1\n\n", count: 7))
            #expect(try await first(lines.stream())?.right == "data: 1")
            #expect(try await first(lines.values()) == "data: 1")
            #expect(try await first(Endpoint.events(.right(input)).reconnecting().stream())?.right?.data == "1")
            #expect(sent.elements.count { $0.url.path() == "/next" } == 10)
        }
    }

    private static let moved = Output.status(.found, headers: ["Location": "https://elsewhere.example/"])

    /// Returns the requests that an engine gets and the output, where the first response redirects to another origin.
    private func outcome(_ connector: (_ engine: Connector) -> Connector) async -> (sent: [Input], output: Output) {
        let sent = Recorder<Input>()
        let stub = Connector.stub(sequence: [Self.moved, .hasResponse(Fixture.ok)], recording: sent)
        let input = Fixture.input.with { $0.headers.append("X-Ticket", "secret") }
        let output = await WebAPI.call(with: input, via: connector(stub))
        return (sent.elements, output)
    }

    @Test("by default, redirects are followed and payloads limited, with the wrappers' defaults")
    func defaults() async {
        let (sent, output) = await outcome { .standard(over: $0) }
        #expect(sent.map(\.payloadLimit) == [Wrapper.defaultPayloadLimit, Wrapper.defaultPayloadLimit])
        #expect(sent.map { $0.headers["X-Ticket"] } == ["secret", "secret"])
        #expect(output.response?.statusCode == .ok)
    }

    @Test("a larger payload limit is the one that the engine gets")
    func limit() async {
        let sent = await outcome { .standard(over: $0, limitingPayload: 200_000_000) }.sent
        #expect(sent.map(\.payloadLimit) == [200_000_000, 200_000_000])
    }

    @Test("the given redirect policy is applied")
    func policy() async {
        let dropping = await outcome { .standard(over: $0, redirecting: RedirectPolicy(alsoDropping: ["X-Ticket"])) }
        #expect(dropping.sent.map { $0.headers["X-Ticket"] } == ["secret", nil])
        let none = await outcome { .standard(over: $0, redirecting: RedirectPolicy(limit: 0)) }
        #expect(none.sent.count == 1)
        #expect(none.output.connectionError?.name == "tooManyRedirects")
    }
}
