import Foundation
import StartSmall
import Testing

@testable import StartSmallCaching

struct CacheDecisionTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var section: String
        var request: String? = nil
        var response: String
        var age: Double
        var verdict: Verdict
        var testDescription: String { "\(section): \(request ?? "-") → \(response) after \(age)" }
    }

    private static let response: [Row] = [
        Row(section: "4.2", response: "max-age=10", age: 5, verdict: .fresh),
        Row(section: "4.2", response: "max-age=10", age: 10, verdict: .forward(.stale)),
        Row(section: "5.2.2.4", response: "no-cache, max-age=10", age: 5, verdict: .forward(.noCache)),
        Row(section: "5.2.2.4", response: "No-CaChE", age: 5, verdict: .forward(.noCache)),
        Row(section: "5.2.2.4", response: "no-cache=\"\", max-age=10", age: 5, verdict: .forward(.noCache)),
        Row(section: "5.2.2.4", response: "no-cache=\"Set-Cookie\", max-age=10", age: 5, verdict: .fresh),
        Row(section: "5.2.2.4", response: "no-cache=\"Vary\", max-age=10", age: 5, verdict: .forward(.noCache)),
        Row(section: "4.2.1", response: "no-cache=\"a\", no-cache, max-age=10", age: 5, verdict: .forward(.noCache)),
        Row(section: "5.2.2.2", response: "must-revalidate, max-age=10", age: 5, verdict: .fresh),
        Row(section: "5.2.2.7", response: "private, max-age=10", age: 5, verdict: .fresh),
        Row(section: "5.2.2.7", response: "private=\"Set-Cookie\", max-age=10", age: 5, verdict: .fresh),
        Row(
            section: "RFC 5861 3",
            response: "max-age=10, stale-while-revalidate=5",
            age: 15,
            verdict: .stale(.whileRevalidate)
        ),
        Row(
            section: "RFC 5861 3",
            response: "max-age=10, stale-while-revalidate=5",
            age: 15.1,
            verdict: .forward(.stale)
        ),
        Row(
            section: "RFC 5861 3",
            response: "max-age=10, stale-while-revalidate=x",
            age: 10,
            verdict: .forward(.stale)
        ),
        Row(
            section: "4.2.4",
            response: "max-age=10, must-revalidate, stale-while-revalidate=9",
            age: 12,
            verdict: .forward(.stale)
        ),
        Row(section: "4.2.4", response: "no-cache, stale-while-revalidate=9", age: 1, verdict: .forward(.noCache)),
        Row(
            section: "5.2.2.8",
            response: "max-age=10, proxy-revalidate, stale-while-revalidate=9",
            age: 12,
            verdict: .stale(.whileRevalidate)
        ),
    ]

    private static let request: [Row] = [
        Row(section: "5.2.1.1", request: "max-age=5", response: "max-age=10", age: 5, verdict: .fresh),
        Row(
            section: "5.2.1.1",
            request: "max-age=5",
            response: "max-age=10",
            age: 5.5,
            verdict: .forward(.request("max-age"))
        ),
        Row(
            section: "5.2.1.1",
            request: "max-age=0",
            response: "max-age=10",
            age: 0,
            verdict: .forward(.request("max-age"))
        ),
        Row(
            section: "5.2.1.1",
            request: "max-age=x",
            response: "max-age=10",
            age: 1,
            verdict: .forward(.request("max-age"))
        ),
        Row(
            section: "5.2.1.1",
            request: "max-age=60",
            response: "max-age=10, stale-while-revalidate=9",
            age: 12,
            verdict: .forward(.stale)
        ),
        Row(
            section: "5.2.1.1",
            request: "max-age=60, max-stale=5",
            response: "max-age=10",
            age: 12,
            verdict: .stale(.maxStale)
        ),
        Row(
            section: "5.2.1.1",
            request: "max-age=11, max-stale=5",
            response: "max-age=10",
            age: 12,
            verdict: .forward(.stale)
        ),
        Row(section: "RFC 8246 2", request: "max-age=0", response: "max-age=10, immutable", age: 5, verdict: .fresh),
        Row(
            section: "RFC 8246 2",
            request: "max-age=0",
            response: "max-age=10, immutable",
            age: 11,
            verdict: .forward(.stale)
        ),
        Row(
            section: "RFC 8246 2",
            request: "no-cache",
            response: "max-age=10, immutable",
            age: 5,
            verdict: .forward(.request("no-cache"))
        ),
        Row(section: "5.2.1.2", request: "max-stale=5", response: "max-age=10", age: 15, verdict: .stale(.maxStale)),
        Row(section: "5.2.1.2", request: "max-stale=5", response: "max-age=10", age: 15.1, verdict: .forward(.stale)),
        Row(section: "5.2.1.2", request: "max-stale", response: "max-age=10", age: 9999, verdict: .stale(.maxStale)),
        Row(section: "5.2.1.2", request: "max-stale=x", response: "max-age=10", age: 11, verdict: .forward(.stale)),
        Row(
            section: "5.2.2.2",
            request: "max-stale",
            response: "max-age=10, must-revalidate",
            age: 11,
            verdict: .forward(.stale)
        ),
        Row(
            section: "5.2.2.4",
            request: "max-stale",
            response: "max-age=10, no-cache",
            age: 11,
            verdict: .forward(.noCache)
        ),
        Row(section: "5.2.1.3", request: "min-fresh=4", response: "max-age=10", age: 6, verdict: .fresh),
        Row(
            section: "5.2.1.3",
            request: "min-fresh=4",
            response: "max-age=10",
            age: 6.5,
            verdict: .forward(.request("min-fresh"))
        ),
        Row(
            section: "5.2.1.3",
            request: "min-fresh=1, max-stale",
            response: "max-age=10",
            age: 11,
            verdict: .forward(.stale)
        ),
        Row(
            section: "5.2.1.4",
            request: "no-cache",
            response: "max-age=10",
            age: 1,
            verdict: .forward(.request("no-cache"))
        ),
        Row(section: "5.2.1.7", request: "only-if-cached", response: "max-age=10", age: 1, verdict: .fresh),
        Row(section: "5.2.1.7", request: "only-if-cached", response: "max-age=10", age: 11, verdict: .timeout),
        Row(
            section: "5.2.1.7",
            request: "only-if-cached, max-stale",
            response: "max-age=10",
            age: 11,
            verdict: .stale(.maxStale)
        ),
        Row(section: "5.2.1.7", request: "only-if-cached, no-cache", response: "max-age=10", age: 1, verdict: .timeout),
    ]

    @Test("the directives of a response and of a request decide on its use", arguments: response + request)
    func directives(_ row: Row) throws {
        let request = try Input.get(row.request.map { ["Cache-Control": $0] } ?? [:]).cacheable
        let stored = StoredResponse.at(["Cache-Control": row.response, "Date": httpDate()])
        #expect(Verdict(CacheRules.standard.decision(on: request, [stored], at: .after(row.age))) == row.verdict)
    }

    @Test("Pragma: no-cache counts only without Cache-Control (5.4)")
    func pragma() throws {
        let stored = StoredResponse.at(["Cache-Control": "max-age=10"])
        let decide = { (headers: HTTPHeaders) in
            Verdict(CacheRules.standard.decision(on: try Input.get(headers).cacheable, [stored], at: .start))
        }
        #expect(try decide(["Pragma": "no-cache"]) == .forward(.request("no-cache")))
        #expect(try decide(["Pragma": "no-cache", "Cache-Control": "max-age=9"]) == .fresh)
        #expect(try decide(["Pragma": "other"]) == .fresh)
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

    struct ErrorRow: CustomTestStringConvertible, Sendable {
        var request = ""
        var response: String
        var option = Duration.zero
        var age: Double
        var isUsable: Bool
        var testDescription: String { "\(request) → \(response) after \(age), by option \(option)" }
    }

    private static let errors: [ErrorRow] = [
        ErrorRow(response: "max-age=10", age: 11, isUsable: false),
        ErrorRow(response: "max-age=10, stale-if-error=5", age: 15, isUsable: true),
        ErrorRow(response: "max-age=10, stale-if-error=5", age: 15.1, isUsable: false),
        ErrorRow(response: "max-age=10, stale-if-error=5, must-revalidate", age: 12, isUsable: false),
        ErrorRow(response: "max-age=10, stale-if-error=5, no-cache", age: 12, isUsable: false),
        ErrorRow(response: "max-age=10, stale-if-error=x", age: 10, isUsable: false),
        ErrorRow(request: "stale-if-error=5", response: "max-age=10", age: 15, isUsable: true),
        ErrorRow(request: "stale-if-error=5", response: "max-age=10, stale-if-error=99", age: 16, isUsable: false),
        ErrorRow(request: "stale-if-error=0", response: "max-age=10, stale-if-error=99", age: 10, isUsable: false),
        ErrorRow(request: "no-cache", response: "max-age=10, stale-if-error=99", age: 12, isUsable: false),
        ErrorRow(request: "max-age=60", response: "max-age=10, stale-if-error=99", age: 12, isUsable: false),
        ErrorRow(request: "max-age=60, max-stale", response: "max-age=10, stale-if-error=99", age: 12, isUsable: true),
        ErrorRow(request: "min-fresh=1", response: "max-age=10, stale-if-error=99", age: 12, isUsable: false),
        ErrorRow(response: "max-age=10", option: .seconds(60), age: 70, isUsable: true),
        ErrorRow(response: "max-age=10", option: .seconds(60), age: 71, isUsable: false),
        ErrorRow(response: "max-age=10, must-revalidate", option: .seconds(60), age: 12, isUsable: false),
        ErrorRow(response: "max-age=10, stale-if-error=5", option: .seconds(60), age: 20, isUsable: false),
    ]

    @Test("a stale response replaces an error by permission only (RFC 5861 4, RFC 9111 4.2.4)", arguments: errors)
    func afterError(_ row: ErrorRow) throws {
        let rules = CacheRules(options: CacheOptions(staleIfError: row.option))
        let request = try Input.get(row.request.isEmpty ? [:] : ["Cache-Control": row.request]).cacheable
        let stored = StoredResponse.at(["Cache-Control": row.response])
        #expect(rules.isUsable(afterError: stored, for: request, at: .after(row.age)) == row.isUsable)
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
        let old = StoredResponse.at(3, ["Cache-Control": fresh, "Date": httpDate(-9)], payload: "old")
        let new = StoredResponse.at(1, ["Cache-Control": fresh, "Date": httpDate(-2)], payload: "new")
        #expect(try selected([old, new]) == "new" && selected([new, old]) == "new")
        let undated = StoredResponse.at(5, ["Cache-Control": fresh], payload: "undated")
        #expect(try selected([undated, new]) == "undated", "without Date, the time of its arrival counts")
    }

    @Test("a fresh response with Vary precedes a newer one whose server forgot it (4.1)")
    func forgottenVary() throws {
        let french = StoredResponse.at(
            ["Cache-Control": "max-age=9", "Vary": "Accept-Language", "Date": httpDate()],
            variant: ["accept-language": "fr"],
            payload: "fr"
        )
        let plain = StoredResponse.at(1, ["Cache-Control": "max-age=99", "Date": httpDate(1)], payload: "plain")
        #expect(try selected([french, plain], ["Accept-Language": "fr"], at: 2) == "fr")
        #expect(try selected([french, plain], ["Accept-Language": "fr"], at: 10) == "plain", "not when it is stale")
        #expect(try selected([french, plain], ["Accept-Language": "de"], at: 2) == "plain")
    }
}
