/// What a wrapper or connector does that it must not.
public struct Violation: Hashable, Sendable, CustomStringConvertible {
    /// The law, as a sentence.
    public var law: String

    /// What was seen instead.
    public var detail: String

    /// Both, on one line.
    public var description: String { "\(law): \(detail)" }

    /// Creates a violation.
    public init(law: String, detail: String) {
        self.law = law
        self.detail = detail
    }
}
