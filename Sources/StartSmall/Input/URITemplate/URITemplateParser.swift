extension URITemplate {
    /// Reads a template from its first character to its last, once (RFC 6570 2).
    struct Parser {
        private let text: String
        private var rest: Substring.UnicodeScalarView
        private var offset = 0

        init(_ text: String) {
            self.text = text
            rest = text[...].unicodeScalars
        }

        /// The parts of the template; literals are encoded already.
        mutating func parts() throws(ParseError) -> [Part] {
            var parts: [Part] = []
            while let scalar = rest.first {
                parts.append(scalar == "{" ? .expression(try expression()) : .literal(try literal()))
            }
            return parts
        }

        /// All up to the next expression: what a URI may hold is kept, all else is percent-encoded (RFC 6570 3.1).
        private mutating func literal() throws(ParseError) -> String {
            let start = rest.startIndex
            while let scalar = rest.first, scalar != "{" {
                if scalar == "%" {
                    try triplet()
                } else {
                    guard Self.isLiteral(scalar) else { throw fail("\(Self.shown(scalar)) has no place in a URI") }
                    step()
                }
            }
            return RFC3986.encoded(text[start..<rest.startIndex], triplets: true) {
                RFC3986.isUnreserved($0) || RFC3986.isReserved($0)
            }
        }

        private mutating func expression() throws(ParseError) -> Expression {
            let (start, startOffset) = (rest.startIndex, offset)
            step()
            let `operator` = try `operator`()
            var variables: [Variable] = []
            repeat { variables.append(try variable(of: startOffset)) } while take(",")
            guard take("}") else { throw unexpected(in: startOffset) }
            return Expression(
                operator: `operator`,
                variables: variables,
                source: String(text[start..<rest.startIndex])
            )
        }

        private mutating func `operator`() throws(ParseError) -> Operator {
            guard let scalar = rest.first, scalar != "\0", !Self.isNameCharacter(scalar) else { return .simple }
            if let `operator` = Operator(rawValue: scalar) {
                step()
                return `operator`
            }
            if "=,!@|".unicodeScalars.contains(scalar) { throw fail("\(scalar) is reserved for operators to come") }
            return .simple
        }

        /// A name and at most one modifier (RFC 6570 2.3 and 2.4).
        private mutating func variable(of start: Int) throws(ParseError) -> Variable {
            let nameStart = rest.startIndex
            try nameCharacters(of: start)
            while take(".") { try nameCharacters(of: start) }
            let name = String(text[nameStart..<rest.startIndex])
            if take("*") { return Variable(name: name, modifier: .explode) }
            if take(":") { return Variable(name: name, modifier: .prefix(try maxLength())) }
            return Variable(name: name, modifier: .none)
        }

        /// Letters, digits, `_` and triplets; at least one.
        private mutating func nameCharacters(of start: Int) throws(ParseError) {
            let first = rest.startIndex
            while let scalar = rest.first {
                if scalar == "%" {
                    try triplet()
                } else if Self.isNameCharacter(scalar) {
                    step()
                } else {
                    break
                }
            }
            guard rest.startIndex > first else { throw unexpected(in: start, expecting: "a variable's name") }
        }

        /// A number from 1 to 9999 without leading zeros.
        private mutating func maxLength() throws(ParseError) -> Int {
            let digits = rest.prefix { ("0"..."9").contains($0) }
            guard (1...4).contains(digits.prefix(5).count), digits.first != "0", let count = Int(Substring(digits))
            else {
                throw fail("a prefix is 1 to 9999 characters long")
            }
            digits.forEach { _ in step() }
            return count
        }

        private mutating func triplet() throws(ParseError) {
            guard RFC3986.triplet(after: Substring(rest.dropFirst()).utf8) != nil else {
                throw fail("% without two hexadecimal digits")
            }
            for _ in 0..<3 { step() }
        }

        private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
            guard rest.first == scalar else { return false }
            step()
            return true
        }

        private mutating func step() {
            if let scalar = rest.popFirst() { offset += UTF8.width(scalar) }
        }

        private func fail(_ reason: String) -> ParseError {
            ParseError(reason: reason, offset: offset)
        }

        /// What is wrong in an expression that begins at `start`: there is no end to it, or something else than expected.
        private func unexpected(in start: Int, expecting expected: String = ", or }") -> ParseError {
            guard let scalar = rest.first else { return ParseError(reason: "{ without }", offset: start) }
            return fail("\(Self.shown(scalar)) instead of \(expected)")
        }
    }
}

extension URITemplate.Parser {
    /// A printable character as it is, and any other by its number.
    private static func shown(_ scalar: Unicode.Scalar) -> String {
        (0x21...0x7E).contains(scalar.value) ? "\(scalar)" : "U+\(String(scalar.value, radix: 16, uppercase: true))"
    }

    private static func isNameCharacter(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.isASCII && RFC3986.isAlphanumeric(UInt8(truncatingIfNeeded: scalar.value))
    }

    /// Whether a character can stand outside of expressions: `literals` of RFC 6570 2.1, with `'`, which erratum 6937
    /// adds, and without `%`.
    private static func isLiteral(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x21, 0x23, 0x24, 0x26...0x3B, 0x3D, 0x3F...0x5B, 0x5D, 0x5F, 0x61...0x7A, 0x7E: true
        // `ucschar` and `iprivate` (RFC 6570 1.5): what is left out are controls and noncharacters.
        case 0xA0...0xD7FF, 0xE000...0xFDCF, 0xFDF0...0xFFEF: true
        case 0xE0000...0xE0FFF: false
        case 0x10000...0x10FFFF: scalar.value & 0xFFFF < 0xFFFE
        default: false
        }
    }
}
