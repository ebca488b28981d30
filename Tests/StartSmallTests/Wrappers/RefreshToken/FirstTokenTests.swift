import Foundation
import StartSmall
import StartSmallTesting
import Synchronization
import Testing

/// Calls while the store has no token, with a function that requests the first one.
struct FirstTokenTests {
    private typealias Fetching = Fetched<TransformError<Never>, AccessToken>

    private let sent = Recorder<String?>()
    private let firsts = Recorder<Void>()
    private let refreshes = Recorder<AccessToken>()

    /// A server that accepts these tokens only.
    private func server(accepting good: Set<String>) -> Connector {
        .stub { input in
            let field = input.headers["Authorization"]
            sent.append(field)
            let isGood = good.contains { field == "Bearer \($0)" }
            return .hasResponse(isGood ? Fixture.ok : Response(statusCode: .unauthorized))
        }
    }

    private func wrapper(
        in store: TokenStore,
        first: @escaping @Sendable () async -> Fetching = { .right(AccessToken("first")) }
    ) -> Wrapper {
        .refreshToken(
            in: store,
            clock: ManualClock(),
            first: { _ in
                firsts.append(())
                return await first()
            },
            by: { old, _ in
                refreshes.append(old)
                return Fetching.right(AccessToken("refreshed"))
            }
        )
    }

    private func call(_ connector: Connector) async -> Output {
        await WebAPI.call(with: Fixture.input, via: connector)
    }

    @Test("fifty calls while there is no token request one, and all are sent with it")
    func fifty() async throws {
        let (store, latch) = (TokenStore.memory(), Latch())
        let connector = server(accepting: ["first"]).wrapped(
            by: wrapper(in: store) {
                await latch.wait()
                return .right(AccessToken("first"))
            }
        )
        let outputs = await withTaskGroup { group in
            for _ in 0..<50 { group.addTask { await call(connector) } }
            await eventually { firsts.elements.count == 1 }
            latch.open()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outputs.allSatisfy { $0 == .hasResponse(Fixture.ok) })
        #expect(sent.elements == Array(repeating: "Bearer first", count: 50))
        #expect(firsts.elements.count == 1)
        #expect(refreshes.elements.isEmpty)
        let saved = try await store.load()
        #expect(saved == AccessToken("first"))
    }

    @Test("without a first token, the call fails with the reason, nothing is sent, and the next call tries again")
    func failed() async {
        let isDown = Mutex(true)
        let connector = server(accepting: ["first"]).wrapped(
            by: wrapper(in: .memory()) {
                isDown.withLock { $0 } ? .left(.left(Fixture.lost)) : .right(AccessToken("first"))
            }
        )
        #expect(await call(connector) == .noResponse(.refreshFailed(.noResponse(Fixture.lost), after: nil)))
        #expect(sent.elements.isEmpty)
        isDown.withLock { $0 = false }
        #expect(await call(connector) == .hasResponse(Fixture.ok))
    }

    @Test(
        "a login while the first token is requested is not overwritten, and its token is sent",
        arguments: [nil, "alice"]
    )
    func login(identity: String?) async throws {
        let (store, latch) = (TokenStore.memory(), Latch())
        let connector = server(accepting: ["login"]).wrapped(
            by: wrapper(in: store) {
                await latch.wait()
                return .right(AccessToken("first"))
            }
        )
        let output = Task { await call(connector) }
        await eventually { firsts.elements.count == 1 }
        try await store.save(AccessToken("login", identity: identity))
        latch.open()
        #expect(await output.value == .hasResponse(Fixture.ok))
        #expect(sent.elements == ["Bearer login"])
        let saved = try await store.load()
        #expect(saved?.value == "login")
    }

    @Test("after a logout, a rejected call ends with its rejection, and requests no first token")
    func logout() async {
        let stored = Mutex<AccessToken?>(AccessToken("old"))
        let store = TokenStore(load: { stored.withLock { $0 } }, save: { token in stored.withLock { $0 = token } })
        let connector = server(accepting: []).wrapped(
            by: wrapper(in: store),
            Wrapper { input, next in
                stored.withLock { $0 = nil }
                return await next(input)
            }
        )
        #expect(await call(connector).response?.statusCode == .unauthorized)
        #expect(sent.elements == ["Bearer old"])
        #expect(firsts.elements.isEmpty)
    }

    @Test("a store in memory replaces only the token that it has")
    func memory() async throws {
        let store = TokenStore.memory(AccessToken("a"))
        var stored = try await store.load()
        #expect(stored == AccessToken("a"))
        try await store.save(AccessToken("b"))
        stored = try await store.load()
        #expect(stored == AccessToken("b"))
        let connector = server(accepting: ["c"]).wrapped(
            by: .refreshToken(in: store) { _, _ in
                try? await store.save(AccessToken("c"))
                return Fetching.right(AccessToken("lost"))
            }
        )
        #expect(await call(connector) == .hasResponse(Fixture.ok))
        stored = try await store.load()
        #expect(stored == AccessToken("c"))
    }
}
