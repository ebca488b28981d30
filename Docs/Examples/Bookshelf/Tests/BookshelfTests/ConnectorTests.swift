import StartSmall
import StartSmallAuth
import StartSmallStreams
import StartSmallTesting
import Testing

@testable import Bookshelf

extension Connector {
    /// Returns the connector of the SDK over a stub, with a clock that moves when a test advances it.
    static func bookshelf(
        over engine: Connector,
        tokens: TokenStore = .memory(AccessToken("valid")),
        clock: ManualClock = ManualClock()
    ) throws -> Connector {
        let server = try #require(URL(string: "https://api.bookshelf.example"))
        let app = UserAgentProduct("Acme", version: "2.1")
        return .bookshelf(over: engine, for: Account(at: server, tokens: tokens), app: app, clock: clock, random: { 0 })
    }
}

/// What the connector does around each call.
@Suite(.timeLimit(.minutes(1))) struct ConnectorTests {
    private let emma = Book(id: 1, title: "Emma")
    private let sent = Recorder<Input>()
    private let clock = ManualClock()

    @Test("a script is configured by the environment that it passes, and by nothing else")
    func environment() async throws {
        let engine = Connector.stub(.json(encoding: emma), recording: sent)
        let variables = ["BOOKSHELF_TOKEN": "secret", "BOOKSHELF_URL": "https://books.example"]
        let script = try #require(Connector.bookshelf(environment: variables, over: engine))
        _ = await Book.get(1).fetch(via: script)
        #expect(sent.elements.first?.url.host() == "books.example")
        #expect(sent.elements.first?.headers["Authorization"] == "Bearer secret")
        #expect(Connector.bookshelf(environment: [:], over: engine) == nil)
    }

    @Test("the order of the wrappers has no unwanted effect")
    func order() throws {
        #expect(try Connector.bookshelf(over: .fakeServer()).check() == [])
    }

    @Test("a request names the SDK and the app, and has a limit of its payload")
    func request() async throws {
        let request = try await Connector.bookshelf(over: .fakeServer()).dryRun(Book.get(1)).request

        #expect(request?.headers["User-Agent"] == "Bookshelf/1.0 Acme/2.1")
        #expect(request?.payloadLimit == 10_000_000)
    }

    @Test("an app chooses a branch for all calls, and another one for a single call")
    func branch() async throws {
        let kyoto = try Connector.bookshelf(over: .fakeServer(emma, recording: sent)).with(defaults: .branch("kyoto"))

        _ = await Book.get(1).fetch(via: kyoto)
        _ = await Book.get(1).fetch(via: kyoto, options: [.branch("osaka")])

        #expect(sent.elements.map { $0.headers["X-Branch"] } == ["kyoto", "osaka"])
        #expect(await kyoto.dryRun(Book.get(1)).unreadOptions == [])
    }

    @Test(
        "transient failures are retried, unless the server or the caller says no",
        arguments: [
            (Output.status(.serviceUnavailable), [], 3),
            (.status(.serviceUnavailable), [.retries(0)], 1),
            (.status(.serviceUnavailable, headers: ["X-Should-Retry": "false"]), [], 1),
            (.status(.locked), [], 3),
            (.status(.conflict), [], 1),
            (.text("Please log in.", headers: ["Content-Type": "text/html"]), [], 3),
            (.text("nginx", status: .notFound, headers: ["Content-Type": "text/html"]), [], 1),
        ] as [(Output, [CallOption], Int)]
    )
    func retries(output: Output, options: [CallOption], count: Int) async throws {
        let bookshelf = try Connector.bookshelf(over: .stub(output, recording: sent))

        _ = await Book.get(1).fetch(via: bookshelf, options: options)

        #expect(sent.elements.count == count)
    }

    @Test("a retry waits as long as the server says")
    func retryAfter() async throws {
        let busy = Output.status(.serviceUnavailable, headers: ["Retry-After": "5"])
        let engine = Connector.stub(sequence: [busy, .json(encoding: emma)])
        let bookshelf = try Connector.bookshelf(over: engine, clock: clock)

        async let errorOrBook = Book.get(1).fetch(via: bookshelf)
        await clock.waitForSleepers(count: 2)
        #expect(clock.remaining == [.seconds(5), .seconds(30)])

        clock.advance(by: .seconds(5))
        #expect(await errorOrBook.right == emma)
    }

    @Test("a book is created once, even if the response is lost")
    func create() async throws {
        let server = Connector.fakeServer(recording: sent)
        let losing = server.wrapped(by: .chaos(.cutOff(afterBytes: 2, when: .calls(1...1)), seed: 1))
        let bookshelf = try Connector.bookshelf(over: losing)

        #expect(await Book.create(BookDraft(title: "Emma")).fetch(via: bookshelf).right == emma)
        #expect(sent.elements.map(\.methodAndPayload.method) == ["POST", "POST"])
    }

    @Test("an expired token is replaced, and the call is sent again")
    func refresh() async throws {
        let tokens = TokenStore.memory(AccessToken("expired", refreshToken: "first"))
        let bookshelf = try Connector.bookshelf(over: .fakeServer(emma, recording: sent), tokens: tokens)

        #expect(await Book.get(1).fetch(via: bookshelf).right == emma)
        #expect(sent.elements.map { $0.headers["Authorization"] } == ["Bearer expired", nil, "Bearer access-1"])
        #expect(sent.elements.allSatisfy { $0.url.host() == "api.bookshelf.example" })
        #expect(try await tokens.load()?.refreshToken == "refresh-1")
    }

    @Test("a fresh response answers the next call, until the book is changed")
    func cache() async throws {
        let bookshelf = try Connector.bookshelf(over: .fakeServer(emma, recording: sent))

        for _ in 1...2 { _ = await Book.get(1).fetch(via: bookshelf) }
        _ = await Book.change(1, by: BookPatch(title: "Persuasion")).fetch(via: bookshelf)

        #expect(await Book.get(1).fetch(via: bookshelf).right?.title == "Persuasion")
        #expect(sent.elements.map(\.methodAndPayload.method) == ["GET", "PATCH", "GET"])
    }

    @Test("the sixth request within a second waits for its turn")
    func rateLimit() async throws {
        let bookshelf = try Connector.bookshelf(over: .stub(.json(encoding: emma)), clock: clock)
        for id in 1...5 { _ = await Book.get(id).fetch(via: bookshelf) }

        async let sixth = Book.get(6).fetch(via: bookshelf)
        await clock.waitForSleepers(count: 2)
        #expect(clock.remaining == [.milliseconds(200), .seconds(30)])

        clock.advance(by: .milliseconds(200))
        #expect(await sixth.right == emma)
    }

    @Test("an attempt may take ten seconds, and a call thirty, but the catalogue longer")
    func limits() async throws {
        #expect(try await limits(of: Book.get(1), count: 2) == [.seconds(10), .seconds(30)])
        #expect(try await limits(of: Book.catalogue(), count: 1) == [.seconds(90)])
    }

    @Test("the changes of the library go on while a call ends at its limit")
    func changes() async throws {
        let parts = [
            "event: book.saved\ndata: {\"id\": 1, \"title\": \"Emma\", \"format\": \"print\"}\n\n",
            "event: book.removed\ndata: {\"id\": 2}\n\n", "event: book.lent\ndata: {}\n\n",
        ]
        let bookshelf = try Connector.bookshelf(over: .stub(parts: parts, until: Latch()), clock: clock)
        let read = Latch()
        let watching = Task {
            var seen: [Fetched<BookshelfError, BookChange>] = []
            for await errorOrChange in Book.changes().stream(via: bookshelf) {
                seen.append(errorOrChange)
                if seen.count == parts.count { read.open() }
            }
            return seen
        }
        await read.wait()

        async let errorOrBook = Book.get(1).fetch(via: bookshelf, options: [.retries(0)])
        await clock.waitForSleepers(count: 2)
        clock.advance(by: .seconds(30))
        #expect(await errorOrBook.connectionError?.name == "timedOut")

        watching.cancel()
        let changes = [BookChange.saved(emma), .removed(id: 2), .other("book.lent")]
        #expect(await watching.value == changes.map { .right($0) } + [.left(.left(.cancelled))])
    }

    /// Returns the time limits of a call whose server never responds.
    private func limits<Value>(of call: Endpoint<BookshelfError, Value>, count: Int) async throws -> [Duration] {
        let clock = ManualClock()
        let bookshelf = try Connector.bookshelf(over: .silent(), clock: clock)
        async let _ = call.fetch(via: bookshelf)
        await clock.waitForSleepers(count: count)
        return clock.remaining
    }
}
