import Foundation
import StartSmall
import StartSmallAuth
import StartSmallResilience
import StartSmallSupport
import StartSmallTesting
import TestSupport
import Testing

private typealias Renewed = Fetched<TransformError<Never>, AccessToken>

/// A server that accepts some tokens, an app's store, and a counting refresh.
private struct World: Sendable {
    let sent = Recorder<String?>()
    let refreshes = Recorder<AccessToken>()
    let log = EventLog()
    let latch = Latch()
    let stored: Locked<AccessToken?>
    let good: Locked<String>
    let store: TokenStore

    static let rejection = Response(statusCode: .unauthorized, headers: ["X-Kept": "yes"], payload: Data("no".utf8))

    init(stored token: AccessToken? = AccessToken("old", refreshToken: "r"), good: String = "new") {
        let stored = Locked(token)
        (self.stored, self.good) = (stored, Locked(good))
        store = TokenStore(load: { stored.withLock { $0 } }, save: { token in stored.withLock { $0 = token } })
    }

    var token: AccessToken? { stored.withLock { $0 } }

    func keep(_ token: AccessToken?) { stored.withLock { $0 = token } }

    var server: Connector {
        .stub { input in
            let field = input.headers["Authorization"]
            sent.append(field)
            return .hasResponse(field == good.withLock { "Bearer \($0)" } ? Fixture.ok : Self.rejection)
        }
    }

    /// Returns a refresh that gives a token when the latch is open.
    func giving(
        _ token: String,
        when latch: Latch? = nil
    ) -> @Sendable (AccessToken, Connector) async -> Renewed {
        { [refreshes] old, _ in
            refreshes.append(old)
            await latch?.wait()
            return .right(AccessToken(token))
        }
    }

    /// Returns the server with the wrapper and a listener.
    func connector(by refresh: @escaping @Sendable (AccessToken, Connector) async -> Renewed) -> Connector {
        server.wrapped(
            by: .listen(to: log.listener),
            .refreshToken(
                in: store,
                clock: ManualClock(),
                now: { Date(timeIntervalSince1970: 1_000) },
                by: refresh
            )
        )
    }

    /// Returns a call that waits for the refresh that it has begun.
    func waiting(_ connector: Connector) async -> Task<Output, Never> {
        let call = Task { await self.call(connector) }
        await eventually { refreshes.elements.count == 1 }
        return call
    }

    /// Returns two calls: the first has begun a refresh, and the second waits for that refresh.
    func twoWaiting(_ connector: Connector, _ other: Connector? = nil) async -> [Task<Output, Never>] {
        let first = await waiting(connector)
        let second = Task { await call(other ?? connector) }
        await eventually { log.names.filter { $0 == "refreshing" }.count == 2 }
        return [first, second]
    }

    func call(_ connector: Connector) async -> Output { await WebAPI.call(with: Fixture.input, via: connector) }
}

struct RefreshTokenTests {
    private let refusal = Response(statusCode: .badRequest, payload: Data("invalid_grant".utf8))

    @Test("of all statuses, only 401 causes a refresh", arguments: 100...599)
    func statuses(_ code: Int) {
        let response = Response(statusCode: .from(code: code))
        #expect(RefreshPolicy().isRejection(response) == (code == 401))
    }

