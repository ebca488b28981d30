import Foundation
import StartSmall
@testable import StartSmallCookies
import StartSmallTesting
import Testing

/// Responses with very many `Set-Cookie` fields.
struct CookieFloodTests {
    private static let url = CookieFixture.url("https://h.test/")

    /// A jar that is full: 3,000 cookies of 60 domains.
    private static func fullJar() -> CookieJar {
        let cookies = (0..<60).flatMap { domain in
            (0..<50).map { number in
                Cookie(
                    name: "c\(number)",
                    value: "v",
                    domain: "d\(domain).test",
                    expiresAt: CookieFixture.date + 1_000_000
                )
            }
        }
        return CookieJar(CookieSnapshot(cookies), policy: CookieFixture.policy) { CookieFixture.date }
    }

    private static var cpuSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test("ten thousand expired cookies cost a full jar about as much as an empty one")
    func expired() {
        let jars = [CookieJar(policy: CookieFixture.policy) { CookieFixture.date }, Self.fullJar()]
        let times = jars.map { jar in
            let start = Self.cpuSeconds
            for number in 0..<10_000 {
                _ = jar.rejection(of: "e\(number % 7)=1; Max-Age=\(number % 2 - 1)")
            }
            return Self.cpuSeconds - start
        }
        #expect(jars[1].cookies.count == 3_000)
        // Twice as long is noise; looking at each cookie of the jar would take a hundred times as long.
        #expect(times[1] < times[0] * 10 + 0.5)
    }

    @Test("the first 100 fields of a response are read, and the others are one event")
    func limit() async {
        for (count, events) in [(100, 0), (101, 1), (10_000, 1)] {
            let (jar, log) = (CookieJar(policy: CookieFixture.policy) { CookieFixture.date }, EventLog())
            let fields = (1...count).map { HTTPHeaders.Field(name: "Set-Cookie", value: "c\($0)=1; Path=/\($0 % 3)") }
            let stub = Connector.stub(.hasResponse(Response(statusCode: .ok, headers: HTTPHeaders(fields))))
            let connector = stub.wrapped(by: .listen(to: log.listener), .cookies(in: jar))
            let output = await WebAPI.call(with: Input(url: Self.url), via: connector)
            #expect(output.response?.headers.fields.count == count, "the response keeps its fields")
            #expect(Set(jar.cookies.map(\.name)) == Set((51...100).map { "c\($0)" }), "the last 50 that are read")
            let expected = Event.reported(CookieRejection.tooLong)
            #expect(log.events.filter { $0.name == "cookieRejected" } == Array(repeating: expected, count: events))
        }
    }

    @Test("a response can remove all cookies of its domain, and set as many")
    func replaced() async {
        let jar = CookieFixture.jar()
        for number in 0..<50 { _ = jar.rejection(of: "old\(number)=1") }
        let fields = (0..<50).map { "old\($0)=; Max-Age=0" } + (0..<50).map { "new\($0)=1" }
        let headers = HTTPHeaders(fields.map { .init(name: "Set-Cookie", value: $0) })
        let stub = Connector.stub(.hasResponse(Response(statusCode: .ok, headers: headers)))
        _ = await WebAPI.call(with: Input(url: Self.url), via: stub.wrapped(by: .cookies(in: jar)))
        #expect(jar.cookies.map(\.name) == (0..<50).map { "new\($0)" })
    }
}
