import Foundation
import StartSmall

/// The median of several runs, in nanoseconds per call.
@concurrent
func nanoseconds(calls: Int = 100_000, runs: Int = 9, _ call: @Sendable () async -> Void) async -> Double {
    var results: [Double] = []
    for _ in 0..<runs {
        let duration = await ContinuousClock().measure {
            for _ in 0..<calls { await call() }
        }
        results.append(Double(duration.components.attoseconds) / 1e9 / Double(calls) + Double(duration.components.seconds) * 1e9 / Double(calls))
    }
    return results.sorted()[runs / 2]
}

struct User: Decodable { let id: Int; let login: String }
@main enum Main {
@concurrent static func main() async {
let response = Response(
    statusCode: .ok,
    headers: ["Content-Type": "application/json"],
    payload: Data(#"{"id":1124024,"login":"Kuniwak"}"#.utf8)
)

let stub = Connector { _ in .hasResponse(response) }
let input = Input(url: URL(string: "https://api.github.com/users/Kuniwak")!)
let through = Wrapper { input, next in await next(input) }
let header = Wrapper { input, next in
    var input = input
    input.headers.set("X-Trace", to: "1")
    return await next(input)
}
let listener = Wrapper.listen(to: Listener { (_: Event) in })
let user = Endpoint.json(User.self, .right(input))

@concurrent func row(_ name: String, _ connector: Connector) async {
    let ns = await nanoseconds { _ = await WebAPI.call(with: input, via: connector) }
    print(name.padding(toLength: 40, withPad: " ", startingAt: 0), Int(ns.rounded()), "ns")
}
if CommandLine.arguments.count > 1 { let s = stub; let ns = await nanoseconds(calls: 20_000_000, runs: 1) { _ = await WebAPI.call(with: input, via: s) }; print(ns); return }
for n in [0, 1, 10] {
    let s = stub.wrapped(by: Array(repeating: through, count: n))
    await row("\(n) wrappers", s)
    await row("\(n) wrappers, listened", s.wrapped(by: listener))
}
await row("10 wrappers that set a header", stub.wrapped(by: Array(repeating: header, count: 10)))
let ns = await nanoseconds(calls: 10_000) { _ = await user.fetch(via: stub) }
print("user decoded", ns)
}
}
