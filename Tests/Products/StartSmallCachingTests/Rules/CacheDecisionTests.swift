import Foundation
import StartSmall
import Testing

@testable import StartSmallCaching

struct CacheDecisionTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var request: String?
        var response: String
        var age: Double
        var verdict: Verdict

        init(_ section: String, request: String? = nil, _ response: String, age: Double, _ verdict: Verdict) {
            testDescription = "\(section): \(request ?? "-") → \(response) after \(age)"
            (self.request, self.response, self.age, self.verdict) = (request, response, age, verdict)
        }
    }

    private static let rows: [Row] = [
        Row("4.2", "max-age=10", age: 5, .fresh),
        Row("4.2", "max-age=10", age: 10, .forward(.stale)),
        Row("5.2.2.4", "no-cache, max-age=10", age: 5, .forward(.noCache)),
        Row("5.2.2.4", "No-CaChE", age: 5, .forward(.noCache)),
        Row("5.2.2.4", "no-cache=\"\", max-age=10", age: 5, .forward(.noCache)),
        Row("5.2.2.4", "no-cache=\"Set-Cookie\", max-age=10", age: 5, .forward(.noCache)),
        Row("4.2.1", "no-cache=\"a\", no-cache, max-age=10", age: 5, .forward(.noCache)),
        Row("5.2.2.2", "must-revalidate, max-age=10", age: 5, .fresh),
        Row("5.2.2.7", "private, max-age=10", age: 5, .fresh),
        Row("5.2.2.7", "private=\"Set-Cookie\", max-age=10", age: 5, .fresh),
        Row("RFC 5861 3", "max-age=10, stale-while-revalidate=5", age: 15, .stale(.whileRevalidate)),
        Row("RFC 5861 3", "max-age=10, stale-while-revalidate=5", age: 15.1, .forward(.stale)),
        Row("RFC 5861 3", "max-age=10, stale-while-revalidate=x", age: 10, .forward(.stale)),
        Row("4.2.4", "max-age=10, must-revalidate, stale-while-revalidate=9", age: 12, .forward(.stale)),
        Row("4.2.4", "no-cache, stale-while-revalidate=9", age: 1, .forward(.noCache)),
        Row("5.2.2.8", "max-age=10, proxy-revalidate, stale-while-revalidate=9", age: 12, .stale(.whileRevalidate)),
        Row("5.2.1.1", request: "max-age=5", "max-age=10", age: 5, .fresh),
        Row("5.2.1.1", request: "max-age=5", "max-age=10", age: 5.5, .forward(.request("max-age"))),
        Row("5.2.1.1", request: "max-age=0", "max-age=10", age: 0, .forward(.request("max-age"))),
        Row("5.2.1.1", request: "max-age=x", "max-age=10", age: 1, .forward(.request("max-age"))),
        Row("5.2.1.1", request: "max-age=60", "max-age=10, stale-while-revalidate=9", age: 12, .forward(.stale)),
        Row("5.2.1.1", request: "max-age=60, max-stale=5", "max-age=10", age: 12, .stale(.maxStale)),
        Row("5.2.1.1", request: "max-age=11, max-stale=5", "max-age=10", age: 12, .forward(.stale)),
        Row("RFC 8246 2", request: "max-age=0", "max-age=10, immutable", age: 5, .fresh),
        Row("RFC 8246 2", request: "max-age=0", "max-age=10, immutable", age: 11, .forward(.stale)),
        Row("RFC 8246 2", request: "no-cache", "max-age=10, immutable", age: 5, .forward(.request("no-cache"))),
        Row("5.2.1.2", request: "max-stale=5", "max-age=10", age: 15, .stale(.maxStale)),
        Row("5.2.1.2", request: "max-stale=5", "max-age=10", age: 15.1, .forward(.stale)),
        Row("5.2.1.2", request: "max-stale", "max-age=10", age: 9999, .stale(.maxStale)),
        Row("5.2.1.2", request: "max-stale=x", "max-age=10", age: 11, .forward(.stale)),
        Row("5.2.2.2", request: "max-stale", "max-age=10, must-revalidate", age: 11, .forward(.stale)),
        Row("5.2.2.4", request: "max-stale", "max-age=10, no-cache", age: 11, .forward(.noCache)),
        Row("5.2.1.3", request: "min-fresh=4", "max-age=10", age: 6.5, .fresh),
        Row("5.2.1.4", request: "no-cache", "max-age=10", age: 1, .forward(.request("no-cache"))),
        Row("5.2.1.7", request: "only-if-cached", "max-age=10", age: 1, .fresh),
        Row("5.2.1.7", request: "only-if-cached", "max-age=10", age: 11, .timeout),
        Row("5.2.1.7", request: "only-if-cached, max-stale", "max-age=10", age: 11, .stale(.maxStale)),
        Row("5.2.1.7", request: "only-if-cached, no-cache", "max-age=10", age: 1, .timeout),
    ]

    @Test("the directives of a response and of a request decide on its use", arguments: rows)
    func directives(_ row: Row) throws {
        let request = try Input.get(row.request.map { ["Cache-Control": $0] } ?? [:]).cacheable
        let stored = StoredResponse.at(["Cache-Control": row.response, "Date": httpDate()])
        #expect(Verdict(CacheRules.standard.decision(on: request, [stored], at: .after(row.age))) == row.verdict)
    }

    @Test("Pragma has no effect (5.4)") func pragma() {
        #expect(RequestDirectives(["Pragma": "no-cache"]) == .none)
    }

    @Test("nothing stored and no variant are reasons to ask the server (4, 4.1)")
    func misses() throws {
        let request = try Input.get(["Accept": "a"]).cacheable
        let rules = CacheRules.standard
        #expect(Verdict(rules.decision(on: request, [], at: .start)) == .forward(.nothingStored))
        let varying: HTTPHeaders = ["Cache-Control": "max-age=9", "Vary": "Accept"]
        let other = StoredResponse.at(varying, variant: ["accept": "b"])
        #expect(Verdict(rules.decision(on: request, [other], at: .start)) == .forward(.noVariant))
    }

    /// Directives of a request and of a response, the option in seconds, the age, and whether the response is usable.
    private static let errors: [(request: String, response: String, option: Int, age: Double, isUsable: Bool)] = [
        ("", "max-age=10", 0, 11, false),
        ("", "max-age=10, stale-if-error=5", 0, 15, true),
        ("", "max-age=10, stale-if-error=5", 0, 15.1, false),
        ("", "max-age=10, stale-if-error=5, must-revalidate", 0, 12, false),
        ("", "max-age=10, stale-if-error=5, no-cache", 0, 12, false),
        ("", "max-age=10, stale-if-error=x", 0, 10, false),
        ("stale-if-error=5", "max-age=10", 0, 15, true),
        ("stale-if-error=5", "max-age=10, stale-if-error=99", 0, 16, false),
        ("stale-if-error=0", "max-age=10, stale-if-error=99", 0, 10, false),
        ("no-cache", "max-age=10, stale-if-error=99", 0, 12, false),
        ("max-age=60", "max-age=10, stale-if-error=99", 0, 12, false),
        ("max-age=60, max-stale", "max-age=10, stale-if-error=99", 0, 12, true),
        ("", "max-age=10", 60, 70, true),
        ("", "max-age=10", 60, 71, false),
        ("", "max-age=10, must-revalidate", 60, 12, false),
        ("", "max-age=10, stale-if-error=5", 60, 20, false),
    ]

    @Test("a stale response replaces an error by permission only (RFC 5861 4, RFC 9111 4.2.4)", arguments: errors)
    func afterError(_ request: String, _ response: String, _ option: Int, _ age: Double, _ isUsable: Bool) throws {
        let rules = CacheRules(options: CacheOptions(staleIfError: .seconds(option)))
        let request = try Input.get(request.isEmpty ? [:] : ["Cache-Control": request]).cacheable
        let stored = StoredResponse.at(["Cache-Control": response])
        #expect(rules.isUsable(afterError: stored, for: request, at: .after(age)) == isUsable)
    }

    // Selection (4, 4.1).

    private func selected(_ stored: [StoredResponse], _ headers: HTTPHeaders = [:], at seconds: Double = 0) throws
        -> String?
    {
        let decision = CacheRules.standard.decision(on: try Input.get(headers).cacheable, stored, at: .after(seconds))
        return switch decision {
        case .fresh(let stored, _), .stale(let stored, _, _): String(decoding: stored.response.payload, as: UTF8.self)
        case .forward(let forwarding):
            forwarding.selected.map { String(decoding: $0.response.payload, as: UTF8.self) }
        case .gatewayTimeout: nil
        }
    }

    @Test("of several matching responses, the most recent by Date is used, in any order (4)")
    func mostRecent() throws {
        let fresh = "max-age=99"
        let old = StoredResponse.at(["Cache-Control": fresh, "Date": httpDate(-9)], arrived: 3, payload: "old")
        let new = StoredResponse.at(["Cache-Control": fresh, "Date": httpDate(-2)], arrived: 1, payload: "new")
        #expect(try selected([old, new]) == "new" && selected([new, old]) == "new")
        let undated = StoredResponse.at(["Cache-Control": fresh], arrived: 5, payload: "undated")
        #expect(try selected([undated, new]) == "undated", "without Date, the time of its arrival counts")
    }

    @Test("a fresh response with Vary precedes a newer one whose server forgot it (4.1)")
    func forgottenVary() throws {
        let french = StoredResponse.at(
            ["Cache-Control": "max-age=9", "Vary": "Accept-Language", "Date": httpDate()],
            variant: ["accept-language": "fr"],
            payload: "fr"
        )
        let fields: HTTPHeaders = ["Cache-Control": "max-age=99", "Date": httpDate(1)]
        let plain = StoredResponse.at(fields, arrived: 1, payload: "plain")
        #expect(try selected([french, plain], ["Accept-Language": "fr"], at: 2) == "fr")
        #expect(try selected([french, plain], ["Accept-Language": "fr"], at: 10) == "plain", "not when it is stale")
        #expect(try selected([french, plain], ["Accept-Language": "de"], at: 2) == "plain")
    }
}
