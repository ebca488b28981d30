import StartSmallCore
import StartSmallDiagnostics
import StartSmallSupport

extension Redaction {
    /// Returns the first sensitive name that has a value in a text of any syntax, and the index of that value.
    ///
    /// A name is also found where escapes of JavaScript spell it.
    func revealed(
        in written: [UInt8],
        isPayload: Bool,
        besides names: Set<String> = []
    ) -> (name: String, index: Int)? {
        let (text, indices) = Self.unescaped(written)
        var (index, tag) = (0, Tag(behind: 0, in: []))
        lazy var isOfOAuth = JSONParts.isOfOAuth(text)
        // A field of HTML has no end tag.
        lazy var isHTML = !text.map(\.asciiLowercased)[...].holds("</input")
        let found = { (name: ArraySlice<UInt8>, index: Int?) -> (String, Int)? in
            guard let index else { return nil }
            let name = String(decoding: name, as: UTF8.self)
            return names.isEmpty || !names.contains(name.lowercased()) ? (name, indices?[index] ?? index) : nil
        }
        while index < text.count {
            if text[index] == UInt8(ascii: "<") {
                tag = isPayload ? Tag(behind: index + 1, in: text) : tag
                tag.isField = tag.isField && isHTML
                let name = text[(index + 1)...].prefix { Self.isOfName($0) || $0 == UInt8(ascii: ":") }
                if sensitivity(of: name) == .hidden, !Self.isEmptyElement(text[name.endIndex...]),
                    let found = found(name, Self.value(behind: name.endIndex, in: text))
                {
                    return found
                }
            }
            let name = text[index...].prefix(while: Self.isOfName)
            let value = hiddenValue(of: name, in: text, isPayload: isPayload, tag: tag, isOfOAuth: isOfOAuth)
            if let found = found(name, value) { return found }
            index = max(name.endIndex, index + 1)
        }
        return nil
    }

    /// Returns the start of the value of a name in a text; nil if there is no value, or if it is shown.
    private func hiddenValue(
        of name: ArraySlice<UInt8>,
        in text: [UInt8],
        isPayload: Bool,
        tag: Tag,
        isOfOAuth: @autoclosure () -> Bool
    ) -> Int? {
        let sensitivity = sensitivity(of: URIEncoding.decoded(name))
        guard sensitivity != .shown else { return nil }
        let isOpened = name.startIndex > 0 && Self.isQuote(text[name.startIndex - 1])
        let isQuoted = isOpened && name.endIndex < text.count && Self.isQuote(text[name.endIndex])
        let behind = text[name.endIndex...].drop(while: Self.isLayout)
        let next = behind.dropFirst().first { $0 > UInt8(ascii: " ") } ?? 0
        let isBeforeValue = Self.isQuote(next) || isQuoted && (next.isASCIIDigit || "{[-".utf8.contains(next))
        let hasSign =
            behind.first == UInt8(ascii: "=") || behind.first == UInt8(ascii: ":") && (isPayload || isBeforeValue)
        let isNaming = isPayload && sensitivity == .hidden && !hasSign
        if isNaming, name.endIndex <= tag.end, isQuoted || text[name.startIndex - 1] == UInt8(ascii: "=") {
            if let value = tag.value { return value }
            if tag.isField || Self.isStyle(text[..<name.startIndex]) { return nil }
        }
        guard hasSign || isNaming && isQuoted,
            let start = Self.value(behind: behind.startIndex + (hasSign ? 1 : 0), in: text)
        else { return nil }
        let value = text[start...].prefix(Self.longestWord).prefix { !Self.isLayout($0) && !",;&)]}".utf8.contains($0) }
        return sensitivity.hides(value) || isOfOAuth() ? start : nil
    }

    /// The number of bytes of a word that tell whether it is a secret; a longer word is one.
    private static let longestWord = 256

    /// Returns the start of the value behind a name and sign; nil if there is none, or if it is replaced already.
    private static func value(behind end: Int, in text: [UInt8]) -> Int? {
        let value = text[end...].drop { isLayout($0) || $0 == UInt8(ascii: ">") }
        if isEmptyValue(text[end..<value.startIndex], behind: text[end - 1], before: value.first) { return nil }
        if let first = value.first, first != UInt8(ascii: "<") || !value.starts(with: placeholder.utf8) {
            return value.startIndex
        }
        let behind = value.dropFirst(placeholder.utf8.count)
        return behind.first.map { isOfName($0) } == true ? value.startIndex : nil
    }

