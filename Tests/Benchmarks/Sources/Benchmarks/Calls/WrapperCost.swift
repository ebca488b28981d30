import Foundation
import StartSmall
import StartSmallAuth
import StartSmallResilience

/// The cost of ten wrappers of this kit for a call over a stub: all together, and each alone.
enum WrapperCost {
    /// The wrappers from the outermost to the innermost, in the order of the wrappers' guide.
    private static func wrappers(_ base: URL) -> [(name: String, wrapper: Wrapper)] {
        [
            ("log, off", .log(.off)),
            ("tracked", .tracked(in: CallGroup())),
            ("baseURL", .baseURL(base)),
            ("requestID", .requestID()),
            ("headers", .headers(["Accept": "application/json"])),
            ("retry", .retry()),
            ("refreshToken", .refreshToken(in: store, by: refresh)),
            ("validate", .validate { _ in nil }),
            ("limitConcurrency", .limitConcurrency(4)),
            ("timeout", .timeout(.seconds(10))),
        ]
    }

    private static let store = TokenStore(load: { AccessToken("t") }, save: { _ in })
    private static let refresh:
        @Sendable (AccessToken, Connector) async -> Fetched<TransformError<Never>, AccessToken> = {
            token,
            _ in
            .right(token)
        }

    private static let answer = Output.hasResponse(Response(statusCode: .noContent))
    private static let stub = Connector { _ in answer }

    /// Measures and prints the costs.
    ///
    /// - Parameter decoding: the nanoseconds of Foundation's decoding of a user.
    static func measure(comparedTo decoding: Double) async {
        guard let base = URL(string: "https://api.example.com/v3"), let path = URL(string: "/things") else { return }
        let (input, wrappers) = (Input(url: path), wrappers(base))
        print("\nnanoseconds a call that ten wrappers add, without the call itself")
        let bare = await cost(of: [], input)
        let all = await cost(of: wrappers.map(\.wrapper), input) - bare
        show("all \(wrappers.count) together", all, of: all, Stopwatch.share(all, of: decoding, atMost: 1))
        for (name, wrapper) in wrappers { show("  \(name) alone", await cost(of: [wrapper], input) - bare, of: all) }
    }

    /// Measures a call, and prints a warning if it does not reach the stub: after a rejection, inner wrappers would
    /// cost nothing.
    private static func cost(of wrappers: [Wrapper], _ input: Input) async -> Double {
        let connector = stub.wrapped(by: .all(wrappers))
        let output = await WebAPI.call(with: input, via: connector)
        if output.response?.statusCode != answer.response?.statusCode {
            print("  NOT MEASURED, the stub was not reached: \(output)")
        }
        return await Stopwatch.nanoseconds(calls: 50_000) { _ = await WebAPI.call(with: input, via: connector) }
    }

    private static func show(_ name: String, _ nanoseconds: Double, of all: Double, _ decision: String = "") {
        let figure = String(Int(nanoseconds.rounded()))
        let column = String(repeating: " ", count: max(1, 48 - name.count - figure.count))
        print("  \(name)\(column)\(figure)   \(Int((100 * nanoseconds / max(all, 1)).rounded())) %\(decision)")
    }
}
