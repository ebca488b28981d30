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

    @Test("without a token the call is sent unchanged, and its rejection is returned")
    func noToken() async {
        let world = World(stored: nil)
        #expect(await world.call(world.connector(by: world.giving("new"))) == .hasResponse(World.rejection))
        #expect(world.sent.elements == [nil])
    }

    @Test("an input with its own Authorization is sent unchanged, once, even with an expired token in the store")
    func ownAuthorization() async {
        let world = World(stored: AccessToken("old", expires: .distantPast))
        let input = Input(url: Fixture.url, headers: ["authorization": "Basic x"])
        let output = await world.call(world.connector(by: world.giving("new")), input)
        #expect(output == .hasResponse(World.rejection))
        #expect(world.sent.elements == ["Basic x"])
        #expect(world.refreshes.elements.isEmpty)
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

    @Test("a missing response is not changed")
    func noResponse() async {
        let world = World()
        let connector = Connector.stub(.noResponse(Fixture.lost)).wrapped(
            by: .refreshToken(in: world.store, by: world.giving("new"))
        )
        #expect(await world.call(connector) == .noResponse(Fixture.lost))
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

    @Test("if the refresh fails, its error contains the rejection that `.validate` refused", .parity("B21"))
    func validatedFailure() async {
        let world = World()
        let strict = Wrapper.validate { $0.statusCode.isSuccess ? nil : "no success" }
        let connector = world.server.wrapped(
            by: .refreshToken(in: world.store) { _, _ -> Fetched<TransformError<Never>, AccessToken> in
                .left(.left(Fixture.lost))
            },
            strict
        )
        let failure = RefreshFailure.noResponse(Fixture.lost)
        #expect(await world.call(connector) == .noResponse(.refreshFailed(failure, after: World.rejection)))
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

    @Test("a call that waits for a refresh is sent with the new token, even if that is the same and expires at once")
    func sameExpired() async {
        let world = World(stored: AccessToken("new", expires: .distantPast))
        let latch = Latch()
        let connector = world.connector { token, _ in
            world.refreshes.append(token)
            await latch.wait()
            return .right(token)
        }
        let (first, second) = await world.twoWaiting(connector)
        latch.open()
        #expect(await first.value == .hasResponse(Fixture.ok))
        #expect(await second.value == .hasResponse(Fixture.ok))
        #expect(world.refreshes.elements.count == 1)
    }

    @Test("a call that failed before a refresh gave the same token is retried with it, once")
    func lateWithTheSame() async {
        let world = World(stored: AccessToken("same"), good: "none")
        let slow = Latch()
        let connector = world.server.wrapped(
            by: .refreshToken(in: world.store, by: world.giving("same")),
            Wrapper { input, next in
                let output = await next(input)
                if input.headers.contains("Slow") { await slow.wait() }
                return output
            }
        )
        let late = Task { await world.call(connector, Input(url: Fixture.url, headers: ["Slow": "1"])) }
        await eventually { world.sent.elements.count == 1 }
        #expect(await world.call(connector) == .hasResponse(World.rejection))
        slow.open()
        #expect(await late.value == .hasResponse(World.rejection))
        #expect(world.refreshes.elements.count == 1)
        #expect(world.sent.elements.count == 4)
    }

    @Test("a call that failed with an older token than the store's is retried without a refresh")
    func older() async {
        let world = World()
        let replacing = Wrapper { input, next in
            let output = await next(input)
            world.keep(AccessToken("new"))
            return output
        }
        let output = await world.call(
            world.server.wrapped(
                by: .listen(to: world.log.listener),
                .refreshToken(in: world.store, by: world.giving("newer")),
                replacing
            )
        )
        #expect(output == .hasResponse(Fixture.ok))
        #expect(world.sent.elements == ["Bearer old", "Bearer new"])
        #expect(world.refreshes.elements.isEmpty)
        #expect(world.log.names == ["started", "refreshed", "received", "succeeded", "ended"])
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

    @Test("if the store has no token when the call is rejected, the rejection is returned unchanged")
    func loggedOut() async {
        let world = World()
        let loggingOut = Wrapper { input, next in
            let output = await next(input)
            world.keep(nil)
            return output
        }
        let output = await world.call(
            world.server.wrapped(
                by: .refreshToken(in: world.store, by: world.giving("new")),
                loggingOut
            )
        )
        #expect(output == .hasResponse(World.rejection))
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

    @Test("fifty calls with an expired token cause one refresh, and none is sent with the old token")
    func fiftyExpired() async {
        let world = World(stored: AccessToken("old", expires: .distantPast))
        let connector = world.connector(by: world.giving("new"))
        await withTaskGroup(of: Output.self) { group in
            for _ in 0..<50 { group.addTask { await world.call(connector) } }
            for await output in group { #expect(output == .hasResponse(Fixture.ok)) }
        }
        #expect(world.refreshes.elements.count == 1)
        #expect(world.sent.elements == Array(repeating: "Bearer new", count: 50))
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

    @Test(
        "the error of a failed refresh has the error of OAuth (RFC 6749 5.2), without the tokens that it repeats",
        arguments: [
            (#"{"error": "invalid_grant"}"#, "invalid_grant (unexpected status code)"),
            (
                #"{"error": "invalid_grant", "error_description": "The refresh token 9f8e7d6c5b4a has expired"}"#,
                "invalid_grant: The refresh token <redacted> has expired (unexpected status code)"
            ),
            (#"{"error": "invalid_grant", "error_description": 7}"#, "invalid_grant (unexpected status code)"),
            (
                #"{"error": "invalid_grant", "error_description": "a\u001b[2Jb"}"#,
                "invalid_grant (unexpected status code)"
            ),
            (#"{"error": "\u202e"}"#, "unexpected status code"), (#"{"error": ""}"#, "unexpected status code"),
            (#"{"error": {"code": 7}}"#, "unexpected status code"), ("no JSON", "unexpected status code"),
        ]
    )
    func oauthError(_ payload: String, _ reason: String) async {
        let world = World(stored: AccessToken("old", refreshToken: "9f8e7d6c5b4a"))
        let refusal = Response(statusCode: .badRequest, payload: Data(payload.utf8))
        let output = await world.call(world.connector { _, _ in .left(.right(.unexpectedStatusCode(refusal))) })
        let failure = RefreshFailure.noToken(refusal, reason: reason)
        #expect(output == .noResponse(.refreshFailed(failure, after: World.rejection)))
    }

    @Test(
        "an answer in a form is named as what it is, with its error, and without its tokens",
        arguments: [
            (
                "access_token=hunter2&scope=repo%2Cgist&token_type=bearer",
                "the response is a form, not JSON (RFC 6749 5.1), which some servers only send for Accept: "
                    + "application/json"
            ),
            (
                "error=bad_verification_code&error_description=The+code+hunter2+is%20incorrect",
                "bad_verification_code: The code <redacted> is incorrect"
            ),
            ("error", nil), ("error=a%0Ab", nil), ("error=%zz", nil), ("<a href=\"?access_token=hunter2\">", nil),
            (#"{"message": "no access_token&access_token=hunter2"}"#, nil), ("a=b&&=&access_token", nil),
        ] as [(String, String?)]
    )
    func form(_ payload: String, _ reason: String?) async {
        let world = World(stored: AccessToken("old", refreshToken: "hunter2"))
        for type in ["application/x-www-form-urlencoded; charset=utf-8", "text/plain", nil] {
            let answer = Response(
                statusCode: .ok,
                headers: type.map { ["Content-Type": $0] } ?? [:],
                payload: Data(payload.utf8)
            )
            let connector = world.connector { _, _ in
                let read: Either<TransformError<Never>, OAuthTokenResponse> = answer.json()
                return read.map { $0.accessToken(receivedAt: Date()) }.mapLeft { .right($0) }
            }
            let text = await world.call(connector).connectionError?.debugInfo ?? ""
            #expect(text.hasPrefix(reason.map { "\($0) (" } ?? "") && !text.contains("hunter2"), "\(text)")
        }
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

    @Test("a successful status with an error of OAuth is an error that has both reasons")
    func oauthErrorWithSuccess() async {
        let world = World(stored: AccessToken("old"))
        let answer = Response(statusCode: .ok, payload: Data(#"{"error": "bad_verification_code"}"#.utf8))
        let connector = world.connector { _, _ in .left(.right(.malformedData(answer, debugInfo: "no access_token"))) }
        let failure = RefreshFailure.noToken(answer, reason: "bad_verification_code (no access_token)")
        #expect(await world.call(connector) == .noResponse(.refreshFailed(failure, after: World.rejection)))
    }

    @Test("the error of OAuth in a large payload is not read")
    func largeOAuthError() async {
        let world = World()
        let payload = #"{"error": "invalid_grant", "x": "\#(String(repeating: "x", count: 20_000))"}"#
        let refusal = Response(statusCode: .badRequest, payload: Data(payload.utf8))
        let output = await world.call(world.connector { _, _ in .left(.right(.unexpectedStatusCode(refusal))) })
        let failure = RefreshFailure.noToken(refusal, reason: "unexpected status code")
        #expect(output == .noResponse(.refreshFailed(failure, after: World.rejection)))
    }

    @Test("the error of a refresh without response contains the connection error")
    func failedConnection() async {
        let world = World()
        let output = await world.call(world.connector { _, _ in .left(.left(Fixture.lost)) })
        #expect(output == .noResponse(.refreshFailed(.noResponse(Fixture.lost), after: World.rejection)))
    }

    @Test("after a failure the next call refreshes again")
    func nextTry() async {
        let world = World()
        let count = Mutex(0)
        let connector = world.connector { _, _ in
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            return isFirst ? .left(.left(Fixture.lost)) : .right(AccessToken("new"))
        }
        #expect(await world.call(connector).connectionError?.name == "refreshFailed")
        #expect(await world.call(connector) == .hasResponse(Fixture.ok))
    }

    @Test("a call in flight when the refresh failed fails with that refresh, without another one")
    func late() async {
        let world = World()
        let slow = Latch()
        let refusal = refusal
        let connector = world.server.wrapped(
            by: .refreshToken(in: world.store) { token, _ in
                world.refreshes.append(token)
                return Fetched<TransformError<Never>, AccessToken>.left(.right(.unexpectedStatusCode(refusal)))
            },
            Wrapper { input, next in
                let output = await next(input)
                if input.headers.contains("Slow") { await slow.wait() }
                return output
            }
        )
        let late = Task { await world.call(connector, Input(url: Fixture.url, headers: ["Slow": "1"])) }
        await eventually { world.sent.elements.count == 1 }
        _ = await world.call(connector)
        slow.open()
        #expect(await late.value.connectionError?.name == "refreshFailed")
        #expect(world.refreshes.elements.count == 1)
    }

    @Test("a failing store fails the call, with its rejection in the error", arguments: [true, false])
    func storeFails(_ whenLoading: Bool) async {
        struct Locked: Error {}
        let store = TokenStore(
            load: { if whenLoading { throw Locked() } else { AccessToken("old") } },
            save: { _ in throw Locked() }
        )
        let world = World()
        let connector = world.server.wrapped(
            by: .refreshToken(in: store, by: world.giving("new"))
        )
        let kept = whenLoading ? nil : World.rejection
        #expect(
            await world.call(connector)
                == .noResponse(.refreshFailed(.storeFailed(debugInfo: "Locked()"), after: kept))
        )
    }

    @Test("a token that always expires soon is refreshed five times within 30 s, and sent until it is rejected")
    func alwaysSoon() async {
        let soon = AccessToken("new", expires: Date(timeIntervalSince1970: 1_005))
        let world = World(stored: soon)
        let connector = world.connector { [refreshes = world.refreshes] old, _ in
            refreshes.append(old)
            return .right(soon)
        }
        for _ in 0..<8 { #expect(await world.call(connector) == .hasResponse(Fixture.ok)) }
        #expect(world.refreshes.elements.count == 5)
        world.makeGood("none")
        let failure = RefreshFailure.tooOften(limit: 5, within: .seconds(30))
        #expect(await world.call(connector) == .noResponse(.refreshFailed(failure, after: World.rejection)))
        #expect(world.refreshes.elements.count == 5)
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

    // A store that refuses a token.

    private struct Locked: Error {}

    /// Returns the world's store, which refuses this many tokens before it slowly saves one.
    private func store(of world: World, refusing failures: Int, slow latch: Latch? = nil) -> TokenStore {
        let count = Mutex(failures)
        return TokenStore(load: world.store.load) { token in
            let isRefused = count.withLock { count in
                count -= 1
                return count >= 0
            }
            if isRefused { throw Locked() }
            await latch?.wait()
            try await world.store.save(token)
        }
    }

    @Test("a new token that could not be saved is kept: the next call saves it, and is sent with it")
    func unsaved() async throws {
        let world = World()
        let store = store(of: world, refusing: 1)
        let connector = world.server.wrapped(
            by: .listen(to: world.log.listener),
            .refreshToken(in: store, by: world.giving("new"))
        )
        let failure = RefreshFailure.storeFailed(debugInfo: "Locked()")
        #expect(await world.call(connector) == .noResponse(.refreshFailed(failure, after: World.rejection)))
        for _ in 0..<2 { #expect(await world.call(connector) == .hasResponse(Fixture.ok)) }
        #expect(world.sent.elements == ["Bearer old", "Bearer new", "Bearer new"])
        #expect(world.refreshes.elements.count == 1)
        #expect(world.log.names.count { $0 == "refreshing" } == 1)
        let saved = try await world.store.load()
        #expect(saved == AccessToken("new"))
    }

    @Test("calls are sent with a token that the store never saves, and the next refresh begins with that token")
    func neverSaved() async {
        let world = World()
        let store = store(of: world, refusing: .max)
        let connector = world.server.wrapped(by: .refreshToken(in: store, by: world.giving("new")))
        #expect(await world.call(connector).connectionError?.name == "refreshFailed")
        await withTaskGroup(of: Output.self) { group in
            for _ in 0..<10 { group.addTask { await world.call(connector) } }
            for await output in group { #expect(output == .hasResponse(Fixture.ok)) }
        }
        world.makeGood("newer")
        #expect(await world.call(connector).connectionError?.name == "refreshFailed")
        #expect(world.refreshes.elements.map(\.value) == ["old", "new"])
    }

    @Test("a store that meanwhile has another token wins", arguments: [nil, "other"])
    func believed(_ token: String?) async throws {
        let world = World()
        let store = store(of: world, refusing: 1)
        let connector = world.server.wrapped(by: .refreshToken(in: store, by: world.giving("new")))
        _ = await world.call(connector)
        world.makeGood("other")
        world.keep(token.map { AccessToken($0) })
        _ = await world.call(connector)
        #expect(world.sent.elements == ["Bearer old", token.map { "Bearer \($0)" }])
        let kept = try await world.store.load()
        #expect(kept?.value == token)
    }

    @Test("a call that is rejected while its own token is being saved has that token refreshed afterwards")
    func rejectedWhileSaved() async {
        let world = World()
        let (saving, slow) = (Latch(), Latch())
        let store = store(of: world, refusing: 2, slow: saving)
        let names = Mutex(["newer", "new"])
        let connector = world.server.wrapped(
            by: .listen(to: world.log.listener),
            .refreshToken(in: store) { _, _ in
                Fetched<TransformError<Never>, AccessToken>.right(AccessToken(names.withLock { $0.removeLast() }))
            },
            Wrapper { input, next in
                let output = await next(input)
                if input.headers.contains("Slow") { await slow.wait() }
                return output
            }
        )
        _ = await world.call(connector)
        world.makeGood("newer")
        let late = Task { await world.call(connector, Input(url: Fixture.url, headers: ["Slow": "1"])) }
        await eventually { world.sent.elements.count == 2 }
        let other = Task { await world.call(connector) }
        await eventually { world.log.names.count { $0 == "started" } == 3 }
        slow.open()
        await eventually { world.log.names.count { $0 == "refreshing" } == 2 }
        saving.open()
        #expect(await late.value == .hasResponse(Fixture.ok))
        #expect(await other.value == .hasResponse(Fixture.ok))
        #expect(world.sent.elements.contains("Bearer newer"))
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

    @Test("outside of .redirect the token is removed at another origin")
    func redirect() async {
        let sent = Recorder<Input>()
        let stub = Connector.stub(
            sequence: [.status(.found, headers: ["Location": "https://other.example.com/"]), .hasResponse(Fixture.ok)],
            recording: sent
        )
        let world = World()
        let connector = stub.wrapped(
            by: .refreshToken(in: world.store, by: world.giving("new")),
            .redirect()
        )
        _ = await world.call(connector)
        #expect(sent.elements.map { $0.headers["Authorization"] } == ["Bearer old", nil])
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

    @Test("200 calls at random moments, some cancelled, end with one refresh for each rejected token")
    func storm() async {
        let world = World()
        let connector = world.connector(by: world.giving("new"))
        await withTaskGroup(of: Output.self) { group in
            for index in 0..<200 {
                group.addTask {
                    let call = Task { await world.call(connector) }
                    for _ in 0..<Int.random(in: 0...20) { await Task.yield() }
                    if index.isMultiple(of: 3) { call.cancel() }
                    return await call.value
                }
            }
            for await output in group {
                #expect(output == .hasResponse(Fixture.ok) || output == .noResponse(.cancelled))
            }
        }
        #expect(world.refreshes.elements.count == 1)
    }

    // Over a socket.

    @Test("over a real socket: rejected, refreshed at the same server, and retried", .parity("B21"))
    func loopback() async throws {
        let world = World()
        let server = Connector.stub { input in
            if input.url.path == "/token" { return .json(#"{"value":"new"}"#) }
            let token = input.headers["Authorization"]
            world.sent.append(token)
            return .hasResponse(world.good(token) ? Fixture.ok : World.rejection)
        }
        try await LoopbackServer.serving(server) { server in
            let connector = Connector.patient.wrapped(
                by: .refreshToken(in: world.store) { _, connector in
                    await Endpoint.json(AccessToken.self, .get("\(server.url)/token")).fetch(via: connector)
                }
            )
            let output = await world.call(connector, Input(url: server.url))
            #expect(output.response?.payload == Fixture.ok.payload, "\(output)")
        }
        #expect(world.sent.elements == ["Bearer old", "Bearer new"])
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
