import Foundation
import GitHubAPI
import StartSmall
import StartSmallStreams
import StartSmallResilience

/// The cost of the wrappers for load, for a call with which they have nothing to do, over a stub.
enum ResilienceCost {
    /// The largest share of Foundation's decoding of a user.
    private static let limit = 0.2

    private static let user = Data(#"{"id":1124024,"login":"Kuniwak"}"#.utf8)
    private static let answer = Output.hasResponse(
        Response(
            statusCode: .ok,
            headers: [
                "Date": "Mon, 23 Nov 2026 10:00:00 GMT", "Content-Type": "application/json; charset=utf-8",
                "Content-Length": "31", "Cache-Control": "private, max-age=60", "ETag": "\"33a64df5\"",
                "X-Request-Id": "0001",
            ],
            payload: user
        )
    )

    /// Measures and prints the costs.
    static func measure() async {
        guard let url = URL(string: "https://api.example.com/users/Kuniwak") else { return }
        let input = Input(url: url)
        print("\nnanoseconds that a wrapper adds to a call, and their share of Foundation's decoding of a user")
        let decoding = await Stopwatch.nanoseconds(calls: 20_000) {
            _ = try? JSONDecoder().decode(GitHubUser.self, from: user)
        }
        let bare = await cost(of: [], input)
        let rows: [(String, [Wrapper])] = [
            (".circuitBreaker", [.circuitBreaker()]),
            (".circuitBreaker, failures in a row", [.circuitBreaker(.init(trip: .consecutiveFailures(5)))]),
            (".rateLimit, the server's only", [.rateLimit()]),
            (".rateLimit, a rate", [.rateLimit(.requests(1_000_000_000, per: .seconds(1)))]),
            (".limitConcurrency(.adaptive())", [.limitConcurrency(.adaptive())]),
            (".hedge, a fixed delay", [.hedge(after: .fixed(.seconds(1)))]),
            (".hedge, a percentile", [.hedge(after: .percentile(95))]),
            (".fallback", [.fallback(to: Response(statusCode: .ok))]),
        ]
        func show(_ name: String, _ nanoseconds: Double, atMost limit: Double? = nil) {
            let figure = String(Int(nanoseconds.rounded()))
            let column = String(repeating: " ", count: max(1, 48 - name.count - figure.count))
            print("  \(name)\(column)\(figure)\(Stopwatch.share(nanoseconds, of: decoding, atMost: limit))")
        }
        show("Foundation's decoding of a user", decoding)
        for (name, wrappers) in rows { show(name, await cost(of: wrappers, input) - bare, atMost: limit) }
    }

    /// Measures a call, and prints a warning if it does not reach the stub.
    private static func cost(of wrappers: [Wrapper], _ input: Input) async -> Double {
        let answer = answer
        let connector = Connector { _ in answer }.wrapped(by: .all(wrappers))
        let output = await WebAPI.call(with: input, via: connector)
        if output != answer { print("  NOT MEASURED, the stub was not reached: \(output)") }
        return await Stopwatch.nanoseconds(calls: 50_000) { _ = await WebAPI.call(with: input, via: connector) }
    }
}
