import Foundation
import StartSmall
import StartSmallTesting
import Synchronization
import Testing
import ParityTrait

/// A server that accepts one token at a time, an app's store, and a counting refresh, for most of these tests.
private struct World: Sendable {
    let sent = Recorder<String?>()
    let refreshes = Recorder<AccessToken>()
    let log = EventLog()
    let store: TokenStore
    let good: @Sendable (String?) -> Bool
    let makeGood: @Sendable (String) -> Void
    let keep: @Sendable (AccessToken?) -> Void

    init(stored: AccessToken? = AccessToken("old", refreshToken: "r"), good: String = "new") {
        let stored = Mutex(stored)
        let known = Mutex(good)
        store = TokenStore(load: { stored.withLock { $0 } }, save: { token in stored.withLock { $0 = token } })
        self.good = { token in known.withLock { token == "Bearer \($0)" } }
        makeGood = { token in known.withLock { $0 = token } }
        keep = { token in stored.withLock { $0 = token } }
    }

    static let rejection = Response(statusCode: .unauthorized, headers: ["X-Kept": "yes"], payload: Data("no".utf8))

    var server: Connector {
        .stub { input in
            sent.append(input.headers["Authorization"])
            return .hasResponse(good(input.headers["Authorization"]) ? Fixture.ok : Self.rejection)
        }
    }

    /// Returns a refresh that gives a token when the latch is open.
    func giving(
        _ token: String,
        when latch: Latch? = nil
    ) -> @Sendable (AccessToken, Connector) async -> Fetched<TransformError<Never>, AccessToken> {
        { [refreshes] old, _ in
            refreshes.append(old)
            await latch?.wait()
            return .right(AccessToken(token))
        }
    }

    /// Returns the server with the wrapper and a listener.
    func connector(
        _ policy: RefreshPolicy = RefreshPolicy(),
        by refresh: @escaping @Sendable (AccessToken, Connector) async -> Fetched<TransformError<Never>, AccessToken>
    ) -> Connector {
        server.wrapped(
            by: .listen(to: log.listener),
            .refreshToken(
                in: store,
                policy,
                clock: ManualClock(),
                now: { Date(timeIntervalSince1970: 1_000) },
                by: refresh
            )
        )
    }

    /// Returns two calls: the first has begun a refresh, and the second waits for that refresh.
    func twoWaiting(_ connector: Connector) async -> (Task<Output, Never>, Task<Output, Never>) {
        let first = Task { await call(connector) }
        await eventually { refreshes.elements.count == 1 }
        let second = Task { await call(connector) }
        await eventually { log.names.filter { $0 == "refreshing" }.count == 2 }
        return (first, second)
    }

    func call(_ connector: Connector, _ input: Input = Fixture.input) async -> Output {
        await WebAPI.call(with: input, via: connector)
    }
}

struct RefreshTokenTests {
    private let refusal = Response(statusCode: .badRequest, payload: Data("invalid_grant".utf8))

    // Calls without refresh.

    @Test("a good token is attached, without any refresh")
    func good() async {
        let world = World(stored: AccessToken("new"))
        #expect(await world.call(world.connector(by: world.giving("newer"))) == .hasResponse(Fixture.ok))
        #expect(world.sent.elements == ["Bearer new"])
        #expect(world.refreshes.elements.isEmpty)
        #expect(world.log.names == ["started", "received", "succeeded", "ended"])
    }

    @Test("the store is not loaded for a call with its own Authorization, or to an origin outside of `only`")
    func notAsked() async {
        struct Locked: Error {}
        let world = World()
        let store = TokenStore(load: { throw Locked() }, save: { _ in throw Locked() })
        let connector = world.server.wrapped(
            by: .refreshToken(in: store, to: .origin(Fixture.url), by: world.giving("new"))
        )
        let own = Input(url: Fixture.url, headers: ["Authorization": "Basic x"])
        for input in [own, Input(url: URL(string: "https://evil.example/")!)] {
            #expect(await world.call(connector, input) == .hasResponse(World.rejection))
        }
        #expect(world.sent.elements == ["Basic x", nil])
    }

