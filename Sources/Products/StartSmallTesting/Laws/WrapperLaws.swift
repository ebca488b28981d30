public import StartSmallCore
import Foundation

/// Requirements for wrappers that only add behavior around a call, to be checked on custom wrappers.
///
/// ```swift
/// let laws = WrapperLaws { .limitConcurrency(1) }
/// #expect(await laws.violations() == [])
/// ```
///
/// - The output is that of the inner connector, unless the wrapper's purpose is to change it.
/// - The input reaches the inner connector: its method, the bytes of its payload, and its query items.
/// - One call calls the inner connector at least once, and at most the stated number of times; never, if that number is
///   0.
/// - A call that is cancelled while the inner connector waits ends with `ConnectionError.cancelled`; the inner call is
///   cancelled too, and the resources of the call are released: the next call succeeds.
/// - The wrapper sends nothing after the call is cancelled: neither after a response that asks for another request, nor
///   after an event.
/// - Listeners observe the events of the inner connector, and the call's own events once, regardless of their position.
/// - The body of a stream is returned or ended. A returned body ends as the one inside of it does, and the other way
///   round, however it ends: read, broken, discarded, released, interrupted or cancelled. `ResponseBody.map` and
///   `around` return such bodies. Its end releases the resources of its call: the next call succeeds.
/// - Concurrent calls do not get each other's outputs.
/// - State is created anew for each connector.
/// - A dry run ends, and sends nothing.
///
/// A wrapper that waits needs a clock that does not delay the test.
public struct WrapperLaws: Sendable {
    /// Creates the wrapper to check, anew for each law.
    let make: @Sendable () -> Wrapper
    let input: Input
    let outputs: [Output]
    let changed: Set<Part>
    let mostCalls: Int
    let timeout: Duration

    /// A part of a request that reaches the inner connector unchanged, unless the wrapper's purpose is to change it.
    public enum Part: Hashable, Sendable, CaseIterable {
        /// The name of the method.
        case method

        /// The bytes of the payload, regardless of their source.
        case payload

        /// The query items, including those of the URL.
        case queries
    }

    /// The default time limit for a call, 30 seconds: far more than a call without a network takes on a busy machine.
    public static let defaultTimeout = Duration.seconds(30)

    /// A GET without header fields.
    public static let standardInput = Input(url: URL(string: "https://example.com/") ?? URL(filePath: "/"))

    /// A response of each class, with and without payload, and two failures.
    public static let defaultOutputs: [Output] = [
        .text("hello"), .json(#"{"a": 1}"#, status: .created), .status(.noContent), .status(.notModified),
        .json(#"{"title": "no"}"#, status: .notFound), .status(.internalServerError),
        .noResponse(.connectionLost(.init(domain: "WrapperLaws", code: 1, text: "lost"))),
        .noResponse(.malformedURL(debugInfo: "none")),
    ]

    /// Creates the laws for a wrapper.
    ///
    /// - Parameters:
    ///   - outputs: the outputs of the inner connector that must be returned unchanged, without those that the
    ///     wrapper's purpose is to change.
    ///   - parts: the parts of a request that the wrapper's purpose is to change.
    ///   - calls: the maximum number of calls of the inner connector per call; 0 for a wrapper that responds by itself,
    ///     such as a cache that contains the response to this input.
    ///   - input: the input of the calls; choose one that makes the wrapper act.
    ///   - timeout: the time limit for a call in real time, after which the call counts as one that never ends.
    ///   - wrapper: creates the wrapper.
    public init(
        unchanged outputs: [Output] = defaultOutputs,
        changing parts: Set<Part> = [],
        atMostCalls calls: Int = 1,
        of input: Input = standardInput,
        timeout: Duration = defaultTimeout,
        _ wrapper: @escaping @Sendable () -> Wrapper
    ) {
        self.make = wrapper
        self.input = input
        self.outputs = outputs
        self.changed = parts
        self.mostCalls = calls
        self.timeout = timeout
    }

    /// Returns all violations; empty if there are none.
    public func violations() async -> [Violation] {
        var violations: [Violation] = []
        for law in WrapperLaw.all where law.isForAll || mostCalls > 0 {
            violations += await law.check(self).map { Violation(law: law.name, detail: $0) }
        }
        return violations
    }
}
