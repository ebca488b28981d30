import Foundation
import StartSmall
import StartSmallStreams
import StartSmallTesting
import Testing

/// The Swift blocks of Sources/StartSmall/StartSmall.docc/PollingAndPages.md, in order.
struct SequencesExamples {
    struct Issue: Decodable, Sendable {
        let title: String
    }

    struct Found: Decodable, Sequence, Sendable {
        let issues: [Issue]
        let nextCursor: String?

        func makeIterator() -> IndexingIterator<[Issue]> { issues.makeIterator() }
    }

    private let job = Endpoint.text(.get("https://api.example.com/jobs/1"))
    private let clock = ManualClock()

    /// Runs the body while each pause ends as soon as it begins.
    private func hurrying(_ body: () async -> Void) async {
        let task = Task { [clock] in
            while !Task.isCancelled {
                await clock.waitForSleepers(count: 1)
                clock.advance(by: .seconds(5))
            }
        }
        await body()
        task.cancel()
    }

    @Test("polling continues until a failure that no retry can fix, or while a custom condition holds")
    func polling() async {
        let server = Connector.stub(
            sequence: [
                .text("queued"), .text("running"), .status(.gone), .text("running"), .text("done"), .text("done"),
                .status(.gone),
            ]
        )
        let untilDone = Polling(job, every: .seconds(5), while: { $0.right == "running" }, via: server, clock: clock)
        let paced = Polling(
            job,
            every: .seconds(1),
            pausedBy: .milliseconds("OpenAI-Poll-After-Ms"),
            via: server,
            clock: clock
        )
        var states: [String] = []

        await hurrying {
            for await errorOrState in Polling(job, every: .seconds(5), via: server, clock: clock) {
                states.append(errorOrState.right ?? "none")
            }
            for await state in untilDone { states.append(state.right ?? "none") }
            for await state in paced { states.append(state.right ?? "none") }
        }

        #expect(states == ["queued", "running", "none", "running", "done", "done", "none"])
    }

    private let firstPage = Output.json(#"[{"title": "a"}, {"title": "b"}]"#, headers: ["Link": "<?page=2>; rel=next"])
    private let secondPage = Output.json(#"[{"title": "c"}]"#)

    private let middlePage = Output.json(#"{"issues": [{"title": "a"}, {"title": "b"}], "nextCursor": "x"}"#)
    private let lastPage = Output.json(#"{"issues": [{"title": "c"}]}"#)

    @Test("the items of all pages are one sequence, by the links of each response")
    func items() async throws {
        let server = Connector.stub(sequence: [firstPage, secondPage])
        let input = Input(url: try #require(URL(string: "https://api.example.com/issues")))
        let response = try #require(firstPage.response)
        var titles: [String] = []

        let issues = Endpoint.json([Issue].self, .get("https://api.example.com/issues"))
        for await errorOrIssue in issues.pages(by: .link()).items(via: server) {
            titles.append(errorOrIssue.right?.title ?? "none")
        }

        let next = response.links.first { $0.isOf("next") }
        let url = next?.target(from: response.base(of: input))

        #expect(titles == ["a", "b", "c"])
        #expect(url?.absoluteString == "https://api.example.com/issues?page=2")
    }

    @Test("there are four strategies from page to page, and custom ones")
    func ways() async {
        let byLink = PaginationStrategy<[Issue]>.link()
        let byNumber = PaginationStrategy<[Issue]>.number(query: "page")
        let byOffset = PaginationStrategy<[Issue]>.number(query: "offset", first: 0, step: 50)
        let byCursor = PaginationStrategy<Found>.cursor(query: "after") { page in page.nextCursor }

        let byPayload = PaginationStrategy<Found> { context in
            guard let cursor = context.page.nextCursor else { return nil }
            return .post("https://api.example.com/search", payload: .json(["after": cursor]))
        }

        let issues = Endpoint.json([Issue].self, .get("https://api.example.com/issues"))
        for (paging, expected) in [(byLink, "?page=2"), (byNumber, "?page=2"), (byOffset, "?offset=50")] {
            let sent = Recorder<Input>()
            let server = Connector.stub(sequence: [firstPage, .json("[]")], recording: sent)
            for await _ in issues.pages(by: paging).stream(via: server) {}
            let called = sent.elements.last.flatMap { ValidatedRequest.from($0).right?.url.absoluteString }
            #expect(called == "https://api.example.com/issues" + expected)
        }
        let sent = Recorder<Input>()
        let found = Endpoint.json(Found.self, .get("https://api.example.com/search"))
        for paging in [byCursor, byPayload] {
            let server = Connector.stub(sequence: [middlePage, lastPage], recording: sent)
            for await _ in found.pages(by: paging).stream(via: server) {}
        }
        #expect(sent.elements[1].queries == [URLQueryItem(name: "after", value: "x")])
        #expect(sent.elements.last?.methodAndPayload.body == Data(#"{"after":"x"}"#.utf8))
    }

    @Test("the items of pages with a cursor are one sequence, whose second page has a stub with another query")
    func itemsOfEnvelopes() async {
        let byCursor = PaginationStrategy<Found>.cursor(query: "after") { page in page.nextCursor }
        var titles: [String] = []
        func show(via server: Connector) async {
            let search = Endpoint.json(Found.self, .get("https://api.example.com/search"))
            for await errorOrIssue in search.pages(by: byCursor).items(via: server) {
                titles.append(errorOrIssue.right?.title ?? "none")
            }
        }

        let search = Endpoint.json(Found.self, .get("https://api.example.com/search"))
        let second = search.with { $0 = $0.settingQuery("after", to: "x") }
        let api = Connector.stub(
            search.stub(.json(#"{"issues": [{"title": "a"}], "nextCursor": "x"}"#)),
            second.stub(.json(#"{"issues": [{"title": "b"}]}"#))
        )

        await show(via: api)
        #expect(titles == ["a", "b"])
    }

    @Test("pages can be at another origin that is allowed")
    func origins() async throws {
        let moved = Output.json("[]", headers: ["Link": "<https://mirror.example/issues>; rel=next"])
        let server = Connector.stub(sequence: [moved, secondPage])
        let mirror = try #require(URL(string: "https://mirror.example").flatMap(Origin.init))
        let issues = Endpoint.json([Issue].self, .get("https://api.example.com/issues"))

        let pages = issues.pages(by: .link(), limit: 50, alsoAt: [mirror])

        var counts: [Int?] = []
        for await errorOrPage in pages.stream(via: server) { counts.append(errorOrPage.right?.count) }
        #expect(counts == [0, 1])
    }

    @Test("a stub can have two pages of which the second fails")
    func pagesInTests() async {
        let issues = Endpoint.json([Issue].self, .get("https://api.example.com/issues"))
        var titles: [String] = []

        let lost = ConnectionError.connectionLost(.init(domain: "Test", code: 0, text: "the connection was lost"))
        let pages = Connector.stub(sequence: [
            .json(#"[{"title": "a"}]"#, headers: ["Link": "<?page=2>; rel=next"]),
            .noResponse(lost),
        ])
        for await errorOrIssue in issues.pages(by: .link()).items(via: pages) {
            switch errorOrIssue {
            case .right(let issue): titles.append(issue.title)
            case .left(let failure): titles.append("\(failure)")
            }
        }

        #expect(titles == ["a", "page 2: \(lost)"])
    }
}
