import Foundation
public import StartSmall

/// What holds for every wrapper that only does things around a call, to be checked over one of one's own.
///
/// ```swift
/// let laws = WrapperLaws { .limitConcurrency(1) }
/// #expect(await laws.violations() == [])
/// ```
///
/// - The output is that of the connector inside, where it is not the wrapper's to change.
/// - The input reaches it: its method, the bytes of its payload, its query items, and a receiver that gets what comes in
///   parts.
/// - One call calls the connector inside at least once, and at most as often as is said; never, if that is what is said.
/// - A call that is cancelled ends with `ConnectionError.cancelled` while the connector inside waits; that is
///   cancelled too, and what the call held is released: the next one goes through.
/// - Nothing is sent after the call is cancelled: not after an answer that asks for another request, not after an event.
/// - Listeners hear what is inside, and the call's own events once, wherever they stand.
/// - Calls at once do not get each other's outputs.
/// - State is made anew for each connector.
///
/// A wrapper that waits is to be given a clock that does not keep the test waiting.
public struct WrapperLaws: Sendable {
    /// What is checked; made anew for each law.
    let make: @Sendable () -> Wrapper

    /// What goes through it.
    let input: Input

    /// What may come out of the connector inside that must come out of the wrapper too.
    let outputs: [Output]

    /// What it may change of the input.
    let changed: Set<Part>

    /// The most times that it calls the connector inside.
    let mostCalls: Int

    /// How long a call may take in real time until it counts as one that never ends.
    let patience: Duration

    /// A part of a request that reaches the connector inside as it is, unless it is the wrapper's work to change it.
    public enum Part: Hashable, Sendable, CaseIterable {
        /// The name of the method.
        case method

        /// The bytes of the payload, wherever they come from.
        case payload

        /// The query items, be it in the URL.
        case queries

        /// Who takes the payload of the response in parts.
        case destination
    }

    /// Far more than a call without a network takes on a crowded machine.
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
    ///   - outputs: what must come out unchanged; without those that it is the wrapper's work to change.
    ///   - parts: what of a request it is the wrapper's work to change.
    ///   - calls: the most times that one call may call the connector inside; 0 where the wrapper answers by itself, as a
    ///     cache does that holds the answer to this input.
    ///   - input: what is sent; one on which the wrapper has something to do.
    ///   - patience: how long a call may take, in real time, until it counts as one that never ends.
    ///   - wrapper: makes the wrapper.
    public init(
        unchanged outputs: [Output] = defaultOutputs,
        changing parts: Set<Part> = [],
        atMostCalls calls: Int = 1,
        of input: Input = standardInput,
        patience: Duration = defaultTimeout,
        _ wrapper: @escaping @Sendable () -> Wrapper
    ) {
        self.make = wrapper
        self.input = input
        self.outputs = outputs
        self.changed = parts
        self.mostCalls = calls
        self.patience = patience
    }

    /// All that is violated; empty if nothing is.
    public func violations() async -> [Violation] {
        var violations: [Violation] = []
        let ofWhatIsInside = [unchangedOutput, unchangedInput, cancelled, stopped, released, apart, ownState]
        for law in [fewCalls, heard] + (mostCalls > 0 ? ofWhatIsInside : []) { violations += await law() }
        return violations
    }
}
