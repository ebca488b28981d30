import Foundation
import StartSmall
import StartSmallCaching
import StartSmallTesting
import Testing

/// The Swift blocks of Sources/StartSmallCaching/StartSmallCaching.docc/StartSmallCaching.md, in order.
struct CachingExamples {
    private let sent = Recorder<Input>()
    private let news = Input(url: Fixtures.news)
    private var stub: Connector {
        .stub(.text("news", headers: ["Cache-Control": "max-age=60", "Date": HTTPDate.text(Date())]), recording: sent)
    }

    private enum Fixtures {
        static let news = URL(string: "https://api.example.com/news")!
    }

    @Test("a fresh response is not requested again, unless the request asks for that")
    func memory() async {
        let engine = stub
        let store = CacheStore.memory()
        let app = Connector.standard(over: engine.wrapped(by: .cache(in: store)))

        let first = await WebAPI.call(with: news, via: app)
        let second = await WebAPI.call(with: news, via: app)
        print(first.response?.cacheStatus ?? "")  // StartSmall; fwd=uri-miss; ttl=60; stored
        print(second.response?.isFromCache ?? false)  // true
        #expect(first.response?.cacheStatus?.hasPrefix("StartSmall; fwd=uri-miss") == true)
        #expect(second.response?.isFromCache == true && sent.elements.count == 1)

        let newest = Endpoint.text(.get("https://api.example.com/news", headers: ["Cache-Control": "no-cache"]))
        let refreshed = await newest.fetch(via: app)
        #expect(refreshed == .right("news") && sent.elements.count == 2)
    }

    @Test("identities do not share responses")
    func identities() async {
        let store = CacheStore.memory()
        for token in ["one", "two"] {
            let connector = stub.wrapped(by: .bearer(token), .cache(in: store))
            #expect(await WebAPI.call(with: news, via: connector).response != nil)
        }
        #expect(sent.elements.count == 2)
    }

    @Test("a directory keeps responses for the next connector, with the options of the app")
    func directory() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for tenant in ["blue", "blue", "green"] {
            let store = CacheStore.directory(folder, limit: 20_000_000)
            let tolerant = stub.wrapped(by: .cache(in: store, options: CacheOptions(staleIfError: .seconds(86_400))))
            #expect(await WebAPI.call(with: news, via: tolerant).response != nil)

            let options = CacheOptions(identity: { RequestIdentity($0.headers, alsoNaming: ["X-Tenant"]) })
            let connector = stub.wrapped(by: .cache(in: store, options: options))
            _ = await WebAPI.call(with: news.with { $0.headers["X-Tenant"] = tenant }, via: connector)
        }
        #expect(sent.elements.count == 3)
    }
}
