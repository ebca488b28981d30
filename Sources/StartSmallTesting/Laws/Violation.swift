/// A violation of a law by a wrapper or connector.
public struct Violation: Hashable, Sendable, CustomStringConvertible {
    /// The law, as a sentence.
    public var law: String

    /// The observed behavior.
    public var detail: String

    /// The law and the observed behavior, on one line.
    public var description: String { "\(law): \(detail)" }

    /// Creates a violation.
    ///
    /// - Parameters:
    ///   - law: the law, as a sentence.
    ///   - detail: the observed behavior.
    public init(law: String, detail: String) {
        self.law = law
        self.detail = detail
    }
}
