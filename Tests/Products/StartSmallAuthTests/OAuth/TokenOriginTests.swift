import Foundation
import StartSmall
import StartSmallCore
import StartSmallResilience
import StartSmallSupport
import StartSmallTesting
import TestSupport
import Testing

@testable import StartSmallAuth

/// An authorization server, an API whose answer names the owner of the token, and other servers; each says what it got.
private struct Servers: Sendable {
    static let api = Fixture.url("https://api.example.com/")

    /// The tokens in each request, and the origin that got it.
    let received = Recorder<String>()
    let requests = Recorder<String>()

    /// The first request stops at the API until there is a second one, or the gate is opened.
    let gate = Latch()
    let arrived = Latch()
    private let visits = Recorder<Void>()

    var engine: Connector {
        Connector { input in
            let (form, error) = await input.form()
            if let error { return .noResponse(error) }
            let place = "\(input.url.scheme ?? "")://\(input.url.host() ?? ""):\(input.url.port ?? 443)"
            requests.append("\(place)\(input.url.path())")
            let texts = form + [input.url.absoluteString] + input.headers.fields.map(\.value)
            let tokens = texts.flatMap { $0.matches(of: /[ar]-(alice|bob)-[0-9]/).map { String($0.0) } }
            for token in tokens { received.append("\(token) at \(place)") }
            switch (place, input.url.pathComponents) {
            case ("https://as.example.com:443", _):
                if input.url.path().hasPrefix("/moved") { return Self.redirection(.temporaryRedirect, "/token") }
                return Self.token(of: form.contains { $0.contains("bob") } ? "bob" : "alice")
            case ("https://api.example.com:443", let path) where path.contains("moved"):
                let status = path.last.flatMap { Int($0) } ?? 302
                return Self.redirection(.from(code: status), path.contains("back") ? "/back" : "/there")
            case ("https://api.example.com:443", let path) where path.contains("down"):
                return .status(.serviceUnavailable)
            case ("https://api.example.com:443", _):
                visits.append(())
                if visits.elements.count > 1 { gate.open() }
                arrived.open()
                await gate.wait()
                return .text(tokens.first.map { String($0.dropFirst(2).dropLast(2)) } ?? "nobody")
            case (_, let path) where path.contains("back"):
                return .status(.found, headers: ["Location": Self.api.absoluteString])
            default: return .status(.unauthorized, headers: ["WWW-Authenticate": "Bearer"])
            }
        }
    }

    private static func redirection(_ status: HTTPStatus, _ path: String) -> Output {
        .status(status, headers: ["Location": "https://other.example.com\(path)"])
    }

    private static func token(of owner: String) -> Output {
        .json(
            #"{"access_token": "a-\#(owner)-2", "refresh_token": "r-\#(owner)-2", "token_type": "Bearer"}"#
        )
    }

    /// The tokens that a server got that must not have it.
    var strays: [String] {
        received.elements.filter { receipt in
            !receipt.hasPrefix("a-") || !receipt.hasSuffix(" at https://api.example.com:443")
        }
        .filter { !$0.hasPrefix("r-") || !$0.hasSuffix(" at https://as.example.com:443") }
    }
}

