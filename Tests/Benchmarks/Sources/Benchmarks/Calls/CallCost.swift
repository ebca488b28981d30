import Foundation
import GitHubAPI
import StartSmall

/// The cost of a call over a stub, so that only the kit is measured.
enum CallCost {
    static func measure() async {
        print("nanoseconds a call, median of \(Stopwatch.runs) runs")
        await row("no wrapper", stub, atMost: 100)
        await row("no wrapper, a listener", stub.wrapped(by: listening))
        await row("1 wrapper", stub.wrapped(by: through))
        await row("1 wrapper, a listener", stub.wrapped(by: through, listening))
        await row("10 wrappers", stub.wrapped(by: ten(through)), atMost: 500)
        await row("10 wrappers, a listener", stub.wrapped(by: ten(through) + [listening]))
        await row("10 wrappers that each set a header", stub.wrapped(by: ten(settingHeader)))
        await row(".retry, without a retry", stub.wrapped(by: .retry()))
        await row(".timeout, which is not reached", stub.wrapped(by: .timeout(.seconds(10))))
        await row(".retry and .timeout", stub.wrapped(by: .retry(), .timeout(.seconds(10))))
        await row("no wrapper, a stub that yields once", yielding)
        await row(".timeout around it, which sets a timer", yielding.wrapped(by: .timeout(.seconds(10))))
        await user("a user's JSON decoded, no wrapper", answering)
        await user("a user's JSON decoded, 10 wrappers", answering.wrapped(by: ten(through)))
        await decoding("the decoding alone")
    }

    private static let input = Input(url: URL(fileURLWithPath: "/"))
    private static let stub = Connector { _ in .hasResponse(Response(statusCode: .noContent)) }

    private static let yielding = Connector { _ in
        await Task.yield()
        return .hasResponse(Response(statusCode: .noContent))
    }

    private static let user = Response(statusCode: .ok, payload: Data(#"{"id":1124024,"login":"Kuniwak"}"#.utf8))
    private static let answering = Connector { _ in .hasResponse(user) }

    private static let through = Wrapper { input, next in await next(input) }
    private static let listening = Wrapper.listen(to: Listener { (_: Event) in })
    private static let settingHeader = Wrapper { input, next in
        var input = input
        input.headers["X-Request-ID"] = "1"
        return await next(input)
    }

    private static func ten(_ wrapper: Wrapper) -> [Wrapper] {
        Array(repeating: wrapper, count: 10)
    }

    private static func row(_ name: String, _ connector: Connector, atMost limit: Double? = nil) async {
        let input = input
        show(name, await Stopwatch.nanoseconds { _ = await WebAPI.call(with: input, via: connector) }, atMost: limit)
    }

    private static func user(_ name: String, _ connector: Connector) async {
        let endpoint = Endpoint(.right(input), transform: GitHubUser.from)
        show(name, await Stopwatch.nanoseconds(calls: 20_000) { _ = await endpoint.fetch(via: connector) })
    }

    private static func decoding(_ name: String) async {
        show(name, await Stopwatch.nanoseconds(calls: 20_000) { _ = GitHubUser.from(response: user) })
    }

    private static func show(_ name: String, _ nanoseconds: Double, atMost limit: Double? = nil) {
        let figure = String(Int(nanoseconds.rounded()))
        let column = String(repeating: " ", count: max(1, 48 - name.count - figure.count))
        print("  \(name)\(column)\(figure)\(limit.map { Stopwatch.decision(nanoseconds, $0) } ?? "")")
    }
}
