import Foundation
import TestSupport
import Testing

@testable import StartSmallCore
@testable import StartSmallURLSession

@Suite struct URLSessionOptionsTests {
    @Test("cookies, cache and stored credentials are off by default")
    func off() {
        let configuration = ConnectionOptions().applied(to: .default)
        #expect(configuration.httpCookieStorage == nil)
        #expect(!configuration.httpShouldSetCookies)
        #expect(configuration.httpCookieAcceptPolicy == .never)
        #expect(configuration.urlCache == nil)
        #expect(configuration.urlCredentialStorage == nil)
    }

    @Test("requested storages stay as in the configuration")
    func asked() {
        let configuration = URLSessionConfiguration.default
        let applied = ConnectionOptions(keepsCookies: true, usesCache: true).applied(to: configuration)
        #expect(applied.httpCookieStorage === configuration.httpCookieStorage)
        #expect(applied.httpShouldSetCookies)
        #expect(applied.urlCache === configuration.urlCache)
    }

    @Test(
        "each connector has its own cache policy, and without a cache it has no effect",
        .parity("D3"),
        arguments: [
            URLRequest.CachePolicy.useProtocolCachePolicy, .reloadIgnoringLocalCacheData, .returnCacheDataElseLoad,
            .returnCacheDataDontLoad,
        ]
    )
    func cachePolicy(policy: URLRequest.CachePolicy) {
        let configuration = URLSessionConfiguration.default
        configuration.requestCachePolicy = policy
        let applied = ConnectionOptions(usesCache: true).applied(to: configuration)
        #expect(applied.requestCachePolicy == policy)
        #expect(applied.urlCache != nil)
        #expect(ConnectionOptions().applied(to: configuration).urlCache == nil)
    }

    @Test("only a configuration for background transfers is refused")
    func background() {
        #expect(ConnectionOptions.refusal(ofSessionNamed: nil) == nil)
        let error = ConnectionOptions.refusal(ofSessionNamed: "a\nb")
        #expect(error?.name == "engineUnavailable")
        #expect("\(error.map { "\($0)" } ?? "")".contains("background"))
    }

    @Test("the caller's configuration is not changed, and its other values are kept")
    func copied() {
        let configuration = URLSessionConfiguration.default
        configuration.httpMaximumConnectionsPerHost = 3
        let applied = ConnectionOptions().applied(to: configuration)
        #expect(configuration.httpCookieStorage != nil)
        #expect(configuration.urlCache != nil)
        #expect(applied.httpMaximumConnectionsPerHost == 3)
    }

    @Test("the idle timeout is 15 seconds by default", .parity("B7"))
    func idle() {
        #expect(ConnectionOptions().idleTimeout == .automatic)
        #expect(ConnectionOptions().idleTimeout.limit(within: nil) == .seconds(15))
    }
}
