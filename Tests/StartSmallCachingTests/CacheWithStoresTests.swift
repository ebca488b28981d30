import Foundation
import StartSmall
import StartSmallTesting
import Testing

@testable import StartSmallCaching

/// The wrapper over each store of the kit.
struct CacheWithStoresTests {
    private static let fields: HTTPHeaders = [
        "Cache-Control": "max-age=60, stale-while-revalidate=9", "ETag": "\"1\"", "Vary": "Authorization, Accept",
    ]

    @Test("a response that varies by credentials is found again in each store", arguments: [true, false])
    func varyByCredentials(isDirectory: Bool) async {
        let folder = FileManager.default.temporaryDirectory.appending(path: "StartSmallCaching-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let newStore = { isDirectory ? CacheStore.directory(folder) : CacheStore.memory() }
        let time = TestTime(Date())
        let stub = Connector.stub { _ in .text("x", headers: Self.fields) }
        let connector = stub.cached(newStore(), time)
        let input = Input.get(["Authorization": "Bearer abc", "Accept": "a, b"])
        let other = Input.get(["Authorization": "Bearer abc", "Accept": "c"])

        #expect(await connector.output(input).cacheStatus?.isStored == true)
        #expect(await connector.output(input).cacheStatus?.isHit == true)
        #expect(await connector.output(other).cacheStatus?.isHit == false)
        if isDirectory { #expect(await stub.cached(newStore(), time).output(input).cacheStatus?.isHit == true) }
        _ = await connector.output(.post())
        #expect(await connector.output(input).cacheStatus?.isHit == false)
        #expect(await connector.output(input.with { $0.methodAndPayload = .head }).cacheStatus?.isHit == true)
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
