public import Foundation

/// A consumer that takes a response as it arrives, and controls the pace (backpressure).
///
/// A connector reads the next part only after the consumer has taken the previous one. A consumer is equal to its own
/// copies only.
public struct PayloadConsumer: Sendable {
    /// A part of a response.
    public enum Part: Hashable, Sendable {
        /// The status and the header fields, without payload; a retry delivers them, and all that follows, again.
        case head(Response)

        /// The next bytes of the payload, never empty.
        case chunk(Data)
    }

    /// The position from which a request can resume, so that bytes already taken are not sent again; nil if it can't.
    let resumption: @Sendable () -> Resumption?

    /// Whether a response may start over; false once consumed parts can't be taken back.
    let canRestart: @Sendable () -> Bool

    /// The response whose payload was taken as far as it is wanted; nil while more is wanted.
    ///
    /// A consumer that completes a response ends the transfer, as a failure does, but the call succeeds.
    let completedResponse: @Sendable () -> Response?

    /// Observes that an attempt ended without a response, also one that delivered no parts.
    private(set) var attemptFailed: @Sendable (Attempt) -> Void

    private var take: @Sendable (Part, _ isWanted: @escaping @Sendable () -> Bool) async throws -> Void
    private let id: UInt64

    /// Whether another response may start over; false once values of a stream have been delivered.
    ///
    /// A custom wrapper that sends a request more than once checks this property before each further attempt.
    public var isRestartable: Bool { canRestart() }

    /// Creates a consumer.
    ///
    /// - Parameter take: takes a part. An error that it throws ends the call: a `CancellationError` with
    ///   ``ConnectionError/cancelled``, a ``ConnectionError`` with exactly that error, and any other error with
    ///   ``ConnectionError/unwritableDestination(debugInfo:)``.
    public init(_ take: @escaping @Sendable (Part) async throws -> Void) {
        self.init(resumption: { nil }) { part, _ in try await take(part) }
    }

    /// Creates a consumer that can also check whether a part is still wanted at the very moment of taking it.
    init(
        resumption: @escaping @Sendable () -> Resumption?,
        canRestart: @escaping @Sendable () -> Bool = { true },
        completedResponse: @escaping @Sendable () -> Response? = { nil },
        attemptFailed: @escaping @Sendable (Attempt) -> Void = { _ in },
        _ take: @escaping @Sendable (Part, _ isWanted: @escaping @Sendable () -> Bool) async throws -> Void
    ) {
        self.resumption = resumption
        self.canRestart = canRestart
        self.completedResponse = completedResponse
        self.attemptFailed = attemptFailed
        self.take = take
        self.id = .random(in: .min ... .max)
    }

    // The functions that return a decorated consumer:
    //
    // - `wrapped(resuming:by:)`, public, for custom wrappers: calls a throwing function around each part.
    // - `wrapped(resuming:_:)`, for this package: likewise, but the function also gets `isWanted`, and returns its
    //   error.
    // - `preparing(_:)`: changes each part, and keeps the identity of the consumer.
    // - `observing(attemptFailed:)`: observes the failure of an attempt, and keeps the identity of the consumer.
    //
    // `Input.observing(head:)` applies `preparing(_:)` to the destination of an input.

