import Foundation
import GitHubAPI
import StartSmall

/// The cost of a call over a stub, so that only the kit is measured.
struct CallCost {
    /// Measures and prints the costs, and returns the nanoseconds of Foundation's decoding of a user.
    static func measure() async -> Double {
        print("nanoseconds a call, median of \(Stopwatch.runs) runs, and its share of Foundation's decoding of a user")
        let decoding = await Stopwatch.nanoseconds(calls: 20_000) {
            _ = try? JSONDecoder().decode(GitHubUser.self, from: user.payload)
        }
        let table = CallCost(decoding: decoding)
        table.show("Foundation's decoding of a user", decoding)
        await table.rows()
        return decoding
    }

    private let decoding: Double

    private func rows() async {
        let bare = await row("no wrapper", Self.stub, atMost: 1.0 / 28)
        await listenerRow("no wrapper", Self.stub, bare)
        let one = await row("1 wrapper", Self.stub.wrapped(by: Self.through))
        await listenerRow("1 wrapper", Self.stub.wrapped(by: Self.through), one)
        let ten = await row("10 wrappers", Self.stub.wrapped(by: Self.ten(Self.through)), atMost: 1.0 / 7)
        await listenerRow("10 wrappers", Self.stub.wrapped(by: Self.ten(Self.through)), ten)
        await row(
            "10 wrappers that each set a header",
            Self.stub.wrapped(by: Self.ten(Self.settingHeader)),
            atMost: 0.4
        )
        await row(".retry, without a retry", Self.stub.wrapped(by: .retry()))
        await row(".timeout, which is not reached", Self.stub.wrapped(by: .timeout(.seconds(10))), atMost: 0.2)
        await row(".retry and .timeout", Self.stub.wrapped(by: .retry(), .timeout(.seconds(10))))
        await row("no wrapper, a stub that yields once", Self.yielding)
        await row(".timeout around it, which sets a timer", Self.yielding.wrapped(by: .timeout(.seconds(10))))
        await user("a user's JSON decoded, no wrapper", Self.answering)
        await user("a user's JSON decoded, 10 wrappers", Self.answering.wrapped(by: Self.ten(Self.through)))
        show(
            "the decoding alone",
            await Stopwatch.nanoseconds(calls: 20_000) { _ = GitHubUser.from(response: Self.user) }
        )
    }

    /// The share of a listener may be half of what it was on 2026-11-22: 390 ns of 2,433 without a wrapper.
    private static let listenerShare = 0.08

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

    private static func ten(_ wrapper: Wrapper) -> Wrapper {
        .all(Array(repeating: wrapper, count: 10))
    }

    @discardableResult
    private func row(_ name: String, _ connector: Connector, atMost limit: Double? = nil) async -> Double {
        let nanoseconds = await Stopwatch.nanoseconds { _ = await WebAPI.call(with: Self.input, via: connector) }
        show(name, nanoseconds, atMost: limit)
        return nanoseconds
    }

    /// Measures a connector with a listener, and prints the part of the listener.
    private func listenerRow(_ name: String, _ connector: Connector, _ without: Double) async {
        let listened = connector.wrapped(by: Self.listening)
        let nanoseconds = await Stopwatch.nanoseconds { _ = await WebAPI.call(with: Self.input, via: listened) }
        show("a listener more than \(name)", nanoseconds - without, atMost: Self.listenerShare)
    }

    private func user(_ name: String, _ connector: Connector) async {
        let endpoint = Endpoint(.right(Self.input), transform: GitHubUser.from)
        show(name, await Stopwatch.nanoseconds(calls: 20_000) { _ = await endpoint.fetch(via: connector) })
    }

    private func show(_ name: String, _ nanoseconds: Double, atMost limit: Double? = nil) {
        let figure = String(Int(nanoseconds.rounded()))
        let column = String(repeating: " ", count: max(1, 48 - name.count - figure.count))
        print("  \(name)\(column)\(figure)\(Stopwatch.share(nanoseconds, of: decoding, atMost: limit))")
    }
}