    @Test("with `only`, another origin gets no token", arguments: Origins.all)
    func only(_ url: String, _ isHome: Bool) async throws {
        let world = World(stored: AccessToken("new"))
        let connector = world.server.wrapped(
            by: .refreshToken(in: world.store, to: .origin(Origins.home), by: world.giving("newer"))
        )
        _ = await world.call(connector, Input(url: try #require(URL(string: url))))
        #expect(world.sent.elements == [isHome ? "Bearer new" : nil])
    }

    @Test("an `only` that is no origin fails every call, with that reason", arguments: Origins.none)
    func noOrigin(_ url: String, _ shown: String) async throws {
        let world = World(stored: AccessToken("new"))
        let home = try #require(URL(string: url))
        let connector = world.server.wrapped(
            by: .refreshToken(in: world.store, to: .origin(home), by: world.giving("newer"))
        )
        #expect(await world.call(connector) == .noResponse(.missingCredentials(debugInfo: shown)))
        #expect(world.sent.elements.isEmpty)
    }

    @Test("of all statuses, only 401 causes a refresh", arguments: 100...599)
    func statuses(_ code: Int) {
        let response = Response(statusCode: .from(code: code))
        #expect(RefreshPolicy().isRejection(response) == (code == 401))
    }

    // Calls with refresh.

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
                .started(Fixture.input), .refreshing(after: World.rejection, isFirst: true), .refreshed,
                .received(Fixture.ok), .succeeded, .ended,
            ]
        )
    }

    @Test("a new token that is rejected too is not refreshed again: there is no third attempt", .parity("B21"))
    func rejectedTwice() async {
        let world = World(good: "none")
        #expect(await world.call(world.connector(by: world.giving("new"))) == .hasResponse(World.rejection))
        #expect(world.sent.elements == ["Bearer old", "Bearer new"])
        #expect(world.log.names.filter { $0 == "ended" }.count == 1)
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
            #expect(await world.call(world.server.wrapped(by: wrappers)) == .hasResponse(Fixture.ok))
            #expect(world.sent.elements == ["Bearer old", "Bearer new"])
        }
    }

    /// Returns the outputs of fifty calls. All are sent with the old token before any of them is answered.
    private func fiftyCalls(in world: World, giving token: String) async -> [Output] {
        let (arrived, all) = (Recorder<Void>(), Latch())
        let connector = world.server.wrapped(
            by: .refreshToken(in: world.store, by: world.giving(token)),
            Wrapper { input, next in
                arrived.append(())
                if arrived.elements.count == 50 { all.open() }
                await all.wait()
                return await next(input)
            }
        )
        return await withTaskGroup { group in
            for _ in 0..<50 { group.addTask { await world.call(connector) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test("fifty calls that fail together cause one refresh, and all are retried", .parity("B21"))
    func fifty() async {
        let world = World()
        #expect(await fiftyCalls(in: world, giving: "new").allSatisfy { $0 == .hasResponse(Fixture.ok) })
        #expect(world.refreshes.elements.count == 1)
        #expect(world.sent.elements.count { $0 == "Bearer old" } == 50)
        #expect(world.sent.elements.count { $0 == "Bearer new" } == 50)
    }

    @Test("fifty calls that fail together cause one refresh, even if it gives the same token, and none after that")
    func fiftyOfTheSame() async {
        let world = World(stored: AccessToken("same"), good: "none")
        #expect(await fiftyCalls(in: world, giving: "same").allSatisfy { $0 == .hasResponse(World.rejection) })
        #expect(world.refreshes.elements.count == 1)
        #expect(world.sent.elements.count == 100)
    }

    @Test("a call that starts during a refresh waits for it, and is sent once, with the new token")
    func arriving() async {
        let world = World()
        let latch = Latch()
        let connector = world.connector(by: world.giving("new", when: latch))
        let (first, second) = await world.twoWaiting(connector)
        #expect(world.sent.elements == ["Bearer old"])
        latch.open()
        #expect(await first.value == .hasResponse(Fixture.ok))
        #expect(await second.value == .hasResponse(Fixture.ok))
        #expect(world.sent.elements == ["Bearer old", "Bearer new", "Bearer new"])
        #expect(world.log.events.contains(.refreshing(after: nil, isFirst: false)))
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

    // Expiry.

    @Test(
        "a token that expires within 10 s is refreshed before any request is sent",
        arguments: [(1_010.0, true), (1_010.001, false), (999, true)]
    )
    func expiry(_ seconds: Double, _ isRefreshed: Bool) async {
        let world = World(stored: AccessToken("new", expires: Date(timeIntervalSince1970: seconds)))
        if isRefreshed { world.makeGood("newer") }
        let output = await world.call(world.connector(by: world.giving("newer")))
        #expect(output == .hasResponse(Fixture.ok))
        #expect(world.sent.elements == [isRefreshed ? "Bearer newer" : "Bearer new"])
        #expect(world.log.events.contains(.refreshing(after: nil, isFirst: true)) == isRefreshed)
    }

    // Failures.

    @Test("a failed refresh fails all waiting calls with its own error and their own response")
    func failed() async {
        let world = World()
        let latch = Latch()
        let refusal = refusal
        let connector = world.connector { token, _ in
            world.refreshes.append(token)
            await latch.wait()
            return .left(.right(.unexpectedStatusCode(refusal)))
        }
        let (first, second) = await world.twoWaiting(connector)
        latch.open()
        let failure = RefreshFailure.noToken(refusal, reason: "unexpected status code")
        #expect(await first.value == .noResponse(.refreshFailed(failure, after: World.rejection)))
        #expect(await second.value == .noResponse(.refreshFailed(failure, after: nil)))
        #expect(world.refreshes.elements.count == 1)
    }

    @Test("a new token that can't be sent is a failed refresh, and replaces nothing", arguments: ["", " ", "a\nb"])
    func unusable(_ token: String) async throws {
        let world = World()
        let error = await world.call(world.connector(by: world.giving(token))).connectionError
        guard case .refreshFailed(.noResponse(.missingCredentials), after: World.rejection)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try await world.store.load()?.value == "old")
    }

    @Test("a refresh without response fails with its connection error, and the next call refreshes again")
    func nextTry() async {
        let world = World()
        let isDown = Mutex(true)
        let connector = world.connector { _, _ in
            isDown.withLock { $0 } ? .left(.left(Fixture.lost)) : .right(AccessToken("new"))
        }
        let failure = RefreshFailure.noResponse(Fixture.lost)
        #expect(await world.call(connector) == .noResponse(.refreshFailed(failure, after: World.rejection)))
        isDown.withLock { $0 = false }
        #expect(await world.call(connector) == .hasResponse(Fixture.ok))
    }

    private struct Locked: Error {}

    @Test("a store that can't load the token fails the call, and nothing is sent")
    func loadFails() async {
        let world = World()
        let store = TokenStore(load: { throw Locked() }, save: { _ in })
        let connector = world.server.wrapped(by: .refreshToken(in: store, by: world.giving("new")))
        let failure = RefreshFailure.storeFailed(debugInfo: "Locked()")
        #expect(await world.call(connector) == .noResponse(.refreshFailed(failure, after: nil)))
        #expect(world.sent.elements.isEmpty)
    }

    @Test("a new token that the store can't save fails the calls that waited, and the next call refreshes again")
    func saveFails() async throws {
        let world = World()
        let isLocked = Mutex(true)
        let store = TokenStore(load: world.store.load) { token in
            if isLocked.withLock({ $0 }) { throw Locked() }
            try await world.store.save(token)
        }
        let connector = world.server.wrapped(by: .refreshToken(in: store, by: world.giving("new")))
        let failure = RefreshFailure.storeFailed(debugInfo: "Locked()")
        #expect(await world.call(connector) == .noResponse(.refreshFailed(failure, after: World.rejection)))
        #expect(try await world.store.load()?.value == "old")
        isLocked.withLock { $0 = false }
        #expect(await world.call(connector) == .hasResponse(Fixture.ok))
        #expect(world.refreshes.elements.map(\.value) == ["old", "old"])
        #expect(try await world.store.load()?.value == "new")
    }

    @Test("a sixth refresh within 30 s is an error with the rejection, and one after that time is not")
    func tooOften() async {
        let world = World(good: "none")
        let clock = ManualClock()
        let connector = world.server.wrapped(
            by: .refreshToken(in: world.store, clock: clock, by: world.giving("same"))
        )
        for _ in 0..<5 { #expect(await world.call(connector) == .hasResponse(World.rejection)) }
        clock.advance(by: .milliseconds(29_999))
        let failure = RefreshFailure.tooOften(limit: 5, within: .seconds(30))
        #expect(await world.call(connector) == .noResponse(.refreshFailed(failure, after: World.rejection)))
        #expect(world.refreshes.elements.count == 5)
        clock.advance(by: .milliseconds(1))
        #expect(await world.call(connector) == .hasResponse(World.rejection))
    }

    @Test(
        "a token that can't be sent is an error that does not contain the token, and nothing is sent",
        arguments: ["", "hunter2\n"]
    )
    func malformed(_ token: String) async {
        let world = World(stored: AccessToken(token))
        let output = await world.call(world.connector(by: world.giving("new")))
        #expect(output.connectionError?.name == "missingCredentials")
        #expect(!"\(output)".contains("hunter2"))
        #expect(world.sent.elements.isEmpty)
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
            guard case .noResponse(.refreshFailed(.storeFailed(text), after: _)) = output else {
                Issue.record("\(output)")
                continue
            }
        }
        let refusal = refusal
        let refusing = world.connector { _, _ in .left(.right(.invalid(refusal, reason: "\(Loud())"))) }
        let failure = RefreshFailure.noToken(refusal, reason: text)
        #expect(await world.call(refusing) == .noResponse(.refreshFailed(failure, after: World.rejection)))
    }

    // The refresh itself.

    @Test("the refresh gets the inner connector, without listeners")
    func inside() async {
        let world = World()
        let connector = world.connector { token, connector in
            let output = await WebAPI.call(with: Fixture.input, via: connector)
            #expect(output == .hasResponse(World.rejection))
            return .right(AccessToken("new"))
        }
        #expect(await world.call(connector) == .hasResponse(Fixture.ok))
        #expect(world.sent.elements == ["Bearer old", nil, "Bearer new"])
        #expect(world.log.calls.count == 1)
    }

    @Test("a refresh that calls through the app's own connector does not wait for itself")
    func throughItself() async {
        let world = World()
        let own = Mutex<Connector?>(nil)
        let connector = world.connector { _, inside in
            _ = await WebAPI.call(with: Fixture.input, via: own.withLock { $0 } ?? inside)
            return .right(AccessToken("new"))
        }
        own.withLock { $0 = connector }
        // Otherwise the connector would keep itself alive for ever.
        defer { own.withLock { $0 = nil } }
        #expect(await world.call(connector) == .hasResponse(Fixture.ok))
        #expect(world.sent.elements == ["Bearer old", nil, "Bearer new"])
    }

    @Test("a task that a refresh starts is an ordinary one once the refresh has ended")
    func outliving() async {
        let (world, latch) = (World(), Latch())
        let own = Mutex<Connector?>(nil)
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

    @Test("two connectors of one wrapper count their refreshes separately")
    func perWrap() async {
        let world = World(good: "none")
        let policy = RefreshPolicy(limit: 1)
        let wrapper = Wrapper.refreshToken(in: world.store, policy, clock: ManualClock(), by: world.giving("same"))
        let (one, other) = (world.server.wrapped(by: wrapper), world.server.wrapped(by: wrapper))
        #expect(await world.call(one) == .hasResponse(World.rejection))
        #expect(await world.call(one).connectionError?.name == "refreshFailed")
        #expect(await world.call(other) == .hasResponse(World.rejection))
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

    // Cancelling.

    @Test("cancelling the call that began the refresh does not affect the others")
    func cancelFirst() async {
        let world = World()
        let latch = Latch()
        let connector = world.connector(by: world.giving("new", when: latch))
        let (first, second) = await world.twoWaiting(connector)
        first.cancel()
        #expect(await first.value == .noResponse(.cancelled))
        latch.open()
        #expect(await second.value == .hasResponse(Fixture.ok))
        #expect(world.refreshes.elements.count == 1)
    }

    @Test("a refresh without any waiting call continues, and its token is saved")
    func cancelAll() async throws {
        let world = World()
        let latch = Latch()
        let connector = world.connector(by: world.giving("new", when: latch))
        let only = Task { await world.call(connector) }
        await eventually { world.refreshes.elements.count == 1 }
        only.cancel()
        #expect(await only.value == .noResponse(.cancelled))
        latch.open()
        #expect(await world.call(connector) == .hasResponse(Fixture.ok))
        #expect(world.refreshes.elements.count == 1)
        let saved = try await world.store.load()
        #expect(saved == AccessToken("new"))
    }

    @Test("a refresh that does not end leaves each call its own time limit, and later calls wait for it, too")
    func endless() async {
        let (world, latch, clock) = (World(), Latch(), ManualClock())
        let connector = world.connector(by: world.giving("new", when: latch))
            .wrapped(by: .timeout(.seconds(10), clock: clock))
        let (first, second) = await world.twoWaiting(connector)
        clock.advance(by: .seconds(10))
        #expect(await first.value.connectionError?.name == "timedOut")
        #expect(await second.value.connectionError?.name == "timedOut")
        latch.open()
        #expect(await world.call(connector) == .hasResponse(Fixture.ok))
        #expect(world.refreshes.elements.count == 1)
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
                return Fetched<TransformError<Never>, AccessToken>.right(AccessToken("new"))
            },
            asking
        )
        #expect(await world.call(limited) == .hasResponse(Fixture.ok))
        #expect(left.elements == [.seconds(10), nil, .seconds(10)])
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
            .refreshToken(in: store, policy) { [server] _, connector -> Fetched<TransformError<Never>, AccessToken> in
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
        #expect(log.events.contains(.refreshing(after: OpenServer.head, isFirst: true)))
        #expect(server.sent.elements.count == 3)
    }

    @Test("a stream that rejects the new token too is returned, and can be read")
    func rejectedTwice() async {
        let output = await open(rejecting: 2)
        #expect(await output.response?.body?.read() == .success(Data("ab".utf8)))
        #expect(server.sent.elements.count == 3)
    }
}
