import Foundation

/// Finds where a text stops being JSON (RFC 8259): Foundation tells it on Apple's platforms alone.
struct JSONSyntax {
    private enum Expected {
        case value, valueOrEnd, name, nameOrEnd, commaOrEnd
    }

    private let bytes: [UInt8]
    private var index = 0

    /// What ends each object and array that is open: a list and no recursion, so that no depth ends the process.
    private var ends: [UInt8] = []
    private var expected = Expected.value

    private init(_ data: Data) {
        bytes = Array(data)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    /// How many bytes stand in front of the first one that can't stand there; all of them if the end comes too soon.
    ///
    /// Nil if it is JSON. The bytes of strings are not checked to be UTF-8.
    static func offsetOfError(in data: Data) -> Int? {
        var syntax = JSONSyntax(data)
        return syntax.offsetOfError()
    }

    private mutating func offsetOfError() -> Int? {
        while true {
            skipSpace()
            if expected == .commaOrEnd, ends.isEmpty { return index == bytes.count ? nil : index }
            guard index < bytes.count, step(over: bytes[index]) else { return index }
        }
    }

    private mutating func step(over byte: UInt8) -> Bool {
        switch (expected, byte) {
        case (.valueOrEnd, UInt8(ascii: "]")), (.nameOrEnd, UInt8(ascii: "}")), (.commaOrEnd, ends.last ?? 0):
            index += 1
            ends.removeLast()
            expected = .commaOrEnd
        case (.commaOrEnd, UInt8(ascii: ",")):
            index += 1
            expected = ends.last == UInt8(ascii: "]") ? .value : .name
        case (.name, UInt8(ascii: "\"")), (.nameOrEnd, UInt8(ascii: "\"")):
            guard string() else { return false }
            skipSpace()
            expected = .value
            return take(":")
        case (.value, UInt8(ascii: "{")), (.valueOrEnd, UInt8(ascii: "{")):
            index += 1
            ends.append(UInt8(ascii: "}"))
            expected = .nameOrEnd
        case (.value, UInt8(ascii: "[")), (.valueOrEnd, UInt8(ascii: "[")):
            index += 1
            ends.append(UInt8(ascii: "]"))
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
        case UInt8(ascii: "\""): string()
        case UInt8(ascii: "t"): "true".unicodeScalars.allSatisfy { take($0) }
        case UInt8(ascii: "f"): "false".unicodeScalars.allSatisfy { take($0) }
        case UInt8(ascii: "n"): "null".unicodeScalars.allSatisfy { take($0) }
        default: number()
        }
    }

    /// RFC 8259 6.
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

    /// RFC 8259 7.
    private mutating func string() -> Bool {
        index += 1
        while index < bytes.count, bytes[index] >= 0x20 {
            if take("\"") { return true }
            if !take("\\") {
                index += 1
            } else if take("u") {
                for _ in 0..<4 {
                    guard index < bytes.count, Character(Unicode.Scalar(bytes[index])).isHexDigit else { return false }
                    index += 1
                }
            } else {
                guard index < bytes.count, "\"\\/bfnrt".utf8.contains(bytes[index]) else { return false }
                index += 1
            }
        }
        return false
    }

    private mutating func skipSpace() {
        while index < bytes.count, " \t\n\r".utf8.contains(bytes[index]) { index += 1 }
    }

    private mutating func take(_ mark: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: mark) else { return false }
        index += 1
        return true
    }
}
