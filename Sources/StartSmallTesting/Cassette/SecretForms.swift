import Foundation
import StartSmall

extension String {
    /// The same with all that is secret replaced, as it is and as it stands in a URL, in JSON, and in a URL in JSON,
    /// whichever characters are escaped there, and how.
    func without(_ secrets: Set<String>) -> String {
        if secrets.isEmpty { return self }
        let found = WrittenText.forms(of: self).flatMap { $0.places(of: secrets) }
        return found.isEmpty ? self : String(decoding: Array(utf8).replacing(found), as: UTF8.self)
    }
}

extension [UInt8] {
    /// The same with one placeholder for each group of ranges of bytes that overlap.
    func replacing(_ ranges: [Range<Int>]) -> [UInt8] {
        var (shown, end) = ([UInt8](), 0)
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if range.lowerBound >= end { shown += self[end..<range.lowerBound] + Redaction.placeholder.utf8 }
            end = Swift.max(end, range.upperBound)
        }
        return shown + self[end...]
    }
}

/// A text as it is meant, which knows where it was written.
struct WrittenText {
    private(set) var bytes: [UInt8]

    /// Where each byte begins in what was written, and the end of it all.
    private var places: [Int]

    init(_ text: String) {
        bytes = Array(text.utf8)
        places = Array(0...bytes.count)
    }

    /// A text in all forms in which a secret may be written in it: as it is, in a URL, in JSON, and in a URL in JSON.
    static func forms(of text: String) -> [WrittenText] {
        let written = WrittenText(text)
        let json = written.unescaped
        let urls = [written, json].flatMap { [$0?.decoded(marks: "%"), $0?.decoded(marks: "%+")] }
        return ([written, json, json?.unescaped] + urls).compactMap(\.self)
    }

    /// Where these are written.
    func places(of secrets: Set<String>) -> [Range<Int>] {
        let data = Data(bytes)
        return secrets.flatMap { data.places(of: Data($0.utf8)) }.map { places[$0.lowerBound]..<places[$0.upperBound] }
    }

    /// The same with `%2F`, and `+` if it is a mark, as what they stand for in a URL or form; nil if there are none.
    func decoded(marks: String) -> WrittenText? {
        reading(Array(marks.utf8)) { rest in
            if rest.first == UInt8(ascii: "+") { return ([UInt8(ascii: " ")], 1) }
            let byte = Self.number(rest.dropFirst().prefix(2), count: 2)
            return byte.map { ([UInt8(truncatingIfNeeded: $0)], 3) }
        }
    }

    /// The same with `\n`, `\u00e4` and their like as what they stand for in JSON (RFC 8259 7); nil if there are none.
    var unescaped: WrittenText? {
        reading([UInt8(ascii: "\\")]) { rest in
            guard let letter = rest.dropFirst().first else { return nil }
            if letter != UInt8(ascii: "u") { return Self.escapes[letter].map { ([$0], 2) } }
            guard let first = Self.number(rest.dropFirst(2).prefix(4), count: 4) else { return nil }
            if let scalar = Unicode.Scalar(first) { return (Array(String(scalar).utf8), 6) }
            let more = rest.dropFirst(6)
            guard more.starts(with: Array("\\u".utf8)),
                let second = Self.number(more.dropFirst(2).prefix(4), count: 4),
                (0xD800..<0xDC00).contains(first), (0xDC00..<0xE000).contains(second),
                let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
            else { return nil }
            return (Array(String(scalar).utf8), 12)
        }
    }

    /// The same with each escape as what it stands for; nil if there are none.
    ///
    /// - Parameter read: what the escape with which the rest begins stands for, and how many bytes it has.
    private func reading(
        _ marks: [UInt8],
        _ read: (ArraySlice<UInt8>) -> (meant: [UInt8], count: Int)?
    ) -> WrittenText? {
        if !bytes.contains(where: marks.contains) { return nil }
        var text = WrittenText("")
        text.places = []
        var index = 0
        while index < bytes.count {
            if marks.contains(bytes[index]), let (meant, count) = read(bytes[index...]) {
                text.bytes += meant
                text.places += meant.map { _ in places[index] }
                index += count
            } else {
                text.bytes.append(bytes[index])
                text.places.append(places[index])
                index += 1
            }
        }
        text.places.append(places[bytes.count])
        return text
    }

    private static func number(_ digits: ArraySlice<UInt8>, count: Int) -> UInt32? {
        guard digits.count == count, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    private static let escapes: [UInt8: UInt8] = Dictionary(
        uniqueKeysWithValues: zip("\"\\/bfnrt".utf8, "\"\\/\u{8}\u{C}\n\r\t".utf8)
    )
}
