import Foundation
import StartSmall
import StartSmallTesting
import Synchronization
import Testing

@testable import StartSmallCaching

@Suite(.timeLimit(.minutes(2))) struct CacheStoreFailureTests {
    /// The functions of a store.
    enum Function: CaseIterable, Sendable {
        case responses, store, remove
    }

    struct Failure: Error {}

    /// Returns a store in which one function first does something else.
    private func store(_ base: TestStore, _ broken: Function, _ action: @escaping @Sendable () async throws -> Void)
        -> CacheStore
    {
        let act = { @Sendable (function: Function) in if function == broken { try await action() } }
        return CacheStore(
            responses: {
                try await act(.responses)
                return base.responses(of: $0)
            },
            store: {
                try await act(.store)
                base.insert($0, $1)
            },
            remove: {
                try await act(.remove)
                base.remove($0)
            }
        )
    }

    private static let fresh = Output.text("one", headers: ["Cache-Control": "max-age=60", "ETag": "\"1\""])

    @Test("a store that fails is a miss, and never an error", arguments: Function.allCases)
    func failing(_ function: Function) async {
        let sent = Recorder<Input>()
        let store = store(TestStore(), function) { throw Failure() }
        let connector = Connector.stub(Self.fresh, recording: sent).cached(store)
        for input in [Input.get(), .get(), .post(), .get(), .head()] {
            #expect(await connector.output(input).text == "one" || input == .head())
        }
        #expect(sent.elements.count == (function == .remove ? 4 : 5))
    }

    @Test("a response that could not be removed is not used until it is removed (RFC 9111 4.4)")
    func failedRemoval() async {
        let (base, sent) = (TestStore(), Recorder<Input>())
        let isBroken = Mutex(true)
        let store = store(base, .remove) { if isBroken.withLock({ $0 }) { throw Failure() } }
        let connector = Connector.stub(Self.fresh, recording: sent).cached(store)
        _ = await (connector.output(), connector.output(.post()))
        #expect(
            await connector.output(.get(["Cache-Control": "only-if-cached"])).response?.statusCode == .gatewayTimeout
        )
        isBroken.withLock { $0 = false }
        _ = await connector.output()
        #expect(base.removed.count == 1, "the removal is repeated")
        #expect(await connector.output().cacheStatus?.isHit == true)
    }

    @Test("a call whose store does not answer can be cancelled", arguments: Function.allCases)
    func hanging(_ function: Function) async {
        let (begun, release) = (Latch(), Latch())
        let base = TestStore()
        let store = store(base, function) {
            begun.open()
            // Like a file system that ignores cancellation.
            await Task.detached { await release.wait() }.value
        }
        let connector = Connector.stub(Self.fresh).cached(store)
        let call = Task { await connector.output(function == .remove ? .post() : .get()) }
        await begun.wait()
        call.cancel()
        #expect(await call.value == .noResponse(.cancelled))
        release.open()
        // What the store does for a cancelled call is completed.
        if function == .remove { await reach { !base.removed.isEmpty } }
    }
}
