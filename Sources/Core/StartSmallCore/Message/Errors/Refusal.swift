public import StartSmallFoundation
public import StartSmallSupport

/// The reason why a wrapper ends a call itself: a limit, a rule, or a state that the wrapper keeps.
///
/// ```swift
/// struct QuotaUsedUp: Refusal {
///     let name = "quotaUsedUp"
///     let reason = "the quota of this month is used up"
///     let end: RefusalEnd
/// }
///
/// return .noResponse(.refused(QuotaUsedUp(end: .at(firstOfNextMonth))))
/// ```
///
/// Retries, polling, fallbacks, caches, circuit breakers, logs and metrics treat it by the facts that it states, and know
/// none of its types. ``ConnectionError/refusal(_:)`` returns the value.
public protocol Refusal: Hashable, Sendable {
    /// The name for logs and metrics, such as `circuitOpen`: a constant in lower camel case.
    var name: String { get }

    /// The reason, for developers and without credentials.
    var reason: String { get }

    /// Whether a repetition with a short delay may succeed; false by default.
    var isTransient: Bool { get }

    /// The time from which a call may pass; ``RefusalEnd/never`` by default.
    var end: RefusalEnd { get }

    /// The part whose change lets a later call pass; ``ConnectionError/Fault/caller`` by default.
    var fault: ConnectionError.Fault { get }
}

/// The time from which a refused call may pass without any change by its caller.
public enum RefusalEnd: Hashable, Sendable {
    /// A repeated call is refused again.
    case never

    /// A later call may pass, at a time that is not known.
    case unknown

    /// A call may pass from this time on.
    case at(Date)
}

extension Refusal {
    /// Whether a repetition with a short delay may succeed: false.
    public var isTransient: Bool { false }

    /// The time from which a call may pass: never.
    public var end: RefusalEnd { .never }

    /// The part whose change lets a later call pass: the caller.
    public var fault: ConnectionError.Fault { .caller }
}

/// A refusal of any type; two are equal if their types and values are.
public struct Refused: Sendable {
    /// The value that the wrapper created.
    public let refusal: any Refusal

    package init(_ refusal: some Refusal) { self.refusal = refusal }
}

extension Refused: Hashable, ComparedByKey {
    package var comparedKey: AnyHashable { AnyHashable(refusal) }
}

extension Refused: MirroredByDescription {
    /// The name and the reason, on one line, with credentials redacted.
    public var description: String { "\(refusal.name): \(Redaction.standard.shown(text: refusal.reason))" }
}

extension ConnectionError {
    /// Returns the error of a call that a wrapper ends.
    ///
    /// - Parameters:
    ///   - refusal: the reason.
    ///   - response: the response after which the wrapper refuses to go on; nil if no request was sent. No outer wrapper
    ///     acts on it again (``Output/response``).
    public static func refused(_ refusal: some Refusal, after response: Response? = nil) -> ConnectionError {
        .refused(Refused(refusal), after: response)
    }

    /// Returns the value with which a wrapper refused the call; nil for another type, and for other errors.
    ///
    /// ```swift
    /// if let circuit = error.refusal(CircuitOpen.self) { show(retryAt: circuit.until) }
    /// ```
    public func refusal<Value: Refusal>(_ type: Value.Type = Value.self) -> Value? {
        if case .refused(let refused, _) = self { refused.refusal as? Value } else { nil }
    }
}

/// The refusal of a request that may not be sent.
///
/// The address policy of the engine refuses each address of the host, or a wrapper of the app refuses the request, and
/// has no type of its own for that.
public struct RequestRefused: Refusal {
    /// The name of the refusal.
    public var name: String { "requestRefused" }

    /// The reason, for developers and without credentials.
    public let reason: String

    package init(reason: String) { self.reason = reason }
}

extension RequestRefused: MirroredByDescription {
    /// The name and the reason, on one line, with credentials redacted.
    public var description: String { Refused(self).description }
}

extension ConnectionError {
    /// Returns the error of a request that may not be sent (``RequestRefused``).
    public static func requestRefused(reason: String) -> ConnectionError { .refused(RequestRefused(reason: reason)) }
}
