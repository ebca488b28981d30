import StartSmallSupport

/// A pure state machine that reads JSON byte by byte, without recursion, and remembers how to complete it.
struct PartialJSONScanner: Hashable, Sendable {
    private let depth: Int
    private var state = State.beforeValue

    /// The bytes that close the open containers, the innermost last.
    private(set) var closers: [UInt8] = []

    /// The number of bytes that are a document when all open containers are closed after them; 0 before any value.
    private(set) var completeCount = 0

    /// The number of bytes up to the last whole character of a value that is an open string; nil without one.
    private(set) var openTextCount: Int?

    init(depth: Int) { self.depth = depth }

    /// Whether all bytes are a document.
    var isWhole: Bool {
        switch state {
        case .end: true
        case .number(let part): closers.isEmpty && part.mayBeLast
        default: false
        }
    }

    /// Reads bytes up to the first wrong one.
    ///
    /// - Parameters:
    ///   - bytes: the next bytes.
    ///   - start: the number of bytes before them.
    /// - Returns: the number of bytes that were read, and the reason for which the next one is wrong; nil at the end.
    mutating func scan(
        _ bytes: UnsafeBufferPointer<UInt8>,
        after start: Int
    ) -> (count: Int, reason: PartialJSONError.Reason?) {
        var index = 0
        while index < bytes.count {
            // Most bytes of long documents are those of texts.
            if case .string(.text, let isName) = state {
                let first = index
                while index < bytes.count, bytes[index].isPlainInString { index += 1 }
                if index > first, !isName { openTextCount = start + index }
                if index == bytes.count { break }
            }
            if let reason = read(bytes[index], at: start + index) { return (index, reason) }
            index += 1
        }
        return (index, nil)
    }

    /// Reads the byte at an offset, and returns the reason for which it is wrong.
    private mutating func read(_ byte: UInt8, at offset: Int) -> PartialJSONError.Reason? {
        switch state {
        case .string(let part, let isName): return read(byte, in: part, isName: isName, at: offset)
        case .word(let word, let count):
            let letters = word.rawValue.utf8.dropFirst(count)
            guard letters.first == byte else { return .unexpectedByte }
            if letters.count > 1 { state = .word(word, count: count + 1) } else { endValue(at: offset + 1) }
            return nil
        case .number(let part):
            if let next = part.next(byte) {
                state = .number(next)
                return nil
            }
            guard part.mayBeLast else { return .unexpectedByte }
            let before = (state, completeCount)
            endValue(at: offset)
            let reason = readBetweenValues(byte, at: offset)
            if reason != nil { (state, completeCount) = before }
            return reason
        default: return readBetweenValues(byte, at: offset)
        }
    }

    private mutating func readBetweenValues(_ byte: UInt8, at offset: Int) -> PartialJSONError.Reason? {
        switch (state, Unicode.Scalar(byte)) {
        case (_, " "), (_, "\t"), (_, "\n"), (_, "\r"): break
        case (.beforeFirstElement, "]"), (.beforeFirstName, "}"): closeContainer(at: offset)
        case (.beforeValue, _), (.beforeFirstElement, _): return beginValue(byte, at: offset)
        case (.beforeFirstName, "\""), (.beforeName, "\""): state = .string(.text, isName: true)
        case (.beforeColon, ":"): state = .beforeValue
        case (.afterValue, ","): state = closers.last == UInt8(ascii: "}") ? .beforeName : .beforeValue
        case (.afterValue, _) where byte == closers.last: closeContainer(at: offset)
        default: return .unexpectedByte
        }
        return nil
    }

    private mutating func beginValue(_ byte: UInt8, at offset: Int) -> PartialJSONError.Reason? {
        switch Unicode.Scalar(byte) {
        case "{", "[":
            guard closers.count < depth else { return .tooDeep(limit: depth) }
            // The closing bracket is the second character after the opening one in ASCII.
            closers.append(byte + 2)
            completeCount = offset + 1
            state = byte == UInt8(ascii: "{") ? .beforeFirstName : .beforeFirstElement
        case "\"": (state, openTextCount) = (.string(.text, isName: false), offset + 1)
        case "-": state = .number(.minus)
        case "0": state = .number(.zero)
        case "1"..."9": state = .number(.integer)
        case "t": state = .word(.true, count: 1)
        case "f": state = .word(.false, count: 1)
        case "n": state = .word(.null, count: 1)
        default: return .unexpectedByte
        }
        return nil
    }

    private mutating func closeContainer(at offset: Int) {
        _ = closers.popLast()
        endValue(at: offset + 1)
    }

    private mutating func endValue(at count: Int) {
        (completeCount, openTextCount) = (count, nil)
        state = closers.isEmpty ? .end : .afterValue
    }

