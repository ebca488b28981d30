import Foundation
import StartSmall
import StartSmallJSON

/// The time to decode JSON with `decoder: .fast`, beside that of Foundation's `JSONDecoder`.
enum JSONCost {
    /// The number of runs, of which the median counts; Foundation and the kit take turns.
    private static let runs = 9

    static func measure() {
        print("\nmicroseconds to decode JSON, median of \(runs) runs      Foundation   StartSmall   times as fast")
        row("a user, 31 bytes", JSONTexts.Account.self, JSONTexts.account, atLeast: 3)
        row("users, 10 KB", [JSONTexts.User].self, JSONTexts.users(25), atLeast: 2)
        row("users, 1 MB", [JSONTexts.User].self, JSONTexts.users(2500), atLeast: 2)
        let camel = [JSONTexts.CamelUser].self
        row("users, 10 KB, from snake case", camel, JSONTexts.users(25), isSnakeCase: true, atLeast: 2)
        row("10,000 integers", [Int].self, JSONTexts.list { "\($0 * 7919)" }, atLeast: 1)
        row("10,000 fractions", [Double].self, JSONTexts.list { "\(Double($0) / 7)" }, atLeast: 1)
        row("10,000 decimals", [Decimal].self, JSONTexts.list { "\($0).\($0 % 10)" }, atLeast: 1)
        row("10,000 strings with escapes", [String].self, JSONTexts.list(of: JSONTexts.escaped), atLeast: 1)
        row("10,000 strings in Japanese", [String].self, JSONTexts.list { "\"日本語の文章、\($0)番目\"" }, atLeast: 1)
        row("a dictionary of 10,000 members", [String: Int].self, JSONTexts.dictionary, atLeast: 1)
        row("values without a type, 10 KB", [JSONValue].self, JSONTexts.users(25), atLeast: 1)
        row("an HTML page, 10 KB, rejected", [JSONTexts.User].self, JSONTexts.page, isValid: false, atLeast: 0.8)
        row("users, 10 KB, cut in a string", [JSONTexts.User].self, JSONTexts.cut, isValid: false, atLeast: 0.8)
    }

    private static func row<T: Decodable>(
        _ name: String,
        _ type: T.Type,
        _ data: Data,
        isSnakeCase: Bool = false,
        isValid: Bool = true,
        atLeast limit: Double
    ) {
        let response = Response(statusCode: .ok, payload: data)
        let (decoder, kitDecoder) = (JSONDecoder(), JSONDecoder.fast)
        if isSnakeCase { for decoder in [decoder, kitDecoder] { decoder.keyDecodingStrategy = .convertFromSnakeCase } }
        let calls = max(1, 300_000 / data.count)
        var (foundation, kit): ([Double], [Double]) = ([], [])
        for _ in 0..<runs {
            foundation.append(microseconds(calls) { ((try? decoder.decode(type, from: data)) != nil) == isValid })
            kit.append(microseconds(calls) { (response.json(type, decoder: kitDecoder).right != nil) == isValid })
        }
        let (slow, fast) = (foundation.sorted()[runs / 2], kit.sorted()[runs / 2])
        let ratio = slow / fast
        let label = name.padding(toLength: 44, withPad: " ", startingAt: 0)
        let decision = ratio >= limit ? "reached" : "MISSED"
        let figures = String(format: "%13.2f %12.2f %15.2f", slow, fast, ratio)
        print("  \(label)\(figures)   at least \(limit.formatted()): \(decision)")
    }

    /// Returns the time of a call; not a number if a call does not end as expected.
    private static func microseconds(_ calls: Int, _ decode: () -> Bool) -> Double {
        var isFine = true
        let duration = ContinuousClock().measure {
            for _ in 0..<calls where !decode() { isFine = false }
        }
        return isFine ? duration / .microseconds(1) / Double(calls) : .nan
    }
}
