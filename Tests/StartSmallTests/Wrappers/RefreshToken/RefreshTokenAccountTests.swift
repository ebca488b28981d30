import Foundation
import StartSmall
import StartSmallTesting
import Synchronization
import Testing

/// Logins, logouts and shared stores around a refresh.
struct RefreshTokenAccountTests {
    private let sent = Recorder<String?>()
    private let refreshes = Recorder<String>()
    private let log = EventLog()
    private let latch = Latch()
    private let keep: @Sendable (AccessToken?) -> Void
    private let stored: @Sendable () -> AccessToken?
    private let store: TokenStore

    init() {
        let token = Mutex<AccessToken?>(AccessToken("a", refreshToken: "ra"))
        keep = { new in token.withLock { $0 = new } }
        stored = { token.withLock { $0 } }
        store = TokenStore(load: { token.withLock { $0 } }, save: { new in token.withLock { $0 = new } })
    }

    /// A server that accepts the tokens `a2` and `b`.
    private var server: Connector {
        .stub { input in
            sent.append(input.headers["Authorization"])
            let isKnown = ["Bearer a2", "Bearer b"].contains(input.headers["Authorization"])
            return isKnown ? .hasResponse(Fixture.ok) : .status(.unauthorized)
        }
    }

    /// A refresh that appends a 2 to the token when the latch is open.
    private var wrapper: Wrapper {
        .refreshToken(in: store) { [refreshes, latch] old, _ in
            refreshes.append(old.value)
            await latch.wait()
            return Fetched<TransformError<Never>, AccessToken>.right(AccessToken(old.value + "2"))
        }
    }

    private func call(_ connector: Connector) async -> Output {
        await WebAPI.call(with: Fixture.input, via: connector)
    }

    /// Returns a call of account A that waits for the refresh of its token.
    private func callOfA(_ connector: Connector) async -> Task<Output, Never> {
        let call = Task { await self.call(connector) }
        await eventually { refreshes.elements == ["a"] }
        return call
    }

    @Test("a call of another account that logged in during a refresh does not wait, and is sent with its own token")
    func login() async {
        let connector = server.wrapped(by: .listen(to: log.listener), wrapper)
        let first = await callOfA(connector)
        keep(AccessToken("b", refreshToken: "rb"))
        let second = Task { await call(connector) }
        await eventually { sent.elements.count == 2 || log.names.count { $0 == "refreshing" } == 2 }
        latch.open()
        #expect(await second.value == .hasResponse(Fixture.ok))
        _ = await first.value
        #expect(sent.elements.prefix(2) == ["Bearer a", "Bearer b"])
        #expect(!sent.elements.contains("Bearer a2"))
    }

    @Test("a login during a refresh stays in the store")
    func loginStays() async {
        let first = await callOfA(server.wrapped(by: wrapper))
        keep(AccessToken("b", refreshToken: "rb"))
        latch.open()
        _ = await first.value
        #expect(stored() == AccessToken("b", refreshToken: "rb"))
    }

    @Test("a logout during a refresh stays, and the waiting call returns its rejection")
    func logout() async {
        let first = await callOfA(server.wrapped(by: wrapper))
        keep(nil)
        latch.open()
        #expect(await first.value == .status(.unauthorized))
        #expect(stored() == nil)
        #expect(sent.elements == ["Bearer a"])
    }

    @Test("a rejected call of one account is not sent with the token of another", arguments: [true, false])
    func identities(_ isDuringRefresh: Bool) async {
        keep(AccessToken("a", identity: "A"))
        let login = Wrapper { [keep] input, next in
            let output = await next(input)
            if !isDuringRefresh { keep(AccessToken("b", identity: "B")) }
            return output
        }
        let connector = server.wrapped(by: wrapper, login)
        let first = Task { await call(connector) }
        if isDuringRefresh {
            await eventually { refreshes.elements == ["a"] }
            keep(AccessToken("b", identity: "B"))
        }
        latch.open()
        let rejection = Response(statusCode: .unauthorized)
        #expect(await first.value == .noResponse(.refreshFailed(.identityChanged, after: rejection)))
        #expect(sent.elements == ["Bearer a"])
        #expect(stored() == AccessToken("b", identity: "B"))
    }

    @Test("a store that compares and saves in one step decides which token stays")
    func atomic() async {
        latch.open()
        let asked = Recorder<[AccessToken]>()
        let store = TokenStore(load: store.load, save: store.save) { old, new in
            asked.append([old, new])
            return false
        }
        let wrapper = Wrapper.refreshToken(in: store) { [keep] old, _ in
            keep(nil)
            return Fetched<TransformError<Never>, AccessToken>.right(AccessToken(old.value + "2"))
        }
        #expect(await call(server.wrapped(by: wrapper)) == .status(.unauthorized))
        #expect(asked.elements == [[AccessToken("a", refreshToken: "ra"), AccessToken("a2")]])
        #expect(stored() == nil)
    }

    @Test("connectors that share a store share its refresh", arguments: [true, false])
    func shared(_ isOneWrapper: Bool) async {
        let wrapper = wrapper
        let one = server.wrapped(by: .listen(to: log.listener), wrapper)
        let other = server.wrapped(by: .listen(to: log.listener), isOneWrapper ? wrapper : self.wrapper)
        let first = await callOfA(one)
        let second = Task { await call(other) }
        await eventually { log.names.count { $0 == "refreshing" } == 2 }
        latch.open()
        #expect(await first.value == .hasResponse(Fixture.ok))
        #expect(await second.value == .hasResponse(Fixture.ok))
        #expect(refreshes.elements == ["a"])
    }

    @Test("a 401 of another origin, after a redirect, does not cause a refresh")
    func otherOrigin() async {
        latch.open()
        let elsewhere = Output.status(.found, headers: ["Location": "https://cdn.example.com/"])
        let server = Connector.stub { $0.url.host() == "cdn.example.com" ? .status(.unauthorized) : elsewhere }
        let output = await call(server.wrapped(by: wrapper, .redirect()))
        #expect(output.response?.statusCode == .unauthorized)
        #expect(refreshes.elements.isEmpty)
    }

    @Test("a 401 of the same origin, after a redirect, causes a refresh")
    func sameOrigin() async {
        latch.open()
        let server = Connector.stub { input in
            if input.url.path() != "/next" { return .status(.found, headers: ["Location": "/next"]) }
            return input.headers["Authorization"] == "Bearer a2" ? .hasResponse(Fixture.ok) : .status(.unauthorized)
        }
        let output = await call(server.wrapped(by: wrapper, .redirect()))
        #expect(output.response?.statusCode == .ok)
        #expect(refreshes.elements == ["a"])
    }

    @Test("a call that is cancelled while its token is loaded sends nothing", arguments: [true, false])
    func cancelledLoad(_ isThrowing: Bool) async {
        let store = TokenStore(
            load: {
                withUnsafeCurrentTask { $0?.cancel() }
                if isThrowing { throw CancellationError() }
                return AccessToken("b")
            },
            save: { _ in }
        )
        let inside = Recorder<Output>()
        let connector = server.wrapped(
            by: Wrapper { input, next in
                let output = await next(input)
                inside.append(output)
                return output
            },
            .refreshToken(in: store) { token, _ in Fetched<TransformError<Never>, AccessToken>.right(token) }
        )
        _ = await Task { await call(connector) }.value
        #expect(inside.elements == [.noResponse(.cancelled)])
        #expect(sent.elements.isEmpty)
    }
}