    private mutating func read(
        _ byte: UInt8,
        in part: StringPart,
        isName: Bool,
        at offset: Int
    ) -> PartialJSONError.Reason? {
        if part == .text, byte == UInt8(ascii: "\"") {
            if isName { state = .beforeColon } else { endValue(at: offset + 1) }
            return nil
        }
        guard let next = part.next(byte) else { return .unexpectedByte }
        state = .string(next, isName: isName)
        // The first half of a surrogate pair is no character yet.
        if next == .text, !isName, !part.isHighSurrogate(with: byte) { openTextCount = offset + 1 }
        return nil
    }
}

/// The position in the grammar after the bytes so far.
private enum State: Hashable, Sendable {
    case beforeValue, beforeFirstElement, beforeFirstName, beforeName, beforeColon, afterValue, end
    case number(NumberPart)

    /// A word, and the number of its letters so far.
    case word(Word, count: Int)
    case string(StringPart, isName: Bool)
}

private enum Word: String {
    case `true`
    case `false`
    case null
}

/// The part of a number to which its last byte belongs.
private enum NumberPart {
    case minus, zero, integer, point, fraction, exponent, exponentSign, exponentDigits

    /// Whether a number may end after this part.
    var mayBeLast: Bool {
        switch self {
        case .zero, .integer, .fraction, .exponentDigits: true
        case .minus, .point, .exponent, .exponentSign: false
        }
    }

    /// Returns the part to which another byte belongs; nil if the byte can't continue the number.
    func next(_ byte: UInt8) -> NumberPart? {
        switch (self, Unicode.Scalar(byte)) {
        case (.minus, "0"): .zero
        case (.minus, "1"..."9"), (.integer, "0"..."9"): .integer
        case (.zero, "."), (.integer, "."): .point
        case (.point, "0"..."9"), (.fraction, "0"..."9"): .fraction
        case (.zero, "e"), (.zero, "E"), (.integer, "e"), (.integer, "E"), (.fraction, "e"), (.fraction, "E"): .exponent
        case (.exponent, "+"), (.exponent, "-"): .exponentSign
        case (.exponent, "0"..."9"), (.exponentSign, "0"..."9"), (.exponentDigits, "0"..."9"): .exponentDigits
        default: nil
        }
    }
}

/// The part of a string to which its last byte belongs.
private enum StringPart: Hashable {
    /// A whole character, or the opening quote.
    case text
    case backslash

    /// An escape `\u`: the value and the number of its digits so far.
    case unicode(UInt16, count: Int)

    /// A character of several bytes: the number of those that are missing, and the allowed values of the next one.
    case character(missing: Int, next: ClosedRange<UInt8>)

    /// Returns the part after another byte, which does not end the string; nil if the byte is not allowed.
    func next(_ byte: UInt8) -> StringPart? {
        switch (self, byte) {
        case (.text, UInt8(ascii: "\\")): .backslash
        case (.text, 0x20..<0x80): .text
        // RFC 3629 4.
        case (.text, 0xC2...0xDF): .character(missing: 1, next: 0x80...0xBF)
        case (.text, 0xE0): .character(missing: 2, next: 0xA0...0xBF)
        case (.text, 0xED): .character(missing: 2, next: 0x80...0x9F)
        case (.text, 0xE1...0xEF): .character(missing: 2, next: 0x80...0xBF)
        case (.text, 0xF0): .character(missing: 3, next: 0x90...0xBF)
        case (.text, 0xF1...0xF3): .character(missing: 3, next: 0x80...0xBF)
        case (.text, 0xF4): .character(missing: 3, next: 0x80...0x8F)
        case (.character(let missing, let allowed), _) where allowed.contains(byte):
            missing == 1 ? .text : .character(missing: missing - 1, next: 0x80...0xBF)
        case (.backslash, UInt8(ascii: "u")): .unicode(0, count: 0)
        case (.backslash, UInt8(ascii: "\"")), (.backslash, UInt8(ascii: "\\")), (.backslash, UInt8(ascii: "/")),
            (.backslash, UInt8(ascii: "b")), (.backslash, UInt8(ascii: "f")), (.backslash, UInt8(ascii: "n")),
            (.backslash, UInt8(ascii: "r")), (.backslash, UInt8(ascii: "t")):
            .text
        case (.unicode(let value, let count), _):
            byte.hexDigitValue.map { count == 3 ? .text : .unicode(value << 4 | UInt16($0), count: count + 1) }
        default: nil
        }
    }

    /// Whether this part is an escape that ends with this byte as the first half of a surrogate pair.
    func isHighSurrogate(with byte: UInt8) -> Bool {
        guard case .unicode(let value, count: 3) = self, let digit = byte.hexDigitValue else { return false }
        return (0xD800..<0xDC00).contains(value << 4 | UInt16(digit))
    }
}

extension UInt8 {
    /// Whether a byte is a character of a string in JSON by itself: neither its end, nor an escape, nor a control.
    fileprivate var isPlainInString: Bool {
        (0x20..<0x80).contains(self) && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\")
    }
}
