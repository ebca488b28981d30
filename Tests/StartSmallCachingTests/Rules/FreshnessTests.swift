import Foundation
import StartSmall
import Testing

@testable import StartSmallCaching

struct FreshnessTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var section: String
        var headers: HTTPHeaders
        var lifetime: Double
        var testDescription: String { "\(section): \(headers.fields.map { "\($0.name): \($0.value)" })" }
    }

    private func freshness(
        _ headers: HTTPHeaders,
        status: HTTPStatus = .ok,
        at seconds: Double = 0,
        hasQuery: Bool = false,
        _ options: CacheOptions = CacheOptions()
    ) -> Freshness {
        Freshness(of: .at(headers, status: status), at: .after(seconds), hasQuery: hasQuery, options)
    }

    private static let explicit: [Row] = [
        Row(section: "5.2.2.1", headers: ["Cache-Control": "max-age=60"], lifetime: 60),
        Row(section: "5.2.2.1", headers: ["cache-control": "MAX-AGE=60"], lifetime: 60),
        Row(section: "5.2", headers: ["Cache-Control": "max-age=\"60\""], lifetime: 60),
        Row(section: "5.2", headers: ["Cache-Control": "a=\"max-age=5\", max-age=60"], lifetime: 60),
        Row(section: "5.2.2.10", headers: ["Cache-Control": "s-maxage=600, max-age=60"], lifetime: 60),
        Row(section: "1.2.2", headers: ["Cache-Control": "max-age=99999999999999999999"], lifetime: 2_147_483_648),
        Row(section: "4.2.1", headers: ["Cache-Control": "max-age"], lifetime: 0),
        Row(section: "4.2.1", headers: ["Cache-Control": "max-age="], lifetime: 0),
        Row(section: "4.2.1", headers: ["Cache-Control": "max-age=-5"], lifetime: 0),
        Row(section: "4.2.1", headers: ["Cache-Control": "max-age=1.5"], lifetime: 0),
        Row(section: "4.2.1", headers: ["Cache-Control": "max-age=6a"], lifetime: 0),
        Row(section: "4.2.1", headers: ["Cache-Control": "max-age=60, max-age=600"], lifetime: 60),
        Row(section: "4.2.1", headers: ["Cache-Control": "max-age=60", "Cache-Control": "max-age=600"], lifetime: 60),
        Row(section: "5.3", headers: ["Cache-Control": "max-age=60", "Expires": httpDate(900)], lifetime: 60),
        Row(section: "5.3", headers: ["Expires": httpDate(90), "Date": httpDate()], lifetime: 90),
        Row(section: "4.2.1", headers: ["Expires": httpDate(90), "Date": httpDate(-10)], lifetime: 100),
        Row(section: "4.2.1", headers: ["Expires": httpDate(90)], lifetime: 90),
        Row(section: "4.2.1", headers: ["Expires": httpDate(90), "Date": "now"], lifetime: 90),
        Row(section: "4.2", headers: ["Expires": httpDate(90).lowercased()], lifetime: 90),
        Row(section: "4.2", headers: ["Expires": httpDate(90).uppercased()], lifetime: 90),
        Row(section: "4.2.1", headers: ["Expires": httpDate(-90), "Date": httpDate()], lifetime: 0),
        Row(section: "4.2.1", headers: ["Expires": httpDate(30), "Expires": httpDate(90)], lifetime: 30),
        Row(section: "5.3", headers: ["Expires": "0"], lifetime: 0),
        Row(section: "5.3", headers: ["Expires": ""], lifetime: 0),
        Row(section: "5.3", headers: ["Expires": "-1", "Last-Modified": httpDate(-1000)], lifetime: 0),
        Row(section: "4.2", headers: ["Expires": httpDate(90).replacing("GMT", with: "CET")], lifetime: 0),
        Row(section: "4.2", headers: ["Expires": httpDate(90).replacing("GMT", with: "UTC")], lifetime: 0),
        Row(section: "4.2", headers: ["Expires": httpDate(90).replacing("GMT", with: "utc")], lifetime: 0),
        Row(section: "4.2", headers: ["Expires": httpDate(90).replacing("GMT", with: "+0000")], lifetime: 0),
    ]

    @Test("the lifetime is that of max-age, or else of Expires (RFC 9111 4.2.1, 5.3)", arguments: explicit)
    func lifetimes(_ row: Row) {
        #expect(freshness(row.headers).lifetime == row.lifetime)
    }

    @Test("a tenth of the time since the last change is the heuristic lifetime (4.2.2)")
    func heuristic() {
        #expect(freshness(["Last-Modified": httpDate(-1000), "Date": httpDate()]).lifetime == 100)
        #expect(freshness(["Last-Modified": httpDate(-1000)]).lifetime == 100)
    }

    private static let withoutHeuristic: [Row] = [
        Row(section: "4.2.2, explicit", headers: ["Last-Modified": httpDate(-1000), "Expires": "0"], lifetime: 0),
        Row(
            section: "4.2.2, explicit",
            headers: ["Last-Modified": httpDate(-99), "Cache-Control": "max-age=0"],
            lifetime: 0
        ),
        Row(section: "4.2.2, future", headers: ["Last-Modified": httpDate(1000)], lifetime: 0),
        Row(section: "4.2.2, malformed", headers: ["Last-Modified": "yesterday"], lifetime: 0),
        Row(section: "4.2.2, none", headers: [:], lifetime: 0),
        Row(section: "named maximum", headers: ["Last-Modified": httpDate(-100_000_000)], lifetime: 86_400),
    ]

    @Test(
        "a heuristic lifetime needs a past change and no explicit lifetime, and has a maximum (4.2.2)",
        arguments: withoutHeuristic
    )
    func heuristicLimits(_ row: Row) {
        #expect(freshness(row.headers).lifetime == row.lifetime)
    }

    @Test("only heuristically cacheable statuses have a heuristic lifetime, and others with public (RFC 9110 15.1)")
    func heuristicStatuses() {
        let heuristic: Set = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]
        let headers: HTTPHeaders = ["Last-Modified": httpDate(-1000)]
        let marked: HTTPHeaders = ["Last-Modified": httpDate(-1000), "Cache-Control": "public"]
        for code in 200...599 {
            let status = HTTPStatus.from(code: code)
            #expect(freshness(headers, status: status).isFresh == heuristic.contains(code), "\(code)")
            #expect(freshness(marked, status: status).isFresh, "\(code) with public (4.2.2)")
        }
    }

    @Test("a URL with a query has no heuristic lifetime, but an explicit one (4.2.2)")
    func queries() {
        #expect(!freshness(["Last-Modified": httpDate(-1000)], hasQuery: true).isFresh)
        #expect(freshness(["Cache-Control": "max-age=1"], hasQuery: true).isFresh)
    }

    @Test("options change the heuristic lifetime, with any number", arguments: [0, -1, .nan, .infinity, 1e300, 0.5])
    func fractions(_ fraction: Double) {
        let options = CacheOptions(heuristicFraction: fraction)
        let lifetime = freshness(["Last-Modified": httpDate(-1000)], options).lifetime
        #expect(lifetime >= 0 && lifetime <= 86_400)
        if fraction == 0.5 { #expect(lifetime == 500) }
        if fraction == 0 { #expect(lifetime == 0) }
    }

    // Age (4.2.3).

    struct Age: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var headers: HTTPHeaders
        var requested = 0.0
        var received = 0.0
        var now = 0.0
        var age: Double
    }

    private static let ages: [Age] = [
        Age(testDescription: "resident time", headers: ["Date": httpDate()], now: 7, age: 7),
        Age(testDescription: "Age", headers: ["Age": "100"], now: 7, age: 107),
        Age(testDescription: "response delay", headers: ["Age": "100"], received: 5, now: 12, age: 112),
        Age(testDescription: "apparent age", headers: ["Date": httpDate(-50)], now: 7, age: 57),
        Age(testDescription: "the greater of both", headers: ["Date": httpDate(-50), "Age": "60"], now: 7, age: 67),
        Age(testDescription: "a server's clock ahead", headers: ["Date": httpDate(900)], now: 7, age: 7),
        Age(testDescription: "a malformed Date", headers: ["Date": "today"], now: 7, age: 7),
        Age(testDescription: "clock set back", headers: [:], now: -500, age: 500),
        Age(testDescription: "clock set back during the request", headers: [:], requested: 30, now: 0, age: 30),
        Age(testDescription: "clock set far ahead", headers: [:], now: 1e12, age: 2_147_483_648),
        Age(testDescription: "clock set far back", headers: [:], now: -1e12, age: 2_147_483_648),
        Age(testDescription: "infinite clock", headers: [:], now: .infinity, age: 2_147_483_648),
        Age(testDescription: "no clock", headers: [:], now: .nan, age: 2_147_483_648),
        Age(testDescription: "5.1: first of a list", headers: ["Age": "5, 100"], age: 5),
        Age(testDescription: "5.1: first line", headers: ["Age": "5", "Age": "100"], age: 5),
        Age(testDescription: "5.1: not a number", headers: ["Age": "old"], age: 0),
        Age(testDescription: "5.1: negative", headers: ["Age": "-5"], age: 0),
        Age(testDescription: "5.1: fraction", headers: ["Age": "5.5"], age: 0),
        Age(testDescription: "5.1: empty", headers: ["Age": ""], age: 0),
        Age(testDescription: "1.2.2: overflow", headers: ["Age": "99999999999999999999999"], age: 2_147_483_648),
        Age(
            testDescription: "1.2.2: overflow, and time",
            headers: ["Age": String(repeating: "9", count: 400)],
            now: 1e15,
            age: 2_147_483_648
        ),
    ]

    @Test("the age is the greater of two calculations, and grows with the resident time (4.2.3)", arguments: ages)
    func age(_ row: Age) {
        let stored = StoredResponse(
            Response(statusCode: .ok, headers: row.headers),
            requestedAt: .after(row.requested),
            receivedAt: .after(row.received)
        )
        let freshness = Freshness(of: stored, at: .after(row.now), hasQuery: false, CacheOptions())
        #expect(freshness.age == row.age)
    }

    @Test("a response is fresh until its age reaches its lifetime (4.2)")
    func boundary() {
        let headers: HTTPHeaders = ["Cache-Control": "max-age=10"]
        #expect(freshness(headers, at: 9.999).isFresh)
        #expect(!freshness(headers, at: 10).isFresh)
        #expect(freshness(headers, at: 12).staleness == 2 && freshness(headers, at: 4).remaining == 6)
    }

    @Test("the age never decreases while the clock runs, and is never negative")
    func monotone() {
        let headers: HTTPHeaders = ["Cache-Control": "max-age=10", "Age": "3", "Date": httpDate(-2)]
        let ages = (0..<100).map { freshness(headers, at: Double($0)).age }
        #expect(ages == ages.sorted() && ages.allSatisfy { $0 >= 0 })
    }
}
