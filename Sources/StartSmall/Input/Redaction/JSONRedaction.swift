extension Redaction {
    /// A text of JSON with the values of all secret names replaced, whatever they are, and all else as it was.
    ///
    /// It may be cut off, be several values in a row, or no JSON at all. Texts in it are looked into for URLs, and for
    /// JSON once more.
    func hiding(json text: String, folding: Bool = false) -> String {
        JSONHiding(self, text, folding: folding, unfolding: true).result()
    }
}

/// One pass over a text of JSON, which stops at nothing.
private struct JSONHiding {
    private let redaction: Redaction
    private let folding: Bool
    private let unfolding: Bool
    private var rest: ArraySlice<UInt8>
    private var shown: [UInt8] = []

    /// - Parameters:
    ///   - folding: whether white space between values becomes one space.
    ///   - unfolding: whether texts are looked into for JSON.
    init(_ redaction: Redaction, _ text: String, folding: Bool, unfolding: Bool) {
        (self.redaction, self.folding, self.unfolding) = (redaction, folding, unfolding)
        rest = Array(text.utf8)[...]
    }

    consuming func result() -> String {
        while let byte = rest.first {
            switch byte {
            case UInt8(ascii: "\""): passString()
            case let byte where Self.isSpace(byte): passSpace()
            default: pass(1)
            }
        }
        return String(decoding: shown, as: UTF8.self)
    }

    private mutating func pass(_ count: Int) {
        shown += rest.prefix(count)
        rest = rest.dropFirst(count)
    }

    private mutating func passSpace() {
        let space = rest.prefix(while: Self.isSpace)
        rest = rest.dropFirst(space.count)
        shown += folding ? [UInt8(ascii: " ")] : Array(space)
    }

    /// A name, with its value if that is secret, or a text.
    private mutating func passString() {
        let string = Self.string(at: rest).bytes
        let space = rest[string.endIndex...].prefix(while: Self.isSpace)
        guard rest[space.endIndex...].first == UInt8(ascii: ":") else {
            rest = rest[string.endIndex...]
            shown += shownText(string)
            return
        }
        let isHidden = redaction.hides(Self.text(of: string))
        pass(string.count + space.count + 1)
        guard isHidden else { return }
        if let first = rest.first, Self.isSpace(first) { passSpace() }
        let value = Self.value(at: rest)
        if !value.isEmpty { shown += Array("\"\(Redaction.placeholder)\"".utf8) }
        rest = rest[value.endIndex...]
    }

    /// A text as it was, unless something in it is secret.
    private func shownText(_ string: ArraySlice<UInt8>) -> [UInt8] {
        let text = Self.text(of: string)
        let isJSON = unfolding && "{[".utf8.contains(text.utf8.first ?? 0) && text.utf8.contains(UInt8(ascii: "\""))
        let hidden =
            isJSON
            ? JSONHiding(redaction, text, folding: false, unfolding: false).result() : redaction.hiding(text: text)
        return hidden.utf8.elementsEqual(text.utf8) ? Array(string) : JSONString.written(hidden)
    }

    /// What a string stands for, closed where it was cut off; what it is written as if that is no JSON.
    private static func text(of string: ArraySlice<UInt8>) -> String {
        let isClosed = Self.string(at: string).isClosed
        let content = string.dropFirst().dropLast(isClosed ? 1 : 0)
        return JSONString.text(of: content, isCut: !isClosed) ?? String(decoding: content, as: UTF8.self)
    }

    /// The string that begins here, with its quotes, up to the end if it has none.
    private static func string(at bytes: ArraySlice<UInt8>) -> (bytes: ArraySlice<UInt8>, isClosed: Bool) {
        var index = bytes.startIndex + 1
        while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: "\""): return (bytes[...index], true)
            case UInt8(ascii: "\\"): index += 2
            default: index += 1
            }
        }
        return (bytes, false)
    }

    /// The value that begins here, however deep it is, up to the end if it has none.
    private static func value(at bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var depth = 0
        var index = bytes.startIndex
        while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index = string(at: bytes[index...]).bytes.endIndex
                if depth == 0 { return bytes[..<index] }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return bytes[..<index] }
                depth -= 1
                if depth == 0 { return bytes[...index] }
            case UInt8(ascii: ","), UInt8(ascii: "\n"):
                if depth == 0 { return bytes[..<index] }
            default: break
            }
            index += 1
        }
        return bytes
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
            || byte == UInt8(ascii: "\t")
    }
}
