package import StartSmallFoundation

extension Date.ISO8601FormatStyle {
    /// Reads a date; nil for ten digits in a row, on which Foundation would trap where `Int` has 32 bits.
    package func date(_ text: String) -> Date? {
        text.utf8.split { !$0.isASCIIDigit }.allSatisfy { $0.count <= 9 } ? try? parse(text) : nil
    }
}