    /// Returns whether what is between a sign and the next text is an empty value: `""`, or `=` at the end of a line.
    ///
    /// Text in quotes and indented text belong to the line before. Quotes within quotes are doubled in CSV.
    private static func isEmptyValue(_ gap: ArraySlice<UInt8>, behind sign: UInt8, before next: UInt8?) -> Bool {
        let open = gap.drop { !isQuote($0) }
        if open.isEmpty { return sign == UInt8(ascii: "=") && gap.last.map("\n\r".utf8.contains) == true }
        let quote = open.prefix((open.firstIndex { $0 != UInt8(ascii: "\\") } ?? open.endIndex) - open.startIndex + 1)
        let (closing, rest) = (open[quote.endIndex...].prefix(quote.count), open.dropFirst(2 * quote.count))
        guard closing.elementsEqual(quote), !rest.contains(where: isQuote), let next else { return false }
        return ",;&)]}/<".utf8.contains(next) || !rest.isEmpty && isOfName(next)
    }

    /// Returns whether the element of a tag is empty, by `/>` or by its end tag.
    ///
    /// The attributes `nil` (XML Schema 2.6.2) and `xmlns` have no values of the element.
    private static func isEmptyElement(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text.drop(while: isLayout)
        while true {
            let name = rest.prefix { isOfName($0) || $0 == UInt8(ascii: ":") }
            guard name.suffix(3).elementsEqual("nil".utf8) || name.starts(with: "xmlns".utf8) else { break }
            let value = rest[name.endIndex...].dropFirst(2)
            rest = value.drop { !isQuote($0) && $0 != UInt8(ascii: "<") }.dropFirst().drop(while: isLayout)
        }
        return rest.starts(with: "/>".utf8)
            || rest.first == UInt8(ascii: ">") && rest.dropFirst().drop(while: isLayout).starts(with: "</".utf8)
    }

    /// A tag, in which one attribute may name the value of another one, as in `<input type="password" value="x">`.
    private struct Tag {
        var (end, value, isField): (Int, Int?, Bool) = (0, nil, false)

        init(behind start: Int, in text: [UInt8]) {
            let tag = text[start...].prefix { $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") }.map(
                \.asciiLowercased
            )
            // A value may contain the end.
            let isWhole = "\"'".utf8.allSatisfy { quote in tag.count { $0 == quote }.isMultiple(of: 2) }
            end = isWhole ? start + tag.count : 0
            value = tag.indices.first { index in
                ["value", "content"].contains { name in
                    let end = index + name.utf8.count
                    return tag[index...].starts(with: name.utf8)
                        && (end == tag.count || tag[end] != UInt8(ascii: "=")
                            || Redaction.value(behind: end + 1, in: tag) != nil)
                }
            }.map { start + $0 }
            isField = tag.starts(with: "input".utf8)
        }
    }

    /// Returns whether a text ends where an attribute of HTML names a style, or the field of a label.
    private static func isStyle(_ text: ArraySlice<UInt8>) -> Bool {
        let attribute = text.dropLast().suffix(6).map(\.asciiLowercased)
        return attribute.elementsEqual("class=".utf8) || attribute.suffix(5).elementsEqual(" for=".utf8)
    }

    /// Returns a text with the escapes of JSON and JavaScript for visible ASCII decoded.
    ///
    /// - Returns: the text, and the index in the original of each of its bytes; nil if each has the same one.
    private static func unescaped(_ text: [UInt8]) -> (text: [UInt8], indices: [Int]?) {
        guard text.contains(UInt8(ascii: "\\")) else { return (text, nil) }
        var (bytes, indices): ([UInt8], [Int]) = ([], [])
        let escapes = [("x", 4), ("u", 6)]
        for (index, byte) in text.enumerated() {
            bytes.append(byte)
            indices.append(index)
            for (letter, count) in escapes
            where bytes.count >= count && bytes[bytes.count - count] == UInt8(ascii: "\\") {
                let escape = String(decoding: bytes.suffix(count), as: UTF8.self)
                guard escape.hasPrefix("\\\(letter)"), let code = UInt8(escape.dropFirst(2), radix: 16),
                    (0x20...0x7E).contains(code)
                else { continue }
                bytes.removeLast(count - 1)
                indices.removeLast(count - 1)
                bytes[bytes.count - 1] = code
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
