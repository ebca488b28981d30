/// A reader of JSON (RFC 8259) that works byte by byte, and finds the position at which a text stops being JSON.
///
/// A text has as many words at most as bytes, and each step reads a byte, in place of recursion, so that no depth ends
/// the process. A zero follows the text; as zeros are no JSON, the scanner stops there.
struct JSONScanner {
    /// The memory of the text, and the lengths of the byte order mark before it and of the text.
    private(set) var memory: JSONTapeMemory
    let mark: Int
    let count: Int

    /// The position in the text: if the text is not JSON, that of the first unexpected byte.
    var index = 0

    private(set) var wordCount = 0

    /// The word of the innermost open container; negative if there is none.
    ///
    /// Until a container is closed, its word holds the number of its values so far, and the word of the container
    /// around it, plus one.
    private(set) var container = -1
    private var isObject = false

    /// The number of values of the innermost open container.
    private var values = 0
    private var depth = 0
    private(set) var deepest = 0
    var hasUnpairedSurrogate = false

    /// Whether the text stops being JSON inside of a string or a number.
    private(set) var failedInScalar = false

    /// Creates a scanner of a copy of a text, without the byte order mark.
    init(_ text: UnsafeRawBufferPointer, mark: Int) {
        // A page in place of JSON, as a gateway sends it, need not be copied.
        let end = text.first == UInt8(ascii: "<") ? 1 : text.count
        self.mark = mark
        count = end - mark
        memory = JSONTapeMemory(UnsafeRawBufferPointer(rebasing: text[mark..<end]))
    }

    var bytes: UnsafePointer<UInt8> { memory.bytes }
    var words: UnsafeMutablePointer<JSONWord> { memory.words }

    /// Reads the text, appends the word of a `null`, and returns whether the text is JSON.
    mutating func scan() -> Bool {
        defer { append(JSONWord(.null)) }
        repeat {
            guard value() else { return false }
        } while container >= 0
        skipSpace()
        return index == count
    }

    /// Reads a value, or the beginning of a container, and all that follows up to the next value.
    private mutating func value() -> Bool {
        skipSpace()
        switch bytes[index] {
        case UInt8(ascii: "\""):
            guard string() else { return failInScalar() }
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            guard number() else { return failInScalar() }
        case UInt8(ascii: "{"):
            open(.object)
            if bytes[index] != UInt8(ascii: "}") { return name() }
            close()
        case UInt8(ascii: "["):
            open(.array)
            if bytes[index] != UInt8(ascii: "]") { return true }
            close()
        case UInt8(ascii: "t"):
            guard word("true", .true) else { return false }
        case UInt8(ascii: "f"):
            guard word("false", .false) else { return false }
        case UInt8(ascii: "n"):
            guard word("null", .null) else { return false }
        default: return false
        }
        return afterValue()
    }

    /// Reads the marks after a value: up to the next value, or to the end of the outermost container.
    private mutating func afterValue() -> Bool {
        while container >= 0 {
            values += 1
            skipSpace()
            let byte = bytes[index]
            if byte == UInt8(ascii: ",") {
                index += 1
                guard isObject else { return true }
                skipSpace()
                return name()
            }
            guard byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { return false }
            close()
        }
        return true
    }

    private mutating func name() -> Bool {
        guard bytes[index] == UInt8(ascii: "\"") else { return false }
        guard string() else { return failInScalar() }
        skipSpace()
        guard bytes[index] == UInt8(ascii: ":") else { return false }
        index += 1
        return true
    }

    private mutating func failInScalar() -> Bool {
        failedInScalar = true
        return false
    }

    private mutating func open(_ kind: JSONWord.Kind) {
        if container >= 0 { words[container] = JSONWord(words[container].kind, values, words[container].second) }
        append(JSONWord(kind, 0, container + 1))
        container = wordCount - 1
        isObject = kind == .object
        values = 0
        depth += 1
        deepest = max(deepest, depth)
        index += 1
        skipSpace()
    }

    private mutating func close() {
        let word = words[container]
        words[container] = JSONWord(word.kind, values, wordCount)
        container = word.second - 1
        depth -= 1
        index += 1
        guard container >= 0 else { return }
        values = words[container].first
        isObject = words[container].kind == .object
    }

    @inline(__always)
    mutating func append(_ word: JSONWord) {
        if wordCount == memory.capacity { memory.grow() }
        words[wordCount] = word
        wordCount += 1
    }

    @inline(__always)
    private mutating func skipSpace() {
        // White space (RFC 8259 2): only these bytes are at most 0x20 in JSON outside of strings.
        while bytes[index] <= 0x20 {
            switch bytes[index] {
            case 0x20, 0x0A, 0x0D, 0x09: index += 1
            default: return
            }
        }
    }

    private mutating func word(_ text: StaticString, _ kind: JSONWord.Kind) -> Bool {
        for place in 0..<text.utf8CodeUnitCount {
            guard bytes[index] == text.utf8Start[place] else { return false }
            index += 1
        }
        append(JSONWord(kind))
        return true
    }

    /// Reads a number (RFC 8259 6).
    private mutating func number() -> Bool {
        let start = index
        if bytes[index] == UInt8(ascii: "-") { index += 1 }
        if bytes[index] == UInt8(ascii: "0") { index += 1 } else if !digits() { return false }
        var kind = JSONWord.Kind.integer
        if bytes[index] == UInt8(ascii: ".") {
            index += 1
            guard digits() else { return false }
            kind = .real
        }
        if bytes[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            if bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") { index += 1 }
            guard digits() else { return false }
            kind = .real
        }
        append(JSONWord(kind, start, index - start))
        return true
    }

    @inline(__always)
    private mutating func digits() -> Bool {
        let start = index
        while (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) { index += 1 }
        return index > start
    }
}

/// Errors, and whether `JSONDecoder` has them, too.
extension JSONScanner {
    var error: JSONSyntaxError { JSONSyntaxError(offset: index + mark, isCertain: isErrorCertain) }

    /// Whether each reader rejects the text, also one that reads strings and numbers only when they are decoded,
    /// accepts a comma before `]` and `}`, and detects other encodings.
    private var isErrorCertain: Bool {
        if index == count { return container >= 0 || !failedInScalar }
        if failedInScalar { return false }
        return switch bytes[index] {
        case 0, 0x80...0xFF: false
        case UInt8(ascii: "]"), UInt8(ascii: "}"): !isAfterComma
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            false
        default: true
        }
    }

    private var isAfterComma: Bool {
        var place = index - 1
        while place >= 0, bytes[place] <= 0x20 { place -= 1 }
        return place >= 0 && bytes[place] == UInt8(ascii: ",")
    }
}
