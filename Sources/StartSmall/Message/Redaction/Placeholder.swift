/// The text in place of a hidden value: `<redacted>`, or `<redacted-2>` where secrets are distinguished.
///
/// A placeholder is visible ASCII without a blank, so that it can be sent as a token (RFC 6750 2.1) and ends no value
/// in a text.
package struct Placeholder: Equatable, Sendable {
    /// The number of the secret; nil where secrets are not distinguished.
    package let number: Int?

    /// Creates a placeholder with the number of a secret; nil for no number.
    package init(_ number: Int?) { self.number = number }

    /// The placeholder as text.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The placeholder in UTF-8, without the cost of a string for each placeholder.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    /// Appends the placeholder to a text in UTF-8.
    package func write(to bytes: inout [UInt8]) {
        bytes += Self.beginning.utf8
        if let number {
            bytes.append(UInt8(ascii: "-"))
            let start = bytes.count
            var rest = number.magnitude
            repeat {
                bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
                rest /= 10
            } while rest > 0
            bytes[start...].reverse()
        }
        bytes.append(UInt8(ascii: ">"))
    }

    /// Returns the placeholder with which a text begins, and its length in bytes; nil if the text begins with none.
    package static func prefix(of text: ArraySlice<UInt8>) -> (placeholder: Placeholder, count: Int)? {
        guard text.first == UInt8(ascii: "<"), text.starts(with: beginning.utf8) else { return nil }
        let rest = text.dropFirst(beginning.utf8.count)
        if rest.first == UInt8(ascii: ">") { return (Placeholder(nil), Redaction.placeholder.utf8.count) }
        guard rest.first == UInt8(ascii: "-") else { return nil }
        let digits = rest.dropFirst().prefix(mostDigits).prefix(while: \.isASCIIDigit)
        guard let first = digits.first, first != UInt8(ascii: "0"), digits.endIndex < text.endIndex,
            text[digits.endIndex] == UInt8(ascii: ">"), let number = number(of: digits)
        else { return nil }
        return (Placeholder(number), digits.endIndex + 1 - text.startIndex)
    }

    /// Returns the number that digits represent, without the cost of a string for each; nil if the number is too large.
    private static func number(of digits: ArraySlice<UInt8>) -> Int? {
        var number = 0
        for digit in digits {
            let (tens, isTooGreat) = number.multipliedReportingOverflow(by: 10)
            let (sum, isGreater) = tens.addingReportingOverflow(Int(digit - UInt8(ascii: "0")))
            if isTooGreat || isGreater { return nil }
            number = sum
        }
        return number
    }

    /// Creates a placeholder from a text that is one as a whole; nil if the text is anything else.
    package init?(_ text: ArraySlice<UInt8>) {
        guard let (placeholder, count) = Self.prefix(of: text), count == text.count else { return nil }
        self = placeholder
    }

    /// The beginning that both forms share.
    package static let beginning = "<redacted"

    /// The number of digits of the largest number that fits into 32 bits.
    private static let mostDigits = 10
}

extension Redactor {
    /// Returns the bytes that replace a value: the placeholder of the secret, with its number if secrets are numbered.
    func placeholder(for value: @autoclosure () -> HiddenValue) -> [UInt8] {
        guard let numbering else { return Array(Redaction.placeholder.utf8) }
        return Placeholder(numbering(value())).bytes
    }

    /// Returns the placeholder of a value in a text.
    func placeholder(for value: some Collection<UInt8>) -> [UInt8] {
        value.isEmpty ? Array(Redaction.placeholder.utf8) : placeholder(for: .value(Array(value)))
    }

    /// Reads without numbers, because parts of Base64 text can't be compared.
    mutating func withoutNumbers<Value>(_ read: (inout Redactor) -> Value) -> Value {
        let known = numbering
        numbering = nil
        defer { numbering = known }
        return read(&self)
    }
}
