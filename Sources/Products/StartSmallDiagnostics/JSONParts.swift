package import StartSmallCore
import StartSmallSupport

/// A reader of the names and values of JSON (RFC 8259), with the sensitivity of each.
///
/// The JSON may be several values in a row, and may be cut off. The reader uses no recursion, so that deep nesting does
/// no harm.
package struct JSONParts {
    /// A name, or a value that is no array and no object.
    package struct Part {
        package enum Kind { case name, string, number, word }

        package let kind: Kind

        /// The place of the part, without quotation marks.
        package let range: Range<Int>

        /// The text of a name or string, and a number or word as it is written.
        package let text: ArraySlice<UInt8>

        /// Whether the JSON ends within the part.
        package let isOpen: Bool

        /// The sensitivity of a value by its name and by the names around it; of a name, by the names around it.
        package let sensitivity: NameSensitivity
    }

    private enum Expected { case value, valueOrEnd, name, nameOrEnd, colon, commaOrEnd }

    private static let quote = UInt8(ascii: "\"")

    private let bytes: [UInt8]
    private let redaction: Redaction
    private var index = 0
    private var open: [(isObject: Bool, sensitivity: NameSensitivity)] = []
    private var expected = Expected.value
    private var isWithinString = false
    private var sensitivity = NameSensitivity.shown

    /// Whether the text that was read so far is not JSON.
    package private(set) var isInvalid = false

    /// Whether all values that were read are complete.
    package var isComplete: Bool {
        !isInvalid && open.isEmpty && expected == .value && !isWithinString
    }

    private let isOfOAuth: Bool

    /// Creates a reader of a text in UTF-8.
    package init(_ bytes: [UInt8], _ redaction: Redaction) {
        (self.bytes, self.redaction) = (bytes, redaction)
        isOfOAuth = !redaction.hidesNothing && Self.isOfOAuth(bytes)
        // A byte order mark.
        if bytes.starts(with: "\u{FEFF}".utf8) { index = 3 }
    }

    /// Reads the next name or value; returns nil at the end, and at the first byte that is not JSON.
    package mutating func next() -> Part? {
        while index < bytes.count, !isInvalid {
            let byte = bytes[index]
            // RFC 7464 puts a record separator between values.
            if " \t\r\n\u{1E}".utf8.contains(byte) {
                index += 1
            } else if let part = part(byte) {
                return part
            }
        }
        return nil
    }

    private mutating func part(_ byte: UInt8) -> Part? {
        let isValue = expected == .value || expected == .valueOrEnd
        let isName = expected == .name || expected == .nameOrEnd
        switch byte {
        case UInt8(ascii: "{") where isValue:
            open.append((true, sensitivity))
            expected = .nameOrEnd
        case UInt8(ascii: "[") where isValue:
            open.append((false, sensitivity))
            expected = .valueOrEnd
        case UInt8(ascii: "}") where expected == .nameOrEnd || expected == .commaOrEnd && open.last?.isObject == true,
            UInt8(ascii: "]") where expected == .valueOrEnd || expected == .commaOrEnd && open.last?.isObject == false:
            open.removeLast()
            endValue()
        case UInt8(ascii: ",") where expected == .commaOrEnd:
            expected = open.last?.isObject == true ? .name : .value
        case UInt8(ascii: ":") where expected == .colon: expected = .value
        case Self.quote where isValue || isName: return string(isName: isName)
        default:
            if isValue { return scalar() }
            isInvalid = true
            return nil
        }
        index += 1
        return nil
    }

    private mutating func endValue() {
        sensitivity = open.last?.sensitivity ?? .shown
        expected = open.isEmpty ? .value : .commaOrEnd
    }

    private mutating func string(isName: Bool) -> Part? {
        let start = index + 1
        var end = start
        while end < bytes.count, bytes[end] != Self.quote, bytes[end] >= 0x20 {
            end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        end = min(end, bytes.count)
        isWithinString = end == bytes.count
        guard isWithinString || bytes[end] == Self.quote,
            let text = JSONString.meaning(of: bytes[start..<end], isCut: isWithinString)
        else {
            isInvalid = true
            return nil
        }
        index = min(end + 1, bytes.count)
        let outer = isName ? open.last?.sensitivity ?? .shown : sensitivity
        if isName {
            let own = redaction.sensitivity(of: text)
            sensitivity = max(outer, own == .ordinary && isOfOAuth ? .hidden : own)
            expected = .colon
        } else {
            endValue()
        }
        return Part(
            kind: isName ? .name : .string,
            range: start..<end,
            text: text,
            isOpen: isWithinString,
            sensitivity: outer
        )
    }

    private mutating func scalar() -> Part? {
        let text = bytes[index...].prefix { $0 > UInt8(ascii: " ") && !",:[]{}\"".utf8.contains($0) }
        let isOpen = text.endIndex == bytes.count
        let isNumber = text.contains(where: \.isASCIIDigit) || isOpen && text.elementsEqual("-".utf8)
        let isKnown =
            isNumber
            ? text.allSatisfy { $0.isASCIIDigit || "+-.eE".utf8.contains($0) }
            : ["true", "false", "null"].contains { text.elementsEqual($0.utf8) || isOpen && $0.utf8.starts(with: text) }
        guard isKnown, !text.isEmpty else {
            isInvalid = true
            return nil
        }
        let kind = isNumber ? Part.Kind.number : .word
        let part = Part(kind: kind, range: text.indices, text: text, isOpen: isOpen, sensitivity: sensitivity)
        index = text.endIndex
        endValue()
        return part
    }

    /// Returns whether a text may be a message of OAuth 2.0, in which `code` is a credential (RFC 6749 4.1.3).
    ///
    /// In other texts and JSON, `code` and `key` name errors, countries, settings and issues. One of these members is in
    /// each token request and device authorization request (RFC 6749 4.1.3, RFC 8628 3.1 and 3.4).
    package static func isOfOAuth(_ text: [UInt8]) -> Bool {
        ["grant_type", "grantType", "client_id", "clientId"].contains(where: text[...].holds)
    }
}
