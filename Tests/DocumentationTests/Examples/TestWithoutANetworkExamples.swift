import Foundation
import StartSmall
import StartSmallAuth
import StartSmallJSON
import StartSmallStreams
import StartSmallTestTraits
import StartSmallTesting
import Testing

/// The Swift blocks of Sources/Products/StartSmallTesting/StartSmallTesting.docc/TestWithoutANetwork.md, in order.
struct TestWithoutANetworkExamples {
    private struct User: Codable, Hashable, Sendable {
        let id: Int
        let login: String

        static func endpoint(byLogin login: String) -> Endpoint<TransformError<ProblemDetails>, User> {
            .json(
                User.self,
                .get("https://api.example.com/users/{login}", ["login": login]),
                problem: ProblemDetails.self
            )
        }
    }

    private let octocat = User(id: 1, login: "octocat")

    @Test("an endpoint creates its own stub, and the difference of a sent request is described in words")
    func endpointStub() async throws {
        let user = User.endpoint(byLogin: "octocat")
        let missing = User.endpoint(byLogin: "nobody")
        let api = Connector.stub(
            user.stub(User(id: 1, login: "octocat")),
            missing.stub(problem: ProblemDetails(title: "no such user"), status: .notFound)
        )

        #expect(await user.fetch(via: api) == .right(User(id: 1, login: "octocat")))
        #expect(await missing.fetch(via: api).failure?.problem?.title == "no such user")

        let sent = Recorder<Input>()
        _ = await user.fetch(via: .stub(user.stub(octocat), recording: sent))

        #expect(try difference(between: user.input.get(), and: #require(sent.elements.first)) == nil)
    }

