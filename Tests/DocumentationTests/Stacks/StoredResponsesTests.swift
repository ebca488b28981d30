import Foundation
import StartSmall
import StartSmallCaching
import StartSmallResilience
import StartSmallTesting
import TestSupport
import Testing

/// The links of a response that no engine returned for its request: they lead where those of a new response lead.
struct StoredResponsesTests {
    private static let links = ["next", "?page=2", "/a", "//h.example/b", "https://h.example/c"]

    /// A connector whose responses have the URL that was called, as those of an engine.
    private static func engine(_ sent: Recorder<Input> = Recorder()) -> Connector {
        .stub(recording: sent) { input in
            let url = Response(statusCode: .ok).base(of: input)
            if url.path() == "/moved" { return .status(.found, headers: ["Location": "https://h.example/x/y"]) }
            return .hasResponse(Response(statusCode: .ok, headers: ["Cache-Control": "max-age=60"], url: url))
        }
    }

    /// A wrapper inside, and whether it keeps the URL of the request.
    private struct Inner: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let wrapper: Wrapper
    }

    private static let inner = [
        Inner(testDescription: "nothing", wrapper: .all([])),
        Inner(testDescription: "another server", wrapper: .baseURL(mirror, others: .moved)),
        Inner(
            testDescription: "a key in the query",
            wrapper: Wrapper { input, next in
                await next(input.with { $0.queries.append(URLQueryItem(name: "api_key", value: "hunter2")) })
            }
        ),
    ]

    private static let mirror = URL(string: "https://mirror.example/v2/")!

    private static let spellings = [
        "https://api.example.com/things/1?a=b", "https://api.example.com/things/1?a=b#c",
        "HTTPS://API.example.com:443/things/1?a=b",
    ].map { Input(url: URL(string: $0)!) }

    /// The URLs of links, as an app resolves them.
    private static func targets(_ output: Output, _ input: Input) -> [URL?] {
        links.map { output.response?.base(of: input).resolving($0) }
    }

    @Test(
        "a stored response has its own URL, or that of the request, and no key is stored with it",
        arguments: inner,
        [true, false]
    )
    private func cached(_ inner: Inner, inDirectory: Bool) async throws {
        try await withFolder { folder in
            let sent = Recorder<Input>()
            let server = Self.engine(sent).wrapped(by: inner.wrapper)
            let store = inDirectory ? CacheStore.directory(folder.appending(path: "cache")) : .memory()
            let app = server.wrapped(by: .cache(in: store))
            for input in Self.spellings {
                let new = await WebAPI.call(with: input, via: server)
                let answer = await WebAPI.call(with: input, via: app)
                #expect(Self.targets(answer, input) == Self.targets(new, input) && answer.response?.url != nil)
            }
            #expect(sent.elements.count == Self.spellings.count + 1)
            let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            for path in paths {
                let bytes = (try? Data(contentsOf: folder.appending(path: path))) ?? Data()
                #expect(bytes.range(of: Data("hunter2".utf8)) == nil)
            }
        }
    }

    @Test("a replayed response has the URL of the request, or the last one of its redirections", arguments: 0...1)
    func replayed(_ row: Int) async throws {
        try await withFolder { folder in
            let input = Input(
                url: try #require(URL(string: "https://api.example.com/\(row == 0 ? "things" : "moved")"))
            )
            let server = Self.engine().wrapped(by: .redirect())
            let file = folder.appending(path: "calls.cassette")
            let new = await WebAPI.call(with: input, via: server.wrapped(by: .record(to: file)))
            let answer = await WebAPI.call(with: input, via: .replay(from: file))
            #expect(Self.targets(answer, input) == Self.targets(new, input) && new.response?.url != nil)
            let exchange = try #require(try Cassette(at: file).exchanges.first)
            #expect(exchange.response.url == nil)
        }
    }

    @Test("a fallback has the URL of the server that gave it, or without a server that of the request")
    func fallback() async {
        let input = Self.spellings[0]
        let failing = Connector.stub(.status(.serviceUnavailable))
        let other = Self.engine().wrapped(by: .baseURL(Self.mirror, others: .moved))
        let new = await WebAPI.call(with: input, via: other)
        let answer = await WebAPI.call(with: input, via: failing.wrapped(by: .fallback(to: other)))
        #expect(Self.targets(answer, input) == Self.targets(new, input))
        let fixed = await WebAPI.call(with: input, via: failing.wrapped(by: .fallback(to: Response(statusCode: .ok))))
        #expect(fixed.response?.base(of: input) == input.url)
    }
}
