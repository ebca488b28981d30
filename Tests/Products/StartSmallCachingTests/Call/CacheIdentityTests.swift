import Foundation
import StartSmall
import StartSmallTesting
import Testing

@testable import StartSmallCaching

/// Credentials that only the options of a cache name.
@Suite(.timeLimit(.minutes(2))) struct CacheIdentityTests {
    private let sent = Recorder<Input>()

    private static let secret = "hunter2-tenant"
    private static let options = CacheOptions(identity: { RequestIdentity($0.headers, alsoNaming: ["X-Tenant"]) })
    private static let input = Input.get(["X-Tenant": secret, "Authorization": "Bearer \(secret)", "Accept": "a"])

    private func connector(_ store: CacheStore, _ vary: String, _ time: TestTime = TestTime()) -> Connector {
        Connector.stub(recording: sent) { input in
            let headers: HTTPHeaders = ["Cache-Control": "max-age=60", "Vary": vary, "ETag": "\"1\""]
            if input.headers.contains("If-None-Match") { return .status(.notModified, headers: headers) }
            return .text(input.headers["X-Tenant"] == Self.secret ? "own" : "other", headers: headers)
        }.cached(store, time, Self.options)
    }

    @Test(
        "a credential that the options name is on no disk in clear text, although Vary names it",
        arguments: ["X-Tenant", "x-tenant, accept", "Accept, Authorization, X-TENANT"]
    )
    func files(_ vary: String) async throws {
        try await StoreFixture.withDirectory { url in
            let time = TestTime()
            let connector = connector(.directory(url), vary, time)
            #expect(await connector.output(Self.input).cacheStatus?.isStored == true)
            #expect(await connector.output(Self.input).cacheStatus?.isHit == true)
            // A validation stores the response again.
            time.pass(99)
            #expect(await connector.output(Self.input).statusText?.contains("fwd-status=304") == true)
            let other = Self.input.with { $0.headers["X-Tenant"] = "b" }
            #expect(await connector.output(other).text == "other")
            let files = try StoreFixture.entries(in: url)
            #expect(files.count == 2)
            for file in files {
                #expect(try Data(contentsOf: file).range(of: Data(Self.secret.utf8)) == nil)
                #expect(!file.path.contains(Self.secret))
            }
        }
    }
}
