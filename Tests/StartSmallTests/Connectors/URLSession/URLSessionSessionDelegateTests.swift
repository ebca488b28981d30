import Foundation
import Synchronization
import Testing

@testable import StartSmall

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct URLSessionSessionDelegateTests {
    @Test("a response is stored in the session's cache only if the options ask for it", arguments: [false, true])
    func cache(isUsed: Bool) throws {
        let url = try #require(URL(string: "http://127.0.0.1/"))
        let sessionDelegate = URLSessionSessionDelegate(options: ConnectionOptions(usesCache: isUsed))
        let task = URLSession.shared.dataTask(with: url)
        defer { task.cancel() }
        let response = URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
        let stored = Recorded()
        sessionDelegate.urlSession(
            URLSession.shared,
            dataTask: task,
            willCacheResponse: CachedURLResponse(response: response, data: Data())
        ) { proposed in stored.isSomething.withLock { $0 = proposed != nil } }
        #expect(stored.isSomething.withLock(\.self) == isUsed)
    }

    private final class Recorded: Sendable {
        let isSomething = Mutex<Bool?>(nil)
    }
}
