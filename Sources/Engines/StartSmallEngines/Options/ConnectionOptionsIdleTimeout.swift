import StartSmallSupport

extension ConnectionOptions {
    /// The time limit between two bytes of a call, in either direction.
    ///
    /// ```swift
    /// let patient = Connector.standard(over: .engine(options: ConnectionOptions(idleTimeout: .seconds(120))))
    /// ```
    ///
    /// As for the other limits of the options, `nil` is no limit: the same as ``none``.
    public enum IdleTimeout: Equatable, Sendable {
        /// 15 seconds; within a time limit of the call, at least the time that is left to the call.
        ///
        /// The time limits are those of ``Wrapper/timeout(_:clock:)`` and ``Wrapper/deadline(_:clock:)``. A call with a
        /// limit of a minute may therefore be silent for that minute.
        case automatic

        /// No limit.
        case none

        /// The limit of each call, whatever its other time limits are.
        case limit(Duration)
    }
}

extension ConnectionOptions.IdleTimeout: ExpressibleByNilLiteral {
    /// Creates ``none``.
    public init(nilLiteral: ()) { self = .none }

    /// Returns a limit in seconds.
    public static func seconds(_ seconds: some BinaryInteger) -> Self { .limit(.seconds(seconds)) }

    /// Returns a limit in seconds.
    public static func seconds(_ seconds: Double) -> Self { .limit(.seconds(seconds)) }

    /// Returns a limit in milliseconds.
    public static func milliseconds(_ milliseconds: some BinaryInteger) -> Self { .limit(.milliseconds(milliseconds)) }
}

extension ConnectionOptions.IdleTimeout {
    /// The time by which an automatic limit is longer than the time left to the call: a second.
    ///
    /// The time limit of the call then ends it, even if its timer is late, so that the error names that limit.
    private static let margin = Duration.seconds(1)

    /// Returns the limit of a request; nil for none.
    package func limit(within remainingTime: Duration?) -> Duration? {
        switch self {
        case .none: return nil
        case .limit(let limit): return limit
        case .automatic:
            let standard = ConnectionOptions.defaultIdleTimeout
            return remainingTime.map { max(standard, min($0, .maximumWait) + Self.margin) } ?? standard
        }
    }
}

extension ConnectionOptions {
    /// Returns the text of a call that reached a limit of the options, with the name of the option.
    package static func overdueText(_ what: String, for limit: String, option: String) -> String {
        "\(what) for \(limit), the \(option) of ConnectionOptions"
    }
}