    @Test("a rejected token is refreshed and saved, and the call is retried, with one end", .parity("B21"))
    func refreshed() async throws {
        let world = World()
        #expect(await world.call(world.connector(by: world.giving("new"))) == .hasResponse(Fixture.ok))
        #expect(world.sent.elements == ["Bearer old", "Bearer new"])
        #expect(world.refreshes.elements == [AccessToken("old", refreshToken: "r")])
        let saved = try await world.store.load()
        #expect(saved == AccessToken("new"))
        #expect(
            world.log.events == [
                .started(Fixture.input), .reported(Refreshing(after: World.rejection, isFirst: true)),
                .reported(Refreshed()), .received(Fixture.ok), .succeeded, .ended,
            ]
        )
    }

    @Test(
        "a response that `.validate` refuses is still a rejection, with either of the two wrappers inside",
        .parity("B21")
    )
    func validated() async {
        let strict = Wrapper.validate { $0.statusCode.isSuccess ? nil : "no success" }
        for isInside in [true, false] {
            let world = World()
            let refreshing = Wrapper.refreshToken(in: world.store, by: world.giving("new"))
            let wrappers = isInside ? [refreshing, strict] : [strict, refreshing]
            #expect(await world.call(world.server.wrapped(by: .all(wrappers))) == .hasResponse(Fixture.ok))
            #expect(world.sent.elements == ["Bearer old", "Bearer new"])
        }
    }

    @Test(
        "fifty calls that fail together cause one refresh, even if it gives the same token, and none after that",
        .parity("B21"),
        arguments: [("new", Output.hasResponse(Fixture.ok)), ("old", .hasResponse(World.rejection))]
    )
    func fifty(_ token: String, _ expected: Output) async {
        let (world, arrived, all) = (World(stored: AccessToken("old")), Recorder<Void>(), Latch())
        // All are sent with the old token before any of them is answered.
        let gathering = Wrapper { input, next in
            arrived.append(())
            if arrived.elements.count == 50 { all.open() }
            await all.wait()
            return await next(input)
        }
        let refreshing = Wrapper.refreshToken(in: world.store, by: world.giving(token))
        let connector = world.server.wrapped(by: refreshing, gathering)
        await withTaskGroup { group in
            for _ in 0..<50 { group.addTask { await world.call(connector) } }
            for await output in group { #expect(output == expected) }
        }
        #expect(world.refreshes.elements.count == 1)
        #expect(world.sent.elements.count == 100)
        #expect(world.sent.elements.count { $0 == "Bearer old" } == (token == "old" ? 100 : 50))
    }

    @Test("a call that starts during a refresh waits for it, and is sent once, with the new token")
    func arriving() async {
        let world = World()
        let calls = await world.twoWaiting(world.connector(by: world.giving("new", when: world.latch)))
        #expect(world.sent.elements == ["Bearer old"])
        world.latch.open()
        for call in calls { #expect(await call.value == .hasResponse(Fixture.ok)) }
        #expect(world.sent.elements == ["Bearer old", "Bearer new", "Bearer new"])
        #expect(world.log.events.contains(.reported(Refreshing(after: nil, isFirst: false))))
    }

    @Test("a custom policy attaches the token and decides on its rejection")
    func policy() async {
        let world = World()
        let policy = RefreshPolicy(
            isRejection: { $0.statusCode == .forbidden },
            attach: { token, input in
                var input = input
                input.queries.append(URLQueryItem(name: "key", value: token.value))
                return .right(input)
            }
        )
        let sent = Recorder<Input>()
        let stub = Connector.stub(sequence: [.status(.forbidden), .status(.unauthorized)], recording: sent)
        let output = await world.call(
            stub.wrapped(
                by: .refreshToken(in: world.store, policy, by: world.giving("new"))
            )
        )
        #expect(output.response?.statusCode == .unauthorized)
        #expect(sent.elements.map(\.queries) == ["old", "new"].map { [URLQueryItem(name: "key", value: $0)] })
    }

    @Test(
        "a token that expires within 10 s is refreshed before any request is sent",
        arguments: [(1_010.0, true), (1_010.001, false), (999, true)]
    )
    func expiry(_ seconds: Double, _ isRefreshed: Bool) async {
        let world = World(stored: AccessToken("new", expires: Date(timeIntervalSince1970: seconds)))
        if isRefreshed { world.good.withLock { $0 = "newer" } }
        let output = await world.call(world.connector(by: world.giving("newer")))
        #expect(output == .hasResponse(Fixture.ok))
        #expect(world.sent.elements == [isRefreshed ? "Bearer newer" : "Bearer new"])
        #expect(world.log.events.contains(.reported(Refreshing(after: nil, isFirst: true))) == isRefreshed)
    }

    // Failures.

    @Test("a failed refresh fails all waiting calls with its own error and their own response")
    func failed() async {
        let (world, refusal) = (World(), refusal)
        let connector = world.connector { token, _ in
            world.refreshes.append(token)
            await world.latch.wait()
            return .left(.right(.unexpectedStatusCode(refusal)))
        }
        let calls = await world.twoWaiting(connector)
        world.latch.open()
        let failure = RefreshFailure.noToken(refusal, reason: "unexpected status code")
        #expect(await calls[0].value == .noResponse(.refreshFailed(failure, after: World.rejection)))
        #expect(await calls[1].value == .noResponse(.refreshFailed(failure, after: nil)))
        #expect(world.refreshes.elements.count == 1)
    }

    @Test("a new token that can't be sent is a failed refresh, and replaces nothing", arguments: ["", " ", "a\nb"])
    func unusable(_ token: String) async throws {
        let world = World()
        let error = await world.call(world.connector(by: world.giving(token))).connectionError
        guard case .noResponse(.missingCredentials)? = error?.refusal(RefreshFailure.self) else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.response == World.rejection && error?.name == "refreshFailed")
        #expect(try await world.store.load()?.value == "old")
    }

    @Test("texts of the app's errors are without credentials, in every kind of description")
    func redacted() async {
        struct Loud: Error, CustomStringConvertible {
            let description = "https://me:hunter2@example.com/?token=hunter2"
        }
        let world = World()
        let text = "https://<redacted>@example.com/?token=<redacted>"
        for store in [
            TokenStore(load: { throw Loud() }, save: { _ in }),
            TokenStore(load: { AccessToken("old") }, save: { _ in throw Loud() }),
        ] {
            let connector = world.server.wrapped(by: .refreshToken(in: store, by: world.giving("new")))
            let output = await world.call(connector)
            #expect(output.connectionError?.refusal() == RefreshFailure.storeFailed(debugInfo: text))
        }
        let refusal = refusal
        let refusing = world.connector { _, _ in .left(.right(.invalid(refusal, reason: "\(Loud())"))) }
        let failure = RefreshFailure.noToken(refusal, reason: text)
        #expect(await world.call(refusing) == .noResponse(.refreshFailed(failure, after: World.rejection)))
    }

    // The refresh itself.

    @Test(
        "a refresh calls through the inner connector, or its own app's, without waiting for itself",
        arguments: [true, false]
    )
    func throughItself(isOwn: Bool) async {
        let (world, own) = (World(), Locked<Connector?>(nil))
        let connector = world.connector { _, inside in
            _ = await WebAPI.call(with: Fixture.input, via: own.withLock { $0 } ?? inside)
            return .right(AccessToken("new"))
        }
        if isOwn { own.withLock { $0 = connector } }
        // Otherwise the connector would keep itself alive for ever.
        defer { own.withLock { $0 = nil } }
        #expect(await world.call(connector) == .hasResponse(Fixture.ok))
        #expect(world.sent.elements == ["Bearer old", nil, "Bearer new"])
        // The inner connector has no listeners.
        #expect(world.log.calls.count == (isOwn ? 2 : 1))
    }

    @Test("a task that a refresh starts is an ordinary one once the refresh has ended")
    func outliving() async {
        let (world, latch) = (World(), Latch())
        let own = Locked<Connector?>(nil)
        let left = Recorder<Task<Output, Never>>()
        let throughOwn = { @Sendable (inside: Connector) in
            await WebAPI.call(with: Fixture.input, via: own.withLock { $0 } ?? inside)
        }
        let connector = world.connector { _, inside in
            left.append(
                Task {
                    await latch.wait()
                    return await throughOwn(inside)
                }
            )
            return .right(AccessToken("new"))
        }
        own.withLock { $0 = connector }
        defer { own.withLock { $0 = nil } }
        #expect(await world.call(connector) == .hasResponse(Fixture.ok))
        latch.open()
        for task in left.elements { #expect(await task.value == .hasResponse(Fixture.ok)) }
        #expect(world.sent.elements == ["Bearer old", "Bearer new", "Bearer new"])
    }

    @Test("the payload of a refresh never leaves its origin, even if a policy inside allows payloads to")
    func redirectedRefresh() async throws {
        let sent = Recorder<Input>()
        let token = try #require(URL(string: "https://auth.example.com/token"))
        let server = Connector { input, _ in
            sent.append(input)
            if input.url == token {
                let headers: HTTPHeaders = ["Location": "https://evil.example/"]
                return .hasResponse(Response(statusCode: .temporaryRedirect, headers: headers))
            }
            return .hasResponse(World.rejection)
        }
        let payload = Payload(.data(Data("refresh=secret".utf8)), mediaType: .text)
        let endpoint = Endpoint.text(.right(Input(url: token, methodAndPayload: .post(payload: payload))))
        let connector = server.wrapped(
            by: .refreshToken(in: World().store) { _, next in
                await endpoint.fetch(via: next).map { AccessToken($0) }
            },
            .redirect(RedirectPolicy(sendsPayloadToOtherOrigins: true))
        )
        let output = await WebAPI.call(with: Fixture.input, via: connector)
        #expect(output.connectionError?.name == "refreshFailed", "\(output)")
        #expect(sent.elements.map { $0.url.host() } == [Fixture.input.url.host(), "auth.example.com"])
    }

    @Test("a refresh is not limited by the remaining time of the call that began it")
    func timeOfItsOwn() async {
        let (world, left) = (World(), Recorder<Duration?>())
        let asking = Wrapper { input, next in
            left.append(next.context.remainingTime)
            return await next(input)
        }
        let limited = world.server.wrapped(
            by: .timeout(.seconds(10), clock: ManualClock()),
            .refreshToken(in: world.store) { _, inside in
                _ = await WebAPI.call(with: Fixture.input, via: inside)
                return Renewed.right(AccessToken("new"))
            },
            asking
        )
        #expect(await world.call(limited) == .hasResponse(Fixture.ok))
        #expect(left.elements == [.seconds(10), nil, .seconds(10)])
    }

    // Cancelling.

    @Test("cancelling the call that began the refresh does not affect the others")
    func cancelFirst() async {
        let world = World()
        let calls = await world.twoWaiting(world.connector(by: world.giving("new", when: world.latch)))
        calls[0].cancel()
        #expect(await calls[0].value == .noResponse(.cancelled))
        world.latch.open()
        #expect(await calls[1].value == .hasResponse(Fixture.ok))
        #expect(world.refreshes.elements.count == 1)
    }

    @Test("a refresh without any waiting call continues, and its token is saved")
    func cancelAll() async throws {
        let world = World()
        let connector = world.connector(by: world.giving("new", when: world.latch))
        let only = await world.waiting(connector)
        only.cancel()
        #expect(await only.value == .noResponse(.cancelled))
        world.latch.open()
        #expect(await world.call(connector) == .hasResponse(Fixture.ok))
        #expect(world.refreshes.elements.count == 1)
        #expect(world.token == AccessToken("new"))
    }

    @Test("a call that is cancelled while its token is loaded sends nothing", arguments: [true, false])
    func cancelledLoad(_ isThrowing: Bool) async {
        let (world, inside) = (World(), Recorder<Output>())
        let store = TokenStore(
            load: {
                withUnsafeCurrentTask { $0?.cancel() }
                if isThrowing { throw CancellationError() }
                return AccessToken("b")
            },
            save: { _ in }
        )
        let noting = Wrapper { input, next in
            let output = await next(input)
            inside.append(output)
            return output
        }
        let connector = world.server.wrapped(by: noting, .refreshToken(in: store, by: world.giving("new")))
        _ = await Task { await world.call(connector) }.value
        #expect(inside.elements == [.noResponse(.cancelled)])
        #expect(world.sent.elements.isEmpty)
    }

    // Logins, logouts and shared stores around a refresh.

    @Test("a login during a refresh stays in the store")
    func login() async {
        let world = World()
        let call = await world.waiting(world.connector(by: world.giving("new", when: world.latch)))
        world.keep(AccessToken("b", refreshToken: "rb"))
        world.latch.open()
        _ = await call.value
        #expect(world.token == AccessToken("b", refreshToken: "rb"))
    }

    @Test("a logout during a refresh stays, and the waiting call returns its rejection")
    func logout() async {
        let world = World()
        let call = await world.waiting(world.connector(by: world.giving("new", when: world.latch)))
        world.keep(nil)
        world.latch.open()
        #expect(await call.value == .hasResponse(World.rejection))
        #expect(world.token == nil)
        #expect(world.sent.elements == ["Bearer old"])
    }

    @Test("a store that compares and saves in one step decides which token stays")
    func atomic() async {
        let (world, asked) = (World(), Recorder<[AccessToken?]>())
        let store = TokenStore(load: world.store.load, save: world.store.save) { old, new in
            asked.append([old, new])
            return false
        }
        let wrapper = Wrapper.refreshToken(in: store) { _, _ in
            world.keep(nil)
            return Renewed.right(AccessToken("new"))
        }
        #expect(await world.call(world.server.wrapped(by: wrapper)) == .hasResponse(World.rejection))
        #expect(asked.elements == [[AccessToken("old", refreshToken: "r"), AccessToken("new")]])
        #expect(world.token == nil)
    }

    @Test("a token that the store can't save is saved by the next call, and the refresh token is not sent again")
    func unsaved() async throws {
        struct Full: Error {}
        let (world, failures) = (World(), Recorder<Void>())
        let store = TokenStore(
            load: world.store.load,
            save: { token in
                if failures.elements.count < 2 {
                    failures.append(())
                    throw Full()
                }
                try await world.store.save(token)
            }
        )
        let connector = world.server.wrapped(by: .refreshToken(in: store, by: world.giving("new")))
        for _ in 0..<2 {
            let failure: RefreshFailure? = await world.call(connector).connectionError?.refusal()
            guard case .storeFailed? = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
        }
        #expect(await world.call(connector) == .hasResponse(Fixture.ok))
        #expect(world.refreshes.elements.count == 1 && world.token == AccessToken("new"))
        // The next one is another refresh.
        world.keep(AccessToken("old", refreshToken: "r"))
        world.good.withLock { $0 = "later" }
        _ = await world.call(connector)
        #expect(world.refreshes.elements.count == 2)
    }

    @Test("connectors that share a store share its refresh", arguments: [true, false])
    func shared(_ isOneWrapper: Bool) async {
        let world = World()
        func wrapper() -> Wrapper { .refreshToken(in: world.store, by: world.giving("new", when: world.latch)) }
        let one = wrapper()
        let listening = world.server.wrapped(by: .listen(to: world.log.listener))
        let calls = await world.twoWaiting(
            listening.wrapped(by: one),
            listening.wrapped(by: isOneWrapper ? one : wrapper())
        )
        world.latch.open()
        for call in calls { #expect(await call.value == .hasResponse(Fixture.ok)) }
        #expect(world.refreshes.elements.count == 1)
    }

    @Test(
        "a 401 of another origin, after a redirect, does not cause a refresh",
        arguments: [("https://cdn.example.com/", 0), ("/next", 1)]
    )
    func redirected(_ location: String, _ refreshes: Int) async {
        let world = World()
        let server = Connector.stub { input in
            if input.url == Fixture.url { return .status(.found, headers: ["Location": location]) }
            return input.headers["Authorization"] == "Bearer new" ? .hasResponse(Fixture.ok) : .status(.unauthorized)
        }
        let refreshing = Wrapper.refreshToken(in: world.store, by: world.giving("new"))
        let output = await world.call(server.wrapped(by: refreshing, .redirect()))
        #expect(output.response?.statusCode == (refreshes == 0 ? .unauthorized : .ok))
        #expect(world.refreshes.elements.count == refreshes)
    }

    // The first token.

    @Test("fifty calls while there is no token request one, and all are sent with it")
    func firstToken() async {
        let world = World(stored: nil)
        let first = { @Sendable (_: Connector) async -> Renewed in
            world.refreshes.append(AccessToken(""))
            await world.latch.wait()
            return .right(AccessToken("new"))
        }
        let refreshing = Wrapper.refreshToken(in: world.store, first: first, by: world.giving("refreshed"))
        let connector = world.server.wrapped(by: refreshing)
        await withTaskGroup { group in
            for _ in 0..<50 { group.addTask { await world.call(connector) } }
            await eventually { world.refreshes.elements.count == 1 }
            world.latch.open()
            for await output in group { #expect(output == .hasResponse(Fixture.ok)) }
        }
        #expect(world.sent.elements == Array(repeating: "Bearer new", count: 50))
        #expect(world.refreshes.elements.count == 1)
        #expect(world.token == AccessToken("new"))
    }

    @Test("a store in memory replaces only the token that it has")
    func memory() async throws {
        let (world, store) = (World(), TokenStore.memory(AccessToken("a")))
        let connector = world.server.wrapped(
            by: .refreshToken(in: store) { _, _ in
                try? await store.save(AccessToken("new"))
                return Renewed.right(AccessToken("lost"))
            }
        )
        #expect(await world.call(connector) == .hasResponse(Fixture.ok))
        #expect(try await store.load() == AccessToken("new"))
    }
}

/// Rejections of tokens by responses whose body is still to be read.
@Suite(.timeLimit(.minutes(1))) struct RejectedStreamTests {
    private let log = EventLog()
    private let server = OpenServer(kept: Recorder())

    /// Opens a stream through a policy for which the first of these answers reject the token.
    private func open(rejecting count: Int) async -> Output {
        let heads = Recorder<Response>()
        let policy = RefreshPolicy(isRejection: { response in
            heads.append(response)
            return heads.elements.count <= count
        })
        let store = TokenStore.memory(AccessToken("old"))
        return await server.open(
            via: .listen(to: log.listener),
            .refreshToken(in: store, policy) { [server] _, connector -> Renewed in
                // A refresh through the inner connector gets the one permit.
                let permitted = await WebAPI.call(with: Fixture.input, via: connector)
                #expect(permitted.response?.statusCode == .ok)
                #expect(server.ends.elements.first == .discarded)
                return .right(AccessToken("new"))
            },
            .limitConcurrency(1, waiting: 0)
        )
    }

    @Test("a stream that rejects the token ends before the refresh, and no event keeps its body")
    func rejected() async {
        let output = await open(rejecting: 1)
        #expect(await output.response?.body?.read() == .success(Data("ab".utf8)))
        #expect(log.events.contains(.reported(Refreshing(after: OpenServer.head, isFirst: true))))
        #expect(server.sent.elements.count == 3)
    }
}
