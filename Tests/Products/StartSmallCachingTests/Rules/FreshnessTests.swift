import Foundation
import StartSmall
import Testing

@testable import StartSmallCaching

struct FreshnessTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var headers: HTTPHeaders
        var lifetime: Double

        init(_ section: String, _ headers: HTTPHeaders, _ lifetime: Double) {
            testDescription = "\(section): \(headers.fields.map { "\($0.name): \($0.value)" })"
            (self.headers, self.lifetime) = (headers, lifetime)
        }
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

    /// Fields and lifetimes, by the sections of RFC 9111.
    private static let rows: [Row] = [
        Row("5.2.2.1", ["Cache-Control": "max-age=60"], 60),
        Row("5.2.2.1", ["cache-control": "MAX-AGE=60"], 60),
        Row("5.2", ["Cache-Control": "max-age=\"60\""], 60),
        Row("5.2", ["Cache-Control": "a=\"max-age=5\", max-age=60"], 60),
        Row("5.2.2.10", ["Cache-Control": "s-maxage=600, max-age=60"], 60),
        Row("1.2.2", ["Cache-Control": "max-age=99999999999999999999"], 2_147_483_648),
        Row("4.2.1", ["Cache-Control": "max-age"], 0),
        Row("4.2.1", ["Cache-Control": "max-age="], 0),
        Row("4.2.1", ["Cache-Control": "max-age=-5"], 0),
        Row("4.2.1", ["Cache-Control": "max-age=1.5"], 0),
        Row("4.2.1", ["Cache-Control": "max-age=6a"], 0),
        Row("4.2.1", ["Cache-Control": "max-age=60, max-age=600"], 60),
        Row("4.2.1", ["Cache-Control": "max-age=60", "Cache-Control": "max-age=600"], 60),
        Row("5.3", ["Cache-Control": "max-age=60", "Expires": httpDate(900)], 60),
        Row("5.3", ["Expires": httpDate(90), "Date": httpDate()], 90),
        Row("4.2.1", ["Expires": httpDate(90), "Date": httpDate(-10)], 100),
        Row("4.2.1", ["Expires": httpDate(90)], 90),
        Row("4.2.1", ["Expires": httpDate(90), "Date": "now"], 90),
        Row("4.2.1", ["Expires": httpDate(-90), "Date": httpDate()], 0),
        Row("4.2.1", ["Expires": httpDate(30), "Expires": httpDate(90)], 30),
        Row("5.3", ["Expires": "0"], 0),
        Row("5.2, malformed", ["Expires": "0", "Cache-Control": "private; max-age=9"], 0),
        Row("5.2, malformed", ["Expires": httpDate(90), "Cache-Control": "private; max-age=9"], 9),
        Row("5.3", ["Expires": ""], 0),
        Row("5.3", ["Expires": "-1", "Last-Modified": httpDate(-1000)], 0),
        Row("4.2", ["Expires": httpDate(90).replacing("GMT", with: "CET")], 0),
        Row("4.2", ["Expires": httpDate(90).replacing("GMT", with: "UTC")], 90),
        Row("4.2", ["Expires": httpDate(90).lowercased()], 0),
        Row("4.2.2", ["Last-Modified": httpDate(-1000), "Date": httpDate()], 100),
        Row("4.2.2", ["Last-Modified": httpDate(-1000)], 100),
        Row("4.2.2, explicit", ["Last-Modified": httpDate(-1000), "Expires": "0"], 0),
        Row("4.2.2, explicit", ["Last-Modified": httpDate(-99), "Cache-Control": "max-age=0"], 0),
        Row("4.2.2, future", ["Last-Modified": httpDate(1000)], 0),
        Row("4.2.2, malformed", ["Last-Modified": "yesterday"], 0),
        Row("4.2.2, none", [:], 0),
        Row("named maximum", ["Last-Modified": httpDate(-100_000_000)], 86_400),
    ]

    @Test(
        "the lifetime is that of max-age or Expires, or a tenth of the time since the last change (4.2.1, 4.2.2)",
        arguments: rows
    )
    func lifetimes(_ row: Row) {
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

    /// Fields, the seconds since the arrival, and the age.
    private static let ages: [(name: String, headers: HTTPHeaders, now: Double, age: Double)] = [
        ("resident time", ["Date": httpDate()], 7, 7),
        ("Age", ["Age": "100"], 7, 107),
        ("apparent age", ["Date": httpDate(-50)], 7, 57),
        ("the greater of both", ["Date": httpDate(-50), "Age": "60"], 7, 67),
        ("a server's clock ahead", ["Date": httpDate(900)], 7, 7),
        ("a malformed Date", ["Date": "today"], 7, 7),
        ("clock set back", [:], -500, 500),
        ("clock set far ahead", [:], 1e12, 2_147_483_648),
        ("clock set far back", [:], -1e12, 2_147_483_648),
        ("infinite clock", [:], .infinity, 2_147_483_648),
        ("no clock", [:], .nan, 2_147_483_648),
        ("5.1: first of a list", ["Age": "5, 100"], 0, 5),
        ("5.1: first line", ["Age": "5", "Age": "100"], 0, 5),
        ("5.1: not a number", ["Age": "old"], 0, 0),
        ("5.1: negative", ["Age": "-5"], 0, 0),
        ("5.1: fraction", ["Age": "5.5"], 0, 0),
        ("5.1: empty", ["Age": ""], 0, 0),
        ("1.2.2: overflow", ["Age": "99999999999999999999999"], 0, 2_147_483_648),
        ("1.2.2: and time", ["Age": String(repeating: "9", count: 400)], 1e15, 2_147_483_648),
    ]

    private func age(_ headers: HTTPHeaders, requested: Double = 0, received: Double = 0, now: Double) -> Double {
        let stored = StoredResponse(
            Response(statusCode: .ok, headers: headers),
            requestedAt: .after(requested),
            receivedAt: .after(received)
        )
        return Freshness(of: stored, at: .after(now), hasQuery: false, CacheOptions()).age
    }

    @Test("the age is the greater of two calculations, and grows with the resident time (4.2.3)", arguments: ages)
    func age(name: String, headers: HTTPHeaders, now: Double, age: Double) {
        #expect(self.age(headers, now: now) == age)
    }

    @Test("the time of the request counts for Age, also if the clock is set back meanwhile (4.2.3)")
    func delay() {
        #expect(age(["Age": "100"], received: 5, now: 12) == 112)
        #expect(age([:], requested: 30, now: 0) == 30)
    }
}
