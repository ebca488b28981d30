import Foundation
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

struct QueriesTests {
    private static let server = URL(string: "https://example.com")!

    @Test(
        "the items are added to requests to the origin, unless they have items of these names",
        arguments: [
            ("https://example.com/a", [], ["v=1", "beta"]), ("https://example.com/a?v=2", [], ["beta"]),
            ("https://example.com/a?%76=2", [], ["beta"]), ("https://example.com/a?V=2", [], ["v=1", "beta"]),
            ("https://example.com/a", ["v=2", "q=x"], ["v=2", "q=x", "beta"]),
            ("https://example.com/a?beta=&v=", [], []), ("https://example.com:443/", [], ["v=1", "beta"]),
            ("https://other.example/a", ["q=x"], ["q=x"]), ("http://example.com/a", [], []), ("/a", [], []),
        ]
    )
    func added(_ url: String, _ own: [String], _ expected: [String]) async throws {
        let items = own.map { text in
            let parts = text.split(separator: "=").map(String.init)
            return URLQueryItem(name: parts[0], value: parts[1])
        }
        let input = Input(url: try #require(URL(string: url)), queries: items)
        let call = await RecordedCall(of: input, through: .queries(["v": 1, "beta": nil], to: .origin(Self.server)))
        #expect(call.request?.queries.map { $0.name + ($0.value.map { "=\($0)" } ?? "") } == expected)
        #expect(call.request?.url == input.url)
    }

    @Test("a scope without an origin is an error, and no request is sent")
    func noOrigin() async {
        let call = await RecordedCall(through: .queries(["v": 1], to: .origin(URL(string: "/a")!)))
        #expect(call.sent == [])
        #expect(call.output.connectionError?.name == "malformedURL")
    }

    @Test("each attempt has an item once, and two items of one name are both added")
    func repeated() async {
        let sent = Recorder<Input>()
        let app = Connector.stub(sequence: [.status(.serviceUnavailable), .status(.ok)], recording: sent)
            .wrapped(by: .retry(clock: ManualClock(), random: { 0 }), .queries(["v": 1, "v": 2], to: .anyOrigin))
        _ = await WebAPI.call(with: Fixture.input, via: app)
        #expect(sent.elements.map(\.queries.count) == [2, 2])
    }

    @Test("a redirected request gets no items, outside of the redirect")
    func redirected() async {
        let sent = Recorder<Input>()
        let moved = Output.status(.found, headers: ["Location": "/b"])
        let app = Connector.stub(sequence: [moved, .status(.ok)], recording: sent)
            .wrapped(by: .queries(["v": 1], to: .anyOrigin), .redirect())
        _ = await WebAPI.call(with: Fixture.input, via: app)
        #expect(sent.elements.map(\.queries.count) == [1, 0])
    }
}
