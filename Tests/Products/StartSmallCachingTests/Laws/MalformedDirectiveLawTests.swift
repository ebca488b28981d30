import Foundation
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

@testable import StartSmallCaching

/// Responses with malformed text in `Cache-Control`, compared with those that have the same directives without it.
struct MalformedDirectiveLawTests {
    private static let directives = [
        "no-store", "no-cache", "private", "public", "must-revalidate", "immutable", "max-age=0",
        "max-age=9", "max-age=60", "stale-while-revalidate=9", "stale-if-error=9",
    ]

    /// What can stand between directives: no letter or digit, which would change a name, and no `=`.
    private static let junk = Array(";, \t:/@()<>{}[]?|.'*!\\\"\u{E9}\u{301}")

    private struct Trial: CustomStringConvertible {
        var status: HTTPStatus
        var fields: HTTPHeaders = [:]
        var clean: String
        var malformed: String
        var elapsed: Double

        init(_ random: inout some RandomNumberGenerator) {
            func isOne(in count: Int) -> Bool { Int.random(in: 1...count, using: &random) == 1 }
            func junk() -> String {
                let bytes = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                    MalformedDirectiveLawTests.junk.randomElement(using: &random) ?? ";"
                }
                return String(bytes) + (isOne(in: 8) ? ";x;" : "")
            }
            let count = Int.random(in: 1...5, using: &random)
            let directives = MalformedDirectiveLawTests.directives.shuffled(using: &random).prefix(count)
            clean = directives.joined(separator: ", ")
            malformed = directives.reduce(isOne(in: 2) ? junk() : "") { $0 + $1 + (isOne(in: 3) ? ", " : junk()) }
            status = [.ok, .ok, .created, .found, .notFound, .from(code: 599)].randomElement(using: &random) ?? .ok
            if isOne(in: 3) { fields["Expires"] = httpDate(Double(Int.random(in: -10...90, using: &random))) }
            if isOne(in: 3) { fields["Last-Modified"] = httpDate(Double(Int.random(in: -900...0, using: &random))) }
            if isOne(in: 3) { fields["ETag"] = "\"a\"" }
            elapsed = Double(Int.random(in: 0...100, using: &random))
        }

        var description: String { "\(status.code) \(fields) [\(malformed)] for [\(clean)] after \(elapsed)" }

        func response(_ directives: String) -> Response {
            var headers = fields
            headers["Cache-Control"] = directives
            return Response(statusCode: status, headers: headers)
        }
    }

    /// What a cache may do with a response.
    private struct Permissions {
        var isStored = false
        var isUsed = false
        var replacesErrors = false
        var lifetime: Double

        init(_ response: Response, after elapsed: Double) throws {
            let (rules, request) = (CacheRules.standard, try Input.get().cacheable)
            let times = ExchangeTimes(requestedAt: .start, receivedAt: .start)
            if case .store = rules.storage(of: response, to: request, times) { isStored = true }
            let stored = StoredResponse(response, requestedAt: .start, receivedAt: .start)
            switch rules.decision(on: request, [stored], at: .after(elapsed)) {
            case .fresh, .stale: isUsed = true
            case .forward, .gatewayTimeout: break
            }
            replacesErrors = rules.isUsable(afterError: stored, for: request, at: .after(elapsed))
            lifetime = rules.freshness(of: stored, for: request, at: .after(elapsed)).lifetime
        }
    }

    @Test("malformed text neither lets a response be stored, nor used, nor used for longer", arguments: 0..<4)
    func law(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var (stored, refused) = (0, 0)
        for _ in 0..<(isExhaustive ? 20_000 : 1_000) {
            let trial = Trial(&random)
            let clean = try Permissions(trial.response(trial.clean), after: trial.elapsed)
            let malformed = try Permissions(trial.response(trial.malformed), after: trial.elapsed)
            #expect(clean.isStored || !malformed.isStored, "stored: \(trial)")
            #expect(clean.isUsed || !malformed.isUsed, "used: \(trial)")
            #expect(clean.replacesErrors || !malformed.replacesErrors, "used after an error: \(trial)")
            #expect(malformed.lifetime <= clean.lifetime, "\(trial)")
            if malformed.isStored { stored += 1 } else if clean.isStored { refused += 1 }
        }
        // Otherwise nothing was tested.
        #expect(stored > 50 && refused > 50)
    }
}