    @Test("a recorded input has the payload that was sent")
    func sentPayload() async throws {
        let renamed = Recorder<Input>()

        let rename = Endpoint.json(
            User.self,
            .patch("https://api.example.com/users/1", payload: .json(["login": "mona"]))
        )
        _ = await rename.fetch(via: .stub(.json(#"{"id": 1, "login": "mona"}"#), recording: renamed))

        let payload = try #require(renamed.elements.first?.methodAndPayload.payload)
        #expect(payload.content == .data(Data(#"{"login":"mona"}"#.utf8)))
        #expect(payload.mediaType == .json)
        #expect(renamed.elements.first?.methodAndPayload.body == Data(#"{"login":"mona"}"#.utf8))
    }

    @Test("a stream with a base URL is delivered part by part")
    func parts() async throws {
        let base = try #require(URL(string: "https://api.example.com/v1"))
        var words: [String] = []

        let chat = Endpoint.events(.post("/chat"), until: { $0.data == "[DONE]" })
        let server = Connector.stub(chat.stub(parts: ["data: Hel", "lo\n\n", "data: [DONE]\n\n"]))
        let app = server.wrapped(by: .baseURL(base))
        for await errorOrEvent in chat.stream(via: app) { words.append(errorOrEvent.right?.data ?? "…") }

        #expect(words == ["Hello"])
    }

    @Test("a stream that stays open ends at its limit", .timeLimit(.minutes(1)))
    func openStream() async {
        let (clock, read) = (ManualClock(), Latch())

        let ticker = Endpoint.lines(.get("https://api.example.com/ticker"))
        let open = Connector.stub(ticker.stub(parts: ["100\n"], until: Latch()))
        let impatient = open.wrapped(by: .timeout(.seconds(10), clock: clock))

        let reading = Task {
            var lines: [String?] = []
            for await errorOrLine in ticker.stream(via: impatient) {
                lines.append(errorOrLine.right ?? errorOrLine.connectionError?.name)
                read.open()
            }
            return lines
        }
        await read.wait()
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(10))
        #expect(await reading.value == ["100", "timedOut"])
    }

    @Test("an expired token is refreshed and saved, and the call is sent again with the new token")
    func expiredToken() async {
        let sent = Recorder<Input>()
        let refresh = { @Sendable (_: AccessToken) in
            Endpoint.json(OAuthTokenResponse.self, .post("https://api.example.com/token", payload: .text("r")))
        }

        let saved = Recorder<AccessToken?>()
        let store = TokenStore(
            load: { saved.elements.last ?? AccessToken("old", refreshToken: "r") },
            save: { saved.append($0) }
        )
        let user = Output.json(#"{"id": 1, "login": "octocat"}"#)
        let server = Connector.stub(
            sequence: [.status(.unauthorized), .json(#"{"access_token": "new"}"#), user],
            recording: sent
        )
        let app = server.wrapped(
            by: .refreshToken(in: store) { token, connector in
                await refresh(token).map { $0.accessToken(receivedAt: Date(), inPlaceOf: token) }.fetch(via: connector)
            }
        )

        #expect(await User.endpoint(byLogin: "octocat").fetch(via: app).right?.id == 1)
        #expect(sent.elements.map { $0.headers["Authorization"] } == ["Bearer old", nil, "Bearer new"])
        #expect(saved.elements.map(\.?.value) == ["new"])
    }

    @Test("a time limit ends a call without a wait", .timeLimit(.minutes(1)))
    func clocksAndLatches() async {
        let user = User.endpoint(byLogin: "octocat")

        let (begun, ended) = (Latch(), Latch())
        let clock = ManualClock()
        let server = Connector.silent(begun: begun, ended: ended)
        let app = server.wrapped(by: .timeout(.seconds(10), clock: clock))

        async let errorOrUser = user.fetch(via: app)
        await begun.wait()
        await clock.waitForSleepers(count: 1)
        #expect(clock.remaining == [.seconds(10)])

        clock.advance(by: .seconds(10))
        await ended.wait()
        #expect(await errorOrUser.connectionError?.name == "timedOut")
    }

    private struct Book: Codable {
        let title: String
    }

    private enum Books {
        static let list = Endpoint.json([Book].self, .get("https://books.example.com/books"))

        static func rename(_ id: Int, to title: String) -> Endpoint<TransformError<Never>, Book> {
            .json(
                Book.self,
                .patch("https://books.example.com/books/{id}", ["id": id], payload: .json(["title": title]))
            )
        }
    }

    @Test(.cassette("books"))
    func theFirstPageHasTenBooks() async throws {
        let books = try await Books.list.value(via: .cassette)
        #expect(books.count == 10)
    }

    @Test(.cassette("rename"))
    func aBookIsRenamed() async throws {
        let token = ProcessInfo.processInfo.environment["BOOKS_TOKEN", default: "none"]
        let app = Connector.cassette.wrapped(by: .bearer(token))
        #expect(try await Books.rename(1, to: "Emma").value(via: app).title == "Emma")
    }

    @Test("a cassette is recorded and replayed")
    func cassette() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "StartSmallExamples-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let (file, token) = (folder.appending(path: "user.json"), "a-token-of-mine")
        let user = User.endpoint(byLogin: "octocat")
        let engine = Connector.stub(user.stub(octocat))
        let recording = engine.wrapped(by: .bearer(token), .record(to: file))
        _ = await user.fetch(via: recording)
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains("\"Authorization: [redacted]\""))
        #expect(!text.contains(token))

        let replaying = Connector.replay(from: file)
        #expect(await user.fetch(via: replaying) == .right(octocat))

        let both = engine.wrapped(by: .replay(from: file, expiringAfterDays: 30))
        #expect(await user.fetch(via: both) == .right(octocat))
    }

    @Test("an archive of a browser is replayed")
    func archive() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "StartSmallExamples-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let har = folder.appending(path: "browser.har")
        let request = #"{"method": "GET", "url": "https://api.example.com/users/octocat"}"#
        let text = #"""
            {"log": {"entries": [
              {"startedDateTime": "2026-01-02T03:04:05.678Z", "request": \#(request), "response": {
                "status": 200, "content": {"mimeType": "application/json", "text": "{\"id\": 1, \"login\": \"octocat\"}"}}},
              {"request": \#(request), "response": {"status": 0}}
            ]}}
            """#
        try Data(text.utf8).write(to: har)

        let fake = Connector.replay(from: har)
        #expect(await User.endpoint(byLogin: "octocat").fetch(via: fake).right?.login == "octocat")

        let cassette = try Cassette(at: har)
        #expect(cassette.remarks == ["entry 2: there was no response"])
    }

    @Test("an app survives random faults")
    func chaos() async {
        let flaky = Connector.stub(.text("hello")).wrapped(
            by: .retry(random: { 0 }),
            .chaos(
                .status(.serviceUnavailable, when: .calls(1...2)),
                .cutOff(afterBytes: 2, when: .probability(0.1)),
                seed: 7
            )
        )
        #expect(await Endpoint.text(.get("https://api.example.com/")).fetch(via: flaky) == .right("hello"))
    }

    #if os(Linux) && !APPLE_BRANCH
        @Test("a loopback server serves a connector, or plays a script that breaks HTTP's rules")
        func overASocket() async throws {
            let engine = Connector.curl()

            let served = try await LoopbackServer.serving(.stub(.text("hello"))) { server in
                await Endpoint.text(.get(server.url.absoluteString)).fetch(via: engine)
            }

            let half = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"
            let broken = try await LoopbackServer.playing({ _ in [.receiveRequest, .send(half), .reset] }) { server in
                await Endpoint.text(.get(server.url.absoluteString)).fetch(via: engine)
            }

            #expect(served == .right("hello"))
            guard case .left(.left(.connectionLost(let cause))) = broken else {
                Issue.record("\(broken)")
                return
            }
            #expect(cause.partial?.statusCode == .ok)
        }
    #endif

    @Test("a wrapper is checked by the laws of wrappers")
    func wrapperLaws() async {
        let laws = WrapperLaws(atMostCalls: 3) { .retry(random: { 0 }) }
        #expect(await laws.violations() == [])
    }

    #if os(Linux) && !APPLE_BRANCH
        @Test("a connector is checked by the laws of connectors")
        func connectorLaws() async {
            let engine = Connector.curl()
            for law in ConnectorLaw.all {
                #expect(await law.violations(of: engine) == [])
            }
        }
    #endif
}
