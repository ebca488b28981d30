import StartSmallCore
import StartSmallSupport

extension Redaction {
    /// Returns the first name of a secret that has a value in a text of any syntax, and the index of that value.
    ///
    /// A value is behind `=`, `:` or the name of an element. In a payload, a name in quotes or behind `=` has a value
    /// too, as in `<input type="password" value="x">`. A name is also found where escapes of JavaScript spell it.
    func revealed(
        in written: [UInt8],
        isPayload: Bool,
        besides names: Set<String> = []
    ) -> (name: String, index: Int)? {
        let (text, indices) = Self.unescaped(written)
        lazy var isOfOAuth = JSONParts.isOfOAuth(text)
        var index = 0
        while index < text.count {
            let isElement = index > 0 && text[index - 1] == UInt8(ascii: "<")
            let name = text[index...].prefix { Self.isOfName($0) || isElement && $0 == UInt8(ascii: ":") }
            index = max(name.endIndex, index + 1)
            let sensitivity = sensitivity(of: URIEncoding.decoded(name))
            if sensitivity == .shown { continue }
            let isSecret = { (value: ArraySlice<UInt8>) in
                sensitivity.hides(value.prefix(Self.longestWord).prefix { !Self.endsWord($0) }) || isOfOAuth
            }
            let isValued = isElement && sensitivity == .hidden
            let value = Self.value(behind: name, in: text, isPayload: isPayload, isElement: isValued)
            let isNaming = isPayload && sensitivity == .hidden && Self.isValue(name, in: text)
            guard value.map(isSecret) == true || isNaming else { continue }
            let shown = String(decoding: name, as: UTF8.self)
            if !names.isEmpty, names.contains(shown.lowercased()) { continue }
            return (shown, indices[value?.startIndex ?? name.startIndex])
        }
        return nil
    }

    /// The number of bytes of a word that tell whether it is a secret; a longer word is one.
    private static let longestWord = 256

    private static func endsWord(_ byte: UInt8) -> Bool { isLayout(byte) || ",;&)]}".utf8.contains(byte) }

    /// Returns whether a name is in quotes, or behind `=` in a tag, so that the value may be anywhere around it.
    private static func isValue(_ name: ArraySlice<UInt8>, in text: [UInt8]) -> Bool {
        guard let before = text[..<name.startIndex].last, let next = text[name.endIndex...].first else { return false }
        return isQuote(before)
            ? isQuote(next) : before == UInt8(ascii: "=") && (isLayout(next) || "/>".utf8.contains(next))
    }

    /// Returns what begins with the value of a name; nil if there is no value, or if it is replaced already.
    private static func value(
        behind name: ArraySlice<UInt8>,
        in text: [UInt8],
        isPayload: Bool,
        isElement: Bool
    ) -> ArraySlice<UInt8>? {
        var value = text[name.endIndex...].drop(while: isLayout)
        switch value.popFirst() {
        case UInt8(ascii: "="):
            // An empty value of a line, unless the next line is indented.
            let gap = value.prefix(while: isLayout)
            if !gap.contains(where: isQuote), gap.last.map("\n\r".utf8.contains) == true { return nil }
        case UInt8(ascii: ":"):
            let next = value.first { $0 > UInt8(ascii: " ") } ?? 0
            let isJSON = isQuote(next) || isValue(name, in: text) && (next.isASCIIDigit || "{[-".utf8.contains(next))
            guard isPayload || isJSON else { return nil }
        default: guard isElement, !isEmptyElement(text[name.endIndex...]) else { return nil }
        }
        value = value.drop { isLayout($0) || $0 == UInt8(ascii: ">") }
        let placeholder = CassetteRedaction.placeholder.utf8
        let rest = value.dropFirst(placeholder.count)
        // A value in a script goes on behind an escaped slash.
        let isReplaced =
            value.starts(with: placeholder) && rest.first.map(isOfName) != true && !rest.starts(with: #"\/"#.utf8)
        return value.isEmpty || isReplaced ? nil : value
    }

    /// Returns whether the element of a tag is empty, by `/>` or by its end tag.
    private static func isEmptyElement(_ text: ArraySlice<UInt8>) -> Bool {
        let end = text.drop(while: isLayout)
        return end.starts(with: "/>".utf8)
            || end.first == UInt8(ascii: ">") && end.dropFirst().drop(while: isLayout).starts(with: "</".utf8)
    }

    /// Returns a text with the escapes of JSON and JavaScript for visible ASCII decoded, and the index of each byte.
    private static func unescaped(_ text: [UInt8]) -> (text: [UInt8], indices: [Int]) {
        guard text.contains(UInt8(ascii: "\\")) else { return (text, Array(text.indices)) }
        var (bytes, indices): ([UInt8], [Int]) = ([], [])
        for (index, byte) in text.enumerated() {
            bytes.append(byte)
            indices.append(index)
            for (mark, count) in [("\\x", 4), ("\\u", 6)] where bytes.suffix(count).starts(with: mark.utf8) {
                let digits = String(decoding: bytes.suffix(count - 2), as: UTF8.self)
                guard let code = UInt8(digits, radix: 16), (0x20...0x7E).contains(code) else { continue }
                bytes.replaceSubrange((bytes.count - count)..., with: CollectionOfOne(code))
                indices.removeLast(count - 1)
            }
        }
        return (bytes, indices)
    }

    /// Returns whether a byte can be in a name; a `%` may begin an escape of one.
    private static func isOfName(_ byte: UInt8) -> Bool {
        URIEncoding.isUnreserved(byte) || byte >= 0x80 || byte == URIEncoding.percent || "[]$".utf8.contains(byte)
    }

    private static func isQuote(_ byte: UInt8) -> Bool { #""'`\"#.utf8.contains(byte) }

    /// Returns whether a byte can be between a name, a sign and a value.
    private static func isLayout(_ byte: UInt8) -> Bool { byte <= UInt8(ascii: " ") || isQuote(byte) }
}
