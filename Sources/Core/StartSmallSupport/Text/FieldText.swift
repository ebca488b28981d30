/// The texts of bytes that need not be UTF-8, such as the value of a header field (RFC 9110 5.5), and back.
///
/// A byte that is no UTF-8 becomes a mark: the private-use character U+10FF00 + byte, U+10FF80 to U+10FFFF. A literal
/// character of that range becomes four marks. So ``bytes(of:)`` returns the bytes as they came. No normal form changes a
/// mark: to Swift, the texts of different bytes are equal only as those of UTF-8 are, such as é in one character or in
/// two. A mark stands for a byte above 0x7F: a text without control characters has no control bytes.
package enum FieldText {
    private static let marks: ClosedRange<UInt32> = 0x10FF80...0x10FFFF
    private static let markOfZero: UInt32 = 0x10FF00

    /// The first byte of each mark in UTF-8.
    private static let markStart: UInt8 = 0xF4

    private static func byte(of scalar: Unicode.Scalar) -> UInt8? {
        marks.contains(scalar.value) ? UInt8(truncatingIfNeeded: scalar.value) : nil
    }

    private static func hasMarks(_ text: String) -> Bool {
        text.utf8.contains(markStart) && text.unicodeScalars.contains { byte(of: $0) != nil }
    }

    /// Returns the text of bytes, of which any may be no UTF-8.
    package static func text(of bytes: UnsafeBufferPointer<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self), !hasMarks(text) { return text }
        var text = String.UnicodeScalarView()
        var parser = Unicode.UTF8.ForwardParser()
        var (iterator, rest) = (bytes.makeIterator(), bytes[...])
        func mark(_ count: Int) {
            for byte in rest.prefix(count) { text.append(Unicode.Scalar(markOfZero + UInt32(byte)) ?? "\u{FFFD}") }
            rest = rest.dropFirst(count)
        }
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .emptyInput: return String(text)
            case .error(let count): mark(count)
            case .valid(let encoded):
                let scalar = Unicode.UTF8.decode(encoded)
                if byte(of: scalar) != nil {
                    mark(encoded.count)
                } else {
                    text.append(scalar)
                    rest = rest.dropFirst(encoded.count)
                }
            }
        }
    }

    /// Returns the bytes of a text with marks: as UTF-8, but each mark as its byte; nil if the text has none.
    package static func bytes(of text: String) -> [UInt8]? {
        guard hasMarks(text) else { return nil }
        return text.unicodeScalars.flatMap { scalar in byte(of: scalar).map { [$0] } ?? Array(String(scalar).utf8) }
    }

    /// Returns a text to be read by people: one with marks is read as ISO-8859-1, as older servers mean it.
    package static func readable(_ text: String) -> String {
        bytes(of: text).map { String(String.UnicodeScalarView($0.map { Unicode.Scalar($0) })) } ?? text
    }

    /// Returns a URI reference in which each mark is the percent-encoded byte (RFC 3986 2.1).
    package static func percentEncodingMarks(in text: String) -> String {
        guard hasMarks(text) else { return text }
        return text.unicodeScalars.reduce(into: "") { encoded, scalar in
            if let byte = byte(of: scalar) {
                encoded += "%" + String(byte, radix: 16, uppercase: true)
            } else {
                encoded.unicodeScalars.append(scalar)
            }
        }
    }
}