/// The law that a token goes to its own origin, for its own identity, whatever is around `.oauth`.
@Suite(.timeLimit(.minutes(1))) struct TokenOriginTests {
    /// Who calls: a user whose token is fresh or has expired, or a service.
    enum Caller: CaseIterable {
        case user, expiredUser, service

        func token(of owner: String) -> AccessToken? {
            if self == .service { return nil }
            let expires = self == .expiredUser ? RefreshWorld.now : nil
            return AccessToken("a-\(owner)-1", refreshToken: "r-\(owner)-1", expires: expires, identity: owner)
        }

        func oauth(_ owner: String, in store: TokenStore, at path: String = "token") -> Wrapper {
            // The secret of a client has to stay where a refresh token has to.
            let authentication = self == .service ? OAuthClient.Authentication.secretInForm("r-\(owner)-0") : .none
            let client = OAuthClient(owner, authentication)
            let endpoint = Fixture.url("https://as.example.com/\(path)")
            let scope = CredentialScope.origin(Servers.api)
            if self == .service {
                return .oauth(client, at: endpoint, in: store, to: scope) { .clientCredentials }
            }
            return .oauth(client, at: endpoint, in: store, to: scope, now: { RefreshWorld.now })
        }

        func oauth(_ owner: String) -> Wrapper { oauth(owner, in: .memory(token(of: owner))) }
    }

    /// What is around `.oauth`, and the URL of the call.
    struct Way: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let url: String

        /// The last host that gets a request, and whether the API gets the token.
        var last = "other.example.com"
        var isSent = true
        var endpoint = "token"
        let wrappers: @Sendable (_ oauth: Wrapper, _ engine: Connector) -> [Wrapper]

        static let redirects = [301, 302, 303, 307, 308].flatMap { status in
            [
                Way(testDescription: "a redirect outside", url: "https://api.example.com/moved/\(status)") { oauth, _ in
                    [.redirect(), oauth]
                },
                Way(testDescription: "a redirect inside", url: "https://api.example.com/moved/\(status)") { oauth, _ in
                    [oauth, .redirect()]
                },
            ]
        }

        static let others = [
            Way(
                testDescription: "a redirect there and back",
                url: "https://api.example.com/moved/back",
                last: "api.example.com"
            ) { oauth, _ in [.redirect(), oauth] },
            Way(
                testDescription: "a redirect there and back, inside",
                url: "https://api.example.com/moved/back",
                last: "api.example.com"
            ) { oauth, _ in [oauth, .redirect()] },
            Way(testDescription: "a fallback", url: "down") { oauth, engine in
                let mirror = engine.wrapped(by: .baseURL(Fixture.url("https://other.example.com/")))
                return [.fallback(to: mirror), .baseURL(Servers.api), oauth]
            },
        ]

        static let elsewhere = [
            "https://other.example.com/", "http://api.example.com/", "https://api.example.com:8443/",
            "https://v1.api.example.com/", "https://example.com/", "https://api.example.com.other.example.com/",
            "https://api.example.com@other.example.com/",
        ].map { url in
            Way(testDescription: "a call to \(url)", url: url, last: "", isSent: false) { oauth, _ in [oauth] }
        }
    }

    @Test("no other origin gets a token", arguments: Caller.allCases, Way.redirects + Way.others + Way.elsewhere)
    func origins(_ caller: Caller, _ way: Way) async {
        let servers = Servers()
        servers.gate.open()
        let app = servers.engine.wrapped(by: .all(way.wrappers(caller.oauth("alice"), servers.engine)))
        _ = await WebAPI.call(with: Input(url: Fixture.url(way.url)), via: app)
        #expect(servers.strays.isEmpty)
        #expect(servers.received.elements.contains { $0.hasSuffix("api.example.com:443") } == way.isSent)
        let hosts = servers.requests.elements.map { $0.split(separator: ":")[1].dropFirst(2) }
        #expect(way.last.isEmpty || hosts.last == way.last[...], "\(servers.requests.elements)")
    }

    @Test(
        "another origin, to which the token endpoint redirects, gets neither a credential nor is its answer a token",
        arguments: [Caller.expiredUser, .service]
    )
    func tokenEndpoint(_ caller: Caller) async {
        let unsafe = RedirectPolicy(sendsPayloadToOtherOrigins: true)
        for wrappers in [[], [.redirect()], [.redirect(unsafe)]] as [[Wrapper]] {
            let servers = Servers()
            servers.gate.open()
            let oauth = caller.oauth("alice", in: .memory(caller.token(of: "alice")), at: "moved")
            let app = servers.engine.wrapped(by: oauth, .all(wrappers))
            let output = await WebAPI.call(with: Input(url: Servers.api), via: app)
            #expect(output.connectionError?.refusal(RefreshFailure.self) != nil, "\(output)")
            #expect(servers.received.elements.count == 1 && servers.strays.isEmpty)
        }
    }

    @Test("identical calls of two identities share no response", arguments: [Caller.user, .service])
    func sharing(_ caller: Caller) async throws {
        for isOneStore in [false, true] {
            // A service has no other identity in its store.
            if isOneStore, caller == .service { continue }
            let servers = Servers()
            // The first call ends, even if the second one waits for its response.
            let listener = Listener { (event: Event) in
                if event.reported(SharingInFlight.self) != nil { servers.gate.open() }
            }
            let shared = servers.engine.wrapped(by: .shareInFlight())
            func token(of owner: String) -> AccessToken { caller.token(of: owner) ?? AccessToken("a-\(owner)-1") }
            let store = TokenStore.memory(token(of: "alice"))
            let alice = shared.wrapped(by: .listen(to: listener), caller.oauth("alice", in: store))
            let bob =
                isOneStore
                ? alice : shared.wrapped(by: .listen(to: listener), caller.oauth("bob", in: .memory(token(of: "bob"))))
            async let first = WebAPI.call(with: Input(url: Servers.api), via: alice)
            await servers.arrived.wait()
            if isOneStore { try await store.save(token(of: "bob")) }
            async let second = WebAPI.call(with: Input(url: Servers.api), via: bob)
            #expect(await first.response?.payload == Data("alice".utf8))
            #expect(await second.response?.payload == Data("bob".utf8))
            #expect(servers.strays.isEmpty)
        }
    }
}
