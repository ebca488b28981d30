import Foundation

/// A reader of JSON (RFC 8259) that works byte by byte, and finds the position at which a text stops being JSON.
///
/// Foundation reports the position only on Apple's platforms, and its decoder has to guess where no type is known,
/// which takes half a minute for a hostile megabyte. The time of this reader grows only with the length of the text.
struct JSONReader {
    /// The error of a text that is not JSON.
    struct Failure: Error {
        /// The number of bytes before the first invalid one; all of them if the text ends too soon.
        let offset: Int
    }

    private enum Expected {
        case value, valueOrEnd, name, nameOrEnd, commaOrEnd
    }

    /// The text up to the first byte that is not UTF-8.
    private let bytes: [UInt8]

    /// The length of the whole text in bytes, including those that are not UTF-8.
    private let length: Int
    private var index = 0

    /// The byte that closes each open object and array.
    ///
    /// A list is used in place of recursion, so that no depth ends the process.
    private var ends: [UInt8] = []
    private var expected = Expected.value
    private var tree = JSONTree()

    private init(_ data: Data) {
        let all = Array(data)
        bytes = String(validating: all, as: UTF8.self) == nil ? Array(Self.beginning(of: all)) : all
        length = all.count
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    /// Reads a text in UTF-8, with or without a byte order mark.
    static func read(_ data: Data) throws(Failure) -> JSONTree {
        var reader = JSONReader(data)
        return try reader.read()
    }

    /// Returns the offset at which a text stops being JSON; nil if the whole text is JSON.
    static func offsetOfError(in data: Data) -> Int? {
        do {
            _ = try read(data)
            return nil
        } catch {
            return error.offset
        }
    }

    /// Returns the bytes before the first one that is not valid UTF-8.
    private static func beginning(of bytes: [UInt8]) -> ArraySlice<UInt8> {
        let repaired = String(decoding: bytes, as: UTF8.self).utf8
        return bytes[..<(zip(bytes.indices, repaired).first { bytes[$0] != $1 }?.0 ?? bytes.count)]
    }

    private mutating func read() throws(Failure) -> JSONTree {
        while true {
            skipSpace()
            if expected == .commaOrEnd, ends.isEmpty {
                guard index == length else { throw Failure(offset: index) }
                return tree
            }
            guard index < bytes.count, step(over: bytes[index]) else { throw Failure(offset: index) }
        }
    }

    private mutating func step(over byte: UInt8) -> Bool {
        switch (expected, byte) {
        case (.valueOrEnd, UInt8(ascii: "]")), (.nameOrEnd, UInt8(ascii: "}")), (.commaOrEnd, ends.last ?? 0):
            index += 1
            ends.removeLast()
            tree.close()
            expected = .commaOrEnd
        case (.commaOrEnd, UInt8(ascii: ",")):
            index += 1
            expected = ends.last == UInt8(ascii: "]") ? .value : .name
        case (.name, UInt8(ascii: "\"")), (.nameOrEnd, UInt8(ascii: "\"")):
            guard let written = string() else { return false }
            tree.name(meaning(of: written))
            skipSpace()
            expected = .value
            return take(":")
        case (.value, UInt8(ascii: "{")), (.valueOrEnd, UInt8(ascii: "{")):
            index += 1
            ends.append(UInt8(ascii: "}"))
            tree.open(isObject: true)
            expected = .nameOrEnd
        case (.value, UInt8(ascii: "[")), (.valueOrEnd, UInt8(ascii: "[")):
            index += 1
            ends.append(UInt8(ascii: "]"))
            tree.open(isObject: false)
            expected = .valueOrEnd
        case (.value, _), (.valueOrEnd, _):
            expected = .commaOrEnd
            return scalar(byte)
        default: return false
        }
        return true
    }

    private mutating func scalar(_ first: UInt8) -> Bool {
        switch first {
        case UInt8(ascii: "\""):
            guard let written = string() else { return false }
            tree.add(meaning(of: written).map { .string($0) })
            return true
        case UInt8(ascii: "t"): return take(word: "true", as: .bool(true))
        case UInt8(ascii: "f"): return take(word: "false", as: .bool(false))
        case UInt8(ascii: "n"): return take(word: "null", as: .null)
        default:
            let start = index
            guard number() else { return false }
            tree.add(JSONValue(number: String(decoding: bytes[start..<index], as: UTF8.self)))
            return true
        }
    }

    /// Reads a number (RFC 8259 6).
    private mutating func number() -> Bool {
        _ = take("-")
        guard take("0") || digits() else { return false }
        if take("."), !digits() { return false }
        guard take("e") || take("E") else { return true }
        _ = take("+") || take("-")
        return digits()
    }

    private mutating func digits() -> Bool {
        let start = index
        while index < bytes.count, bytes[index].isASCIIDigit { index += 1 }
        return index > start
    }

    /// Reads a string, and returns the bytes between its quotes (RFC 8259 7).
    private mutating func string() -> ArraySlice<UInt8>? {
        index += 1
        let start = index
        while index < bytes.count, bytes[index] >= 0x20 {
            if take("\"") { return bytes[start..<(index - 1)] }
            if !take("\\") {
                index += 1
            } else if take("u") {
                for _ in 0..<4 {
                    guard index < bytes.count, bytes[index].hexDigitValue != nil else { return nil }
                    index += 1
                }
            } else {
                guard index < bytes.count, "\"\\/bfnrt".utf8.contains(bytes[index]) else { return nil }
                index += 1
            }
        }
        return nil
    }

    /// Returns the decoded string; nil if it contains half of a UTF-16 surrogate pair (RFC 8259 8.2).
    private func meaning(of written: ArraySlice<UInt8>) -> String? {
        JSONString.meaning(of: written, isCut: false).map { String(decoding: $0, as: UTF8.self) }
    }

    private mutating func skipSpace() {
        while index < bytes.count, bytes[index].isJSONSpace { index += 1 }
    }

    private mutating func take(_ mark: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: mark) else { return false }
        index += 1
        return true
    }

    private mutating func take(word: String, as value: JSONValue) -> Bool {
        guard word.unicodeScalars.allSatisfy({ take($0) }) else { return false }
        tree.add(value)
        return true
    }
}

extension UInt8 {
    /// Whether the byte is white space (RFC 8259 2).
    fileprivate var isJSONSpace: Bool {
        switch self {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
        default: false
        }
    }
}
