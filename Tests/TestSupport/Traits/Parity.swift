public import Testing

/// The rows of Docs/Parity.md that a test proves.
public struct Parity: TestTrait, SuiteTrait {
    /// The IDs of the rows, such as `A6`.
    public var rows: [String]

    /// The rows, as failed tests show them.
    public var comments: [Comment] { [Comment(rawValue: "Docs/Parity.md: \(rows.joined(separator: ", "))")] }
}

extension Trait where Self == Parity {
    /// Marks a test, or all tests of a suite, as the proof of rows of Docs/Parity.md.
    public static func parity(_ rows: String...) -> Self { Parity(rows: rows) }
}
