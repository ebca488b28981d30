import StartSmallSupport

extension URITemplate {
    /// A parser that reads a template once, from the first character to the last (RFC 6570 2).
    struct Parser {
        private let text: String
        private let bytes: [UInt8]
        private var offset = 0

        init(_ text: String) {
            self.text = text
            bytes = Array(text.utf8)
        }

        /// Returns the parts of the template, with literals already encoded.
        mutating func parts() throws(ParseError) -> [Part] {
            var parts: [Part] = []
            while let byte = next {
                parts.append(byte == UInt8(ascii: "{") ? .expression(try expression()) : .literal(try literal()))
            }
            return parts
        }

        /// Reads the literal up to the next expression (RFC 6570 3.1).
        ///
        /// Characters that a URI can contain are kept; all others are percent-encoded.
        private mutating func literal() throws(ParseError) -> String {
            let start = offset
            while let byte = next, byte != UInt8(ascii: "{") {
                if byte == UInt8(ascii: "%") {
                    try triplet()
                } else {
                    let scalar = byte < 0x80 ? Unicode.Scalar(byte) : scalar
                    guard Self.isLiteral(scalar) else { throw fail("\(Self.shown(scalar)) is not allowed in a URI") }
                    offset += UTF8.width(scalar)
                }
            }
            return URIEncoding.encoded(bytes[start..<offset], triplets: true) {
                URIEncoding.isUnreserved($0) || URIEncoding.isReserved($0)
            }
        }

        private mutating func expression() throws(ParseError) -> Expression {
            let start = offset
            offset += 1
            let `operator` = try `operator`()
            var variables: [Variable] = []
            repeat { variables.append(try variable(of: start)) } while take(",")
            guard take("}") else { throw unexpected(in: start) }
            return Expression(operator: `operator`, variables: variables)
        }

        private mutating func `operator`() throws(ParseError) -> Operator {
            guard let byte = next, byte != 0, !Self.isNameByte(byte) else { return .simple }
            if let `operator` = Operator(rawValue: Unicode.Scalar(byte)) {
                offset += 1
                return `operator`
            }
            if "=,!@|".utf8.contains(byte) { throw fail("\(Unicode.Scalar(byte)) is reserved for future operators") }
            return .simple
        }

        /// Reads a name and at most one modifier (RFC 6570 2.3 and 2.4).
        private mutating func variable(of start: Int) throws(ParseError) -> Variable {
            let nameStart = offset
            try nameBytes(of: start)
            while take(".") { try nameBytes(of: start) }
            let name = text(from: nameStart)
            if take("*") { return Variable(name: name, modifier: .explode) }
            if take(":") { return Variable(name: name, modifier: .prefix(try maxLength())) }
            return Variable(name: name, modifier: .none)
        }

        /// Reads letters, digits, `_` and triplets; at least one.
        private mutating func nameBytes(of start: Int) throws(ParseError) {
            let first = offset
            while let byte = next {
                if byte == UInt8(ascii: "%") {
                    try triplet()
                } else if Self.isNameByte(byte) {
                    offset += 1
                } else {
                    break
                }
            }
            guard offset > first else { throw unexpected(in: start, expecting: "a variable's name") }
        }

        /// Reads a number from 1 to 9999 without leading zeros.
        private mutating func maxLength() throws(ParseError) -> Int {
            let digits = bytes[offset...].prefix(while: \.isASCIIDigit)
            guard (1...4).contains(digits.count), digits.first != UInt8(ascii: "0"),
                let count = Int(String(decoding: digits, as: UTF8.self))
            else { throw fail("a prefix is 1 to 9999 characters long") }
            offset += digits.count
            return count
        }

        private mutating func triplet() throws(ParseError) {
            guard URIEncoding.triplet(after: bytes[(offset + 1)...]) != nil else {
                throw fail("% without two hexadecimal digits")
            }
            offset += 3
        }

        private mutating func take(_ mark: Unicode.Scalar) -> Bool {
            guard next == UInt8(ascii: mark) else { return false }
            offset += 1
            return true
        }

        private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

        /// The next character.
        private var scalar: Unicode.Scalar { text.unicodeScalars[text.utf8.index(text.startIndex, offsetBy: offset)] }

        private func text(from start: Int) -> String {
            String(decoding: bytes[start..<offset], as: UTF8.self)
        }

        private func fail(_ reason: String) -> ParseError {
            ParseError(reason: reason, offset: offset)
        }

        /// Returns the error of an expression that has no end, or that continues in an unexpected way.
        private func unexpected(in start: Int, expecting expected: String = ", or }") -> ParseError {
            guard next != nil else { return ParseError(reason: "{ without }", offset: start) }
            return fail("\(Self.shown(scalar)) instead of \(expected)")
        }
    }
}

extension URITemplate.Parser {
    /// Returns a printable character unchanged, and any other as its number.
    private static func shown(_ scalar: Unicode.Scalar) -> String {
        (0x21...0x7E).contains(scalar.value) ? "\(scalar)" : "U+\(String(scalar.value, radix: 16, uppercase: true))"
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || URIEncoding.isAlphanumeric(byte)
    }

    /// Returns whether a character is allowed outside of expressions.
    ///
    /// Allowed are the `literals` of RFC 6570 2.1, with `'`, which erratum 6937 adds, and without `%`.
    private static func isLiteral(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x21, 0x23, 0x24, 0x26...0x3B, 0x3D, 0x3F...0x5B, 0x5D, 0x5F, 0x61...0x7A, 0x7E: true
        // `ucschar` and `iprivate` (RFC 6570 1.5), which leave out controls and noncharacters.
        case 0xA0...0xD7FF, 0xE000...0xFDCF, 0xFDF0...0xFFEF: true
        case 0xE0000...0xE0FFF: false
        case 0x10000...0x10FFFF: scalar.value & 0xFFFF < 0xFFFE
        default: false
        }
    }
}
