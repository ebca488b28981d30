import Foundation
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

@testable import StartSmallCaching

/// The decisions on random directives, compared with an oracle that shares no code with the rules.
struct FreshnessLawTests {
    /// A random case, in whole seconds.
    struct Trial: Sendable {
        var request: [String: Int?] = [:]
        var response: [String: Int?] = [:]
        var expires: Int?
        var age: Int?
        var date: Int?
        var lastModified: Int?
        var status = 200
        var elapsed = 0

        init(_ random: inout some RandomNumberGenerator) {
            func sometimes(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
            func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }
            for (name, percent) in [("max-age", 60), ("stale-while-revalidate", 30), ("stale-if-error", 30)]
            where sometimes(percent) {
                response[name] = number(0...20)
            }
            for name in ["must-revalidate", "immutable", "public", "private", "proxy-revalidate"] where sometimes(20) {
                response[name] = .some(nil)
            }
            if sometimes(8) { response["no-cache"] = .some(nil) }
            if sometimes(20) { response["s-maxage"] = number(0...60) }
            for name in ["max-age", "stale-if-error"] where sometimes(20) {
                request[name] = number(0...20)
            }
            if sometimes(20) { request["max-stale"] = sometimes(50) ? .some(nil) : number(0...20) }
            if sometimes(5) { request["no-cache"] = .some(nil) }
            if sometimes(30) { expires = number(-10...30) }
            if sometimes(30) { age = number(0...20) }
            if sometimes(50) { date = number(-10...5) }
            if sometimes(40) { lastModified = number(-300...5) }
            if sometimes(20) { status = [201, 404, 302, 500, 410][number(0...4)] }
            elapsed = number(0...45)
        }

        private func text(_ directives: [String: Int?]) -> String {
            directives.sorted { $0.key < $1.key }.map { $0.key + ($0.value.map { "=\($0)" } ?? "") }.joined(
                separator: ", "
            )
        }

        var input: Input { .get(request.isEmpty ? [:] : ["Cache-Control": text(request)]) }

        var stored: StoredResponse {
            var headers: HTTPHeaders = response.isEmpty ? [:] : ["Cache-Control": text(response)]
            if let expires { headers["Expires"] = httpDate(Double(expires)) }
            if let age { headers["Age"] = "\(age)" }
            if let date { headers["Date"] = httpDate(Double(date)) }
            if let lastModified { headers["Last-Modified"] = httpDate(Double(lastModified)) }
            return .at(headers, status: .from(code: status))
        }

        // The oracle: RFC 9111 4.2 by tenths of seconds, in the order of its text.

        private func has(_ name: String) -> Bool { response.keys.contains(name) }

        private var lifetime: Int {
            if let maxAge = response["max-age"] ?? nil { return maxAge * 10 }
            if let expires { return max(0, (expires - (date ?? 0)) * 10) }
            let mayGuess = [200, 404, 410].contains(status) || has("public")
            guard let lastModified, mayGuess else { return 0 }
            return max(0, (date ?? 0) - lastModified)
        }

        private var currentAge: Int { (max(max(0, 0 - (date ?? 0)), age ?? 0) + elapsed) * 10 }

        enum Expectation: Hashable, Sendable { case use, useStale, ask }

        var expectation: Expectation {
            if has("no-cache") || request.keys.contains("no-cache") { return .ask }
            let asked = request["max-age"] ?? nil
            let isTooOld = asked.map { $0 == 0 || currentAge > $0 * 10 } ?? false
            if currentAge < lifetime {
                if isTooOld && !has("immutable") { return .ask }
                return .use
            }
            if has("must-revalidate") || isTooOld { return .ask }
            let over = currentAge - lifetime
            if asked == nil, let window = response["stale-while-revalidate"] ?? nil, window > 0, over <= window * 10 {
                return .useStale
            }
            guard request.keys.contains("max-stale") else { return .ask }
            let most = request["max-stale"] ?? nil
            return most.map { over <= $0 * 10 } ?? true ? .useStale : .ask
        }

        var mayReplaceError: Bool {
            guard !has("no-cache"), !has("must-revalidate"), !request.keys.contains("no-cache") else {
                return false
            }
            let wantsFresh = request.keys.contains("max-age") && !request.keys.contains("max-stale")
            let own = request["stale-if-error"] ?? nil
            guard let window = own ?? (wantsFresh ? nil : response["stale-if-error"] ?? nil), window > 0 else {
                return false
            }
            return currentAge - lifetime <= window * 10
        }
    }

    @Test("no response is used without permission, and none is refused that is fresh", arguments: 0..<6)
    func oracle(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var seen: Set<Trial.Expectation> = []
        for _ in 0..<(isExhaustive ? 1500 : 300) {
            let trial = Trial(&random)
            let request = try trial.input.cacheable
            let now = Date.after(Double(trial.elapsed))
            let decision = CacheRules.standard.decision(on: request, [trial.stored], at: now)
            let actual: Trial.Expectation =
                switch decision {
                case .fresh: .use
                case .stale: .useStale
                case .forward, .gatewayTimeout: .ask
                }
            #expect(actual == trial.expectation, "\(trial)")
            let afterError = CacheRules.standard.isUsable(afterError: trial.stored, for: request, at: now)
            #expect(afterError == trial.mayReplaceError, "after an error: \(trial)")
            if actual != trial.expectation || afterError != trial.mayReplaceError { return }
            seen.insert(actual)
        }
        #expect(seen.count == 3, "all kinds of decisions occur")
    }
}
