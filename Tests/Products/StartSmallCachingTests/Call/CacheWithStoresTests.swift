import Foundation
import StartSmall
import StartSmallSupport
import StartSmallTesting
import Synchronization
import Testing

@testable import StartSmallCaching

/// The wrapper over each store of the kit.
struct CacheWithStoresTests {
    private static let fields: HTTPHeaders = [
        "Cache-Control": "max-age=60, stale-while-revalidate=9", "ETag": "\"1\"", "Vary": "Authorization, Accept",
    ]

    @Test("a response that varies by credentials is found again in each store", arguments: StoreKind.allCases)
    func varyByCredentials(_ kind: StoreKind) async throws {
        try await kind.withStores(limit: 1_000_000) { store, same in
            let time = TestTime(Date())
            let stub = Connector.stub { _ in .text("x", headers: Self.fields) }
            let connector = stub.cached(store, time)
            let input = Input.get(["Authorization": "Bearer abc", "Accept": "a, b"])
            let other = Input.get(["Authorization": "Bearer abc", "Accept": "c"])

            #expect(await connector.output(input).cacheStatus?.isStored == true)
            #expect(await connector.output(input).cacheStatus?.isHit == true)
            #expect(await connector.output(other).cacheStatus?.isHit == false)
            #expect(await stub.cached(same, time).output(input).cacheStatus?.isHit == true)
            _ = await connector.output(.post())
            #expect(await connector.output(input).cacheStatus?.isHit == false)
        }
    }

    @Test("on all threads, a read never gives a state before a write that has ended", arguments: [true, false])
    func writeThenRead(isMemory: Bool) async {
        let store = isMemory ? CacheStore.memory() : TestStore().store
        let version = Locked(0)
        let server = Connector { input in
            let isWrite = input.methodAndPayload != .get
            let state = version.withLock { version in
                if isWrite { version += 1 }
                return version
            }
            // A read that takes longer than the writes after it ends late, with the state before.
            for _ in 0..<(isWrite ? 1 : state % 3 * 20) { await Task.yield() }
            return .text("\(state)", headers: ["Cache-Control": "max-age=60"])
        }
        let connector = server.cached(store, TestTime())
        let written = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<16 {
                group.addTask {
                    for step in 0..<60 {
                        if (task + step) % 8 == 0 {
                            let state = Int(await connector.output(.post()).text ?? "") ?? 0
                            written.withLock { $0 = max($0, state) }
                        } else {
                            let least = written.withLock { $0 }
                            let state = Int(await connector.output(.get()).text ?? "") ?? -1
                            #expect(state >= least)
                        }
                    }
                }
            }
        }
    }
}

/// The wrapper over stores that fail, or do not answer.
@Suite(.timeLimit(.minutes(2))) struct CacheStoreFailureTests {
    struct Failure: Error {}

    private static let fresh = Output.text("one", headers: ["Cache-Control": "max-age=60", "ETag": "\"1\""])

    @Test("a store that fails is a miss, and never an error", arguments: TestStore.Function.allCases)
    func failing(_ function: TestStore.Function) async {
        let sent = Recorder<Input>()
        let store = TestStore().store(at: function) { throw Failure() }
        let connector = Connector.stub(Self.fresh, recording: sent).cached(store)
        for input in [Input.get(), .get(), .post(), .get()] {
            #expect(await connector.output(input).text == "one")
        }
        #expect(sent.elements.count == (function == .remove ? 2 : 4))
    }

    @Test("a call whose store does not answer can be cancelled", arguments: TestStore.Function.allCases)
    func hanging(_ function: TestStore.Function) async {
        let (begun, release) = (Latch(), Latch())
        let base = TestStore()
        let store = base.store(at: function) {
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