    /// Returns a consumer that passes each part to `body` first, which passes it to this consumer with `take`.
    ///
    /// A custom wrapper uses it to inspect, delay, change or refuse the bytes on their way to a file or a stream, whose
    /// ``Input/destination`` is a consumer there:
    ///
    /// ```swift
    /// let counting = Wrapper { input, next in
    ///     guard case .consumer(let consumer) = input.destination else { return await next(input) }
    ///     let counted = consumer.wrapped { part, take in
    ///         if case .chunk(let bytes) = part { count(bytes.count) }
    ///         try await take(part)
    ///     }
    ///     return await next(input.with { $0.destination = .consumer(counted) })
    /// }
    /// ```
    ///
    /// An interrupted download resumes where this consumer ends.
    ///
    /// - Parameters:
    ///   - resuming: whether an interrupted download may be resumed; false if `body` needs, or produces, other bytes
    ///     than those that this consumer takes, so that all bytes are sent again.
    ///   - body: gets each part, and a function that passes a part to this consumer; an error that it throws ends the
    ///     call, as in ``init(_:)``.
    public func wrapped(
        resuming: Bool = true,
        by body: @escaping @Sendable (_ part: Part, _ take: @Sendable (Part) async throws -> Void) async throws -> Void
    ) -> PayloadConsumer {
        PayloadConsumer(
            resumption: { resuming ? resumption() : nil },
            canRestart: canRestart,
            completedResponse: completedResponse,
            attemptFailed: attemptFailed
        ) { part, isWanted in
            try await body(part) { part in
                if let failure = await receive(part, while: isWanted) { throw failure }
            }
        }
    }

    /// A function around an inner consumer: passes a part on, and returns the error that ends the call, or nil.
    package typealias Around =
        @Sendable (_ part: Part, _ isWanted: @escaping @Sendable () -> Bool, _ by: PayloadConsumer) async ->
        ConnectionError?

    /// Returns a consumer around this one.
    ///
    /// - Parameters:
    ///   - resuming: whether the result resumes where this consumer does; false for a consumer that needs the whole
    ///     payload, which is then sent again.
    ///   - around: passes each part to this consumer, or fails.
    package func wrapped(resuming: Bool = true, _ around: @escaping Around) -> PayloadConsumer {
        PayloadConsumer(
            resumption: { resuming ? resumption() : nil },
            canRestart: canRestart,
            completedResponse: completedResponse,
            attemptFailed: attemptFailed
        ) { part, isWanted in
            if let failure = await around(part, isWanted, self) { throw failure }
        }
    }

    /// Returns an equal consumer that takes each part as `prepare` returns it.
    func preparing(_ prepare: @escaping @Sendable (Part) -> Part) -> PayloadConsumer {
        var prepared = self
        prepared.take = { [take] part, isWanted in try await take(prepare(part), isWanted) }
        return prepared
    }

    /// Returns an equal consumer that also calls `observe` when an attempt ends without a response.
    func observing(attemptFailed observe: @escaping @Sendable (Attempt) -> Void) -> PayloadConsumer {
        var observing = self
        observing.attemptFailed = { [attemptFailed] attempt in
            attemptFailed(attempt)
            observe(attempt)
        }
        return observing
    }

    /// Returns the output of a transfer; a success if the transfer was ended because no more bytes are wanted.
    func completed(_ output: Output) -> Output {
        guard case .noResponse = output, let response = completedResponse() else { return output }
        return .hasResponse(response)
    }

    /// Passes a part to the consumer, for a connector that delivers a response in parts.
    ///
    /// Such a connector returns its response with an empty payload.
    ///
    /// - Parameter part: the next part.
    /// - Returns: nil if the next part may follow; otherwise the error that ends the call.
    public func receive(_ part: Part) async -> ConnectionError? {
        await receive(part, while: { true })
    }

    /// Passes a part to the consumer, unless it is no longer wanted: a time limit may have cancelled the sender.
    ///
    /// - Parameters:
    ///   - part: the next part.
    ///   - isWanted: whether the part is still wanted; called at the moment of taking it.
    /// - Returns: nil if the next part may follow; otherwise the error that ends the call.
    package func receive(_ part: Part, while isWanted: @escaping @Sendable () -> Bool) async -> ConnectionError? {
        do {
            try await take(part, isWanted)
            return nil
        } catch is CancellationError {
            return .cancelled
        } catch {
            return error as? ConnectionError
                ?? .unwritableDestination(debugInfo: Redaction.standard.shown(text: "\(error)"))
        }
    }
}

extension PayloadConsumer: Hashable, ComparedByKey {
    /// The identity, which all copies of one consumer share.
    var comparedKey: UInt64 { id }
}
