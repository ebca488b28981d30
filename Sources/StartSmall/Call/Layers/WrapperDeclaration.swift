/// The properties of a wrapper, which its author declares, and by which `Connector.check()` and
/// `Connector.description` know it.
///
/// ```swift
/// let declaration = WrapperDeclaration(
///     "signature",
///     reads: [.method, .url, .queries, .header("X-Time"), .payload],
///     changes: [.signature, .header("X-Signature")],
///     secrets: [.header("X-Signature")]
/// )
/// let signing = Wrapper(declaration) { input, next in await next(input.signed()) }
/// ```
///
/// A wrapper without a declaration is unknown, and nothing is claimed about it. A false declaration makes the findings
/// false; `WrapperLaws` of StartSmallTesting detect most of them.
public struct WrapperDeclaration: Hashable, Sendable {
    /// The name, as in source code: `retry`.
    public var name: String

    /// The parameters to display, such as `attempts ≤ 3`; without credentials, and with URLs redacted.
    public var parameters: [String]

    /// The parts of a request by which the wrapper decides, and which an inner wrapper must not change after that.
    ///
    /// A part by which it only recognizes a request to leave alone, such as the header field that it would add, is not
    /// declared.
    public var reads: Set<Aspect>

    /// The parts of a request or response that the wrapper may change.
    public var changes: Set<Aspect>

    /// The header fields and query items among ``changes`` that contain credentials.
    public var secrets: Set<Aspect>

    /// Whether the credentials are sent to one origin only, regardless of the URL of a request.
    public var isBoundToOrigin: Bool

    /// The parts that the wrapper copies to another place, such as a log or a file.
    public var copies: Set<Aspect>

    /// The rules that hide credentials in ``copies``.
    public var redaction: Redaction

    /// The reason for which one call can send several requests; nil if it sends at most one.
    public var repeats: Repetition?

    /// The event that a call can wait for, apart from the inner connector; nil if it does not wait.
    public var waits: Waiting?

    /// The reason for which a call can end without a request; nil if each call calls the inner connector.
    public var shortCircuits: ShortCircuit?

    /// The longest time that a call can take; nil if there is no limit, or the limit is no fixed time.
    public var timeLimit: Duration?

    /// Whether a response of the wrapper can replace a failure of the inner connector.
    public var replacesFailures: Bool

    /// The unit of work for which the wrapper must run once; nil if it may be at any position.
    public var unit: Unit?

    /// Creates a declaration; what is left out, the wrapper does not do.
    ///
    /// - Parameters:
    ///   - name: the name, as in source code.
    ///   - parameters: the parameters to display, without credentials.
    ///   - reads: the parts of a request by which the wrapper decides.
    ///   - changes: the parts of a request or response that the wrapper may change.
    ///   - secrets: the header fields and query items among `changes` that contain credentials.
    ///   - isBoundToOrigin: whether the credentials are sent to one origin only.
    ///   - copies: the parts that the wrapper copies to another place.
    ///   - redaction: the rules that hide credentials in `copies`.
    ///   - repeats: the reason for which one call can send several requests.
    ///   - waits: the event that a call can wait for.
    ///   - shortCircuits: the reason for which a call can end without a request.
    ///   - timeLimit: the longest time that a call can take.
    ///   - replacesFailures: whether a response of the wrapper can replace a failure of the inner connector.
    ///   - unit: the unit of work for which the wrapper must run once.
    public init(
        _ name: String,
        _ parameters: [String] = [],
        reads: Set<Aspect> = [],
        changes: Set<Aspect> = [],
        secrets: Set<Aspect> = [],
        isBoundToOrigin: Bool = false,
        copies: Set<Aspect> = [],
        redaction: Redaction = .standard,
        repeats: Repetition? = nil,
        waits: Waiting? = nil,
        shortCircuits: ShortCircuit? = nil,
        timeLimit: Duration? = nil,
        replacesFailures: Bool = false,
        unit: Unit? = nil
    ) {
        (self.name, self.parameters) = (name, parameters)
        (self.reads, self.changes, self.secrets) = (reads, changes, secrets)
        (self.isBoundToOrigin, self.copies, self.redaction) = (isBoundToOrigin, copies, redaction)
        (self.repeats, self.waits, self.shortCircuits) = (repeats, waits, shortCircuits)
        (self.timeLimit, self.replacesFailures, self.unit) = (timeLimit, replacesFailures, unit)
    }
}

extension WrapperDeclaration: CustomStringConvertible {
    /// The name and the parameters, on one line: `retry(attempts ≤ 3)`.
    public var description: String {
        (parameters.isEmpty ? name : "\(name)(\(parameters.joined(separator: ", ")))").onOneLine
    }

    /// Returns a duration as a parameter to display, in seconds: `0.5 s`.
    public static func shown(_ duration: Duration) -> String {
        let milliseconds = duration / .milliseconds(1)
        let isWhole = milliseconds.truncatingRemainder(dividingBy: 1000) == 0
        return isWhole ? "\(duration.components.seconds) s" : "\(milliseconds / 1000) s"
    }
}
