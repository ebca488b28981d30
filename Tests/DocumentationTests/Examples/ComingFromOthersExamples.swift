import Dispatch
import Foundation
import GitHubAPI
import StartSmall
import StartSmallAuth
import StartSmallDiagnostics
import StartSmallTesting
import TestSupport
import Testing

#if canImport(Combine)
    import Combine
#endif

/// The Swift blocks of Sources/StartSmall/StartSmall.docc/ComingFromOthers.md, in order.
struct ComingFromOthersExamples {
    private let phrase = Output.text("Design for failure.")

    @Test("the parts of an ApiRequest belong to an endpoint and to the app's connector", .parity("D1"))
    func apiRequest() async throws {
        let sent = Recorder<Input>()
        let stub = Connector.stub(.json(#"[{"name": "start-small", "fork": false}]"#), recording: sent)
        let server = try #require(URL(string: "https://api.github.com"))
        let token = "t0k3n"

        let list = Endpoint.repositories(visibility: "private")
            .authorized(by: .basic(user: "octocat", password: token))

        let connector = stub.wrapped(
            by: .baseURL(server),
            .headers(["Accept": "application/vnd.github+json"])
        )

        let repositories = await list.fetch(via: connector)

        #expect(repositories == .right([Repository(name: "start-small", fork: false)]))
        let input = try #require(sent.elements.first)
        #expect(input.methodAndPayload == .get)
        #expect(input.url.absoluteString == "https://api.github.com/user/repos")
        #expect(input.queries == [URLQueryItem(name: "visibility", value: "private")])
        #expect(
            input.headers == [
                "Authorization": "Basic b2N0b2NhdDp0MGszbg==", "Accept": "application/vnd.github+json",
            ]
        )
    }

    @Test("a Moya target is an endpoint, its sample data are a stub, and wrappers do the work of an interceptor")
    func target() async {
        let token = "t0k3n"

        let stub = Connector.stub(routes: [
            "GET /zen": .text("Design for failure."),
            "GET /users/octocat": .json(#"{"id": 1, "login": "octocat"}"#),
        ])

        let zen = await GitHubService.zen.fetch(via: stub)
        let user = await GitHubService.user("octocat").fetch(via: stub)

        #expect(zen == .right("Design for failure."))
        #expect(user.right?.login == "octocat")

        let session = stub.wrapped(
            by: .userAgent("Acme", version: "1.2"),
            .retry(.exponential(attempts: 3)),
            .bearer { token },
            .log(.curl)
        )

        #expect(await GitHubService.zen.fetch(via: session) == zen)
    }

    @Test("the refresh token of another kit is enough to stay signed in, and is used once")
    func session() async throws {
        struct AuthState { let refreshToken: String? }
        let (authState, client, store) = (AuthState(refreshToken: "old"), OAuthClient("app"), TokenStore.memory())
        let tokenEndpoint = try #require(URL(string: "https://server.example.com/token"))
        let api = try #require(URL(string: "https://api.example.com/"))
        let (sent, token) = (
            Recorder<Input>(), #"{"access_token": "a", "refresh_token": "new", "token_type": "Bearer"}"#
        )
        let app = Connector.stub(recording: sent) { $0.url == tokenEndpoint ? .json(token) : .text("hello") }

        for launch in 1...2 {
            if try await store.load() == nil, let refreshToken = authState.refreshToken {
                try await store.save(AccessToken("expired", refreshToken: refreshToken, expires: .distantPast))
            }
            let signedIn = app.wrapped(by: .oauth(client, at: tokenEndpoint, in: store, to: .origin(api)))

            #expect(await Endpoint.text(.get(api)).fetch(via: signedIn) == .right("hello"))
            #expect(sent.elements.filter { $0.url == tokenEndpoint }.count == 1)
            #expect(sent.elements.count == launch + 1)
            #expect(sent.elements.last?.headers["Authorization"] == "Bearer a")
            #expect(try await store.load()?.refreshToken == "new")
        }
    }

    @Test("an endpoint is called by async, throwing and callback functions", .parity("C6"))
    func calls() async throws {
        let connector = Connector.stub(phrase)
        let show: @Sendable (Any) -> Void = { _ in }

        let errorOrText = await GitHubService.zen.fetch(via: connector)
        let text = try await GitHubService.zen.value(via: connector)
        let task = GitHubService.zen.fetch(via: connector, on: .global()) { errorOrText in show(errorOrText) }

        await task.value
        #expect(errorOrText == .right(text))
    }

    #if canImport(Combine)
        @Test("an endpoint is called by a Combine publisher", .parity("C6"))
        func publisher() async {
            let ended = Latch()
            let end = Listener { event, _ in if event == .ended { ended.open() } }
            let connector = Connector.stub(phrase).wrapped(by: .listen(to: end))
            let show: @Sendable (Any) -> Void = { _ in }

            let subscription = GitHubService.zen.publisher(via: connector)
                .receive(on: DispatchQueue.main)
                .sink(receiveCompletion: { end in show(end) }, receiveValue: { text in show(text) })

            await ended.wait()
            subscription.cancel()
        }
    #endif
}

struct Repository: Decodable, Hashable, Sendable {
    let name: String
    let fork: Bool
}

extension Endpoint where Failure == GitHubError, Value == [Repository] {
    static func repositories(visibility: String) -> Endpoint {
        .json([Repository].self, .get("/user/repos", queries: ["visibility": visibility]), problem: GitHubProblem.self)
    }
}

enum GitHubService {
    static let zen = Endpoint.text(.get("https://api.github.com/zen"))

    static func user(_ login: String) -> Endpoint<GitHubError, GitHubUser> {
        .json(
            GitHubUser.self,
            .get("https://api.github.com/users/{login}", ["login": login]),
            problem: GitHubProblem.self
        )
    }
}
