public import Foundation

/// Someone who takes a response as it arrives, and sets the pace: the next part is not read before this one is taken.
///
/// A receiver is equal to its copies alone.
public struct PayloadConsumer: Sendable {
    /// A part of a response.
    public enum Part: Hashable, Sendable {
        /// The status and the header fields, without payload; comes again, and all over, where a call is tried again.
        case head(Response)

        /// The next bytes of the payload, never empty.
        case chunk(Data)
    }

    /// What can be added to a request so that what was already taken is not sent again.
    let resumption: @Sendable () -> Resumption?

    /// Whether a response may come all over; false once what was taken can't be taken back.
    let mayBeginAnew: @Sendable () -> Bool

    /// The response whose payload was taken as far as it is wanted; nil as long as more is.
    ///
    /// A receiver that ends a response ends the transfer with it, as a failure does, but the call succeeds.
    let completedResponse: @Sendable () -> Response?

    /// Hears that an attempt that gave parts, or would have, ended without a response.
    private(set) var attemptFailed: @Sendable (Attempt) -> Void

    private var take: @Sendable (Part, _ isWanted: @escaping @Sendable () -> Bool) async throws -> Void
    private let id: UInt64

    /// Creates a receiver; what it throws ends the call.
    ///
    /// A `CancellationError` ends it with ``ConnectionError/cancelled``, a ``ConnectionError`` with just that, and any other
    /// error with ``ConnectionError/unwritableDestination(debugInfo:)``.
    public init(_ take: @escaping @Sendable (Part) async throws -> Void) {
        self.init(resumption: { nil }) { part, _ in try await take(part) }
    }

    /// Creates a receiver that also hears whether a part is still wanted at the very moment of taking it.
    init(
        resumption: @escaping @Sendable () -> Resumption?,
        mayBeginAnew: @escaping @Sendable () -> Bool = { true },
        completedResponse: @escaping @Sendable () -> Response? = { nil },
        attemptFailed: @escaping @Sendable (Attempt) -> Void = { _ in },
        _ take: @escaping @Sendable (Part, _ isWanted: @escaping @Sendable () -> Bool) async throws -> Void
    ) {
        self.resumption = resumption
        self.mayBeginAnew = mayBeginAnew
        self.completedResponse = completedResponse
        self.attemptFailed = attemptFailed
        self.take = take
        self.id = .random(in: .min ... .max)
    }

    /// Wraps this receiver: `body` gets each part first, and gives it to this receiver by `take`.
    ///
    /// A wrapper of an app's own uses it to look at, delay, change or refuse what goes to a file or a stream, whose
    /// ``Input/destination`` is a receiver there:
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
    /// An interrupted download is resumed where this receiver ends.
    ///
    /// - Parameters:
    ///   - resuming: whether an interrupted download may be resumed; false if `body` needs, or makes, other bytes than those
    ///     that this receiver takes, so that all are sent again.
    ///   - body: gets each part, and a function that gives a part to this receiver; what it throws ends the call, as in
    ///     ``init(_:)``.
    public func wrapped(
        resuming: Bool = true,
        by body: @escaping @Sendable (_ part: Part, _ take: @Sendable (Part) async throws -> Void) async throws -> Void
    ) -> PayloadConsumer {
        PayloadConsumer(
            resumption: { resuming ? resumption() : nil },
            mayBeginAnew: mayBeginAnew,
            attemptFailed: attemptFailed
        ) { part, isWanted in
            try await body(part) { part in
                if let failure = await receive(part, while: isWanted) { throw failure }
            }
        }
    }

    /// What another receiver does around one: has a part taken by the inner one, or says what the call ends with.
    package typealias Around =
        @Sendable (_ part: Part, _ isWanted: @escaping @Sendable () -> Bool, _ by: PayloadConsumer) async ->
        ConnectionError?

    /// Another receiver around this one, which resumes where this does; or which has all sent again, for who wants it whole.
    package func wrapped(resuming: Bool = true, _ around: @escaping Around) -> PayloadConsumer {
        PayloadConsumer(
            resumption: { resuming ? resumption() : nil },
            mayBeginAnew: mayBeginAnew,
            completedResponse: completedResponse,
            attemptFailed: attemptFailed
        ) { part, isWanted in
            if let failure = await around(part, isWanted, self) { throw failure }
        }
    }

    /// A receiver equal to this one, to which each part is given as `prepare` returns it.
    func preparing(_ prepare: @escaping @Sendable (Part) -> Part) -> PayloadConsumer {
        var prepared = self
        prepared.take = { [take] part, isWanted in try await take(prepare(part), isWanted) }
        return prepared
    }

    /// A receiver equal to this one that also calls `hear` when an attempt ends without a response.
    func hearing(attemptFailed hear: @escaping @Sendable (Attempt) -> Void) -> PayloadConsumer {
        var hearing = self
        hearing.attemptFailed = { [attemptFailed] attempt in
            attemptFailed(attempt)
            hear(attempt)
        }
        return hearing
    }

    /// The output of a transfer; a success where it was ended because nothing more is wanted.
    func completed(_ output: Output) -> Output {
        guard case .noResponse = output, let response = completedResponse() else { return output }
        return .hasResponse(response)
    }

    /// Has a part taken, for a connector that gives a response in parts; it answers with an empty payload then.
    ///
    /// - Returns: nil if the next part may come, or what the call ends with.
    public func receive(_ part: Part) async -> ConnectionError? {
        await receive(part, while: { true })
    }

    /// Has a part taken, unless it is not wanted any more by then: a time limit may have let go of whoever brings it.
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

extension PayloadConsumer: Hashable {
    /// Whether both are copies of one receiver.
    public static func == (left: PayloadConsumer, right: PayloadConsumer) -> Bool {
        left.id == right.id
    }

    /// Hashes what tells receivers apart.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
    }
}
