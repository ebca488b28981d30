import Foundation
import StartSmall
import StartSmallCaching
import StartSmallCookies
import StartSmallTesting
import Testing

/// The order of `.cookies` and other wrappers, and its dry run.
struct CookiesOrderTests {
    private let jar = CookieJar()
    private let stub = Connector.stub(.status(.ok, headers: ["Set-Cookie": "a=b"]))

    @Test("cookies belong inside of redirects, retries and a base URL, and outside of a cache")
    func order() {
        let cache = Wrapper.cache(in: .memory())
        for other in [.redirect(), .retry(), .baseURL(URL(string: "https://example.com")!)] as [Wrapper] {
            #expect(stub.wrapped(by: .cookies(in: jar), other).check().map(\.inner) == [other.name])
            #expect(stub.wrapped(by: other, .cookies(in: jar)).check() == [])
        }
        for other in [cache, .shareInFlight()] {
            #expect(stub.wrapped(by: other, .cookies(in: jar)).check().map(\.outer) == [other.name])
            #expect(stub.wrapped(by: .cookies(in: jar), other).check() == [])
        }
        #expect(stub.wrapped(by: .redirect(), .cookies(in: jar), .log(.headers)).check() == [])
    }

    @Test("a dry run sends the cookies of the jar, and stores none")
    func dryRun() async {
        let input = Input(url: URL(string: "https://example.com/")!)
        let connector = stub.wrapped(by: .cookies(in: jar))
        #expect(await connector.dryRun(input) == .request(input))
        _ = await WebAPI.call(with: input, via: connector)
        #expect(await connector.dryRun(input).request?.headers["Cookie"] == "a=b")
        #expect(connector.description == "1. cookies\nstub")
    }
}
