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
            if range.lowerBound >= end {
                shown += self[end..<range.lowerBound]
                shown += Redaction.placeholder.utf8
            }
            end = Swift.max(end, range.upperBound)
        }
        return shown + self[end...]
    }
}

/// A text as it is meant, which knows where it was written.
struct WrittenText {
    private(set) var bytes: [UInt8]

    /// With how many bytes each of these was written: a character's last byte has those of its escape, and the others none.
    ///
    /// The most are 72, of two halves of a character with each of their digits and letters escaped itself.
    private var widths: [UInt8]

    init(_ text: String) {
        bytes = Array(text.utf8)
        widths = Array(repeating: 1, count: bytes.count)
    }

    /// A text in all forms in which a secret may be written in it: as it is, in a URL, in JSON, and in a URL in JSON.
    static func forms(of text: String) -> [WrittenText] {
        let written = WrittenText(text)
        let json = written.unescaped
        let urls = [written, json].flatMap { [$0?.decoded, $0?.decodedForm] }
        return ([written, json, json?.unescaped] + urls).compactMap(\.self)
    }

    /// Where these are written.
    func places(of secrets: Set<String>) -> [Range<Int>] {
        let data = Data(bytes)
        let found = secrets.map { Array($0.utf8) }.filter(data.mayHold).flatMap { bytes.places(of: $0) }
        if found.isEmpty { return [] }
        // Where each byte begins in what was written, and the end of it all.
        var places = [0]
        places.reserveCapacity(widths.count + 1)
        for width in widths { places.append(places[places.count - 1] + Int(width)) }
        return found.map { places[$0.lowerBound]..<places[$0.upperBound] }
    }

    /// The same with `%2F` as what it stands for in a URL; nil if there is none.
    private var decoded: WrittenText? {
        reading({ $0 == UInt8(ascii: "%") }, meaning: triplet)
    }

    /// The same with `+` too, as in a form; nil if there is none.
    private var decodedForm: WrittenText? {
        guard bytes.contains(UInt8(ascii: "+")) else { return nil }
        return reading({ $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }, meaning: tripletOrPlus)
    }

    /// The same with `\n`, `\u00e4` and their like as what they stand for in JSON (RFC 8259 7); nil if there are none.
    private var unescaped: WrittenText? {
        reading({ $0 == UInt8(ascii: "\\") }, meaning: escape)
    }

    private func triplet(at index: Int) -> (CollectionOfOne<UInt8>, Int)? {
        guard index + 2 < bytes.count, let byte = RFC3986.byte(bytes[index + 1], bytes[index + 2]) else { return nil }
        return (CollectionOfOne(byte), 3)
    }

    private func tripletOrPlus(at index: Int) -> (CollectionOfOne<UInt8>, Int)? {
        bytes[index] == UInt8(ascii: "+") ? (CollectionOfOne(UInt8(ascii: " ")), 1) : triplet(at: index)
    }

    private func escape(at index: Int) -> (Unicode.Scalar.UTF8View, Int)? {
        guard index + 1 < bytes.count else { return nil }
        if let meant = JSONString.meaning(ofLetter: bytes[index + 1]) { return (Unicode.Scalar(meant).utf8, 2) }
        var end = index + 2
        guard bytes[index + 1] == UInt8(ascii: "u"), let scalar = JSONString.scalar(in: bytes[...], at: &end) else {
            return nil
        }
        return (scalar.utf8, end - index)
    }

    /// The same with each escape as what it stands for; nil if there are none.
    ///
    /// - Parameter meaning: what the escape at a place stands for, and how many bytes it has; nil if it is none.
    private func reading<Meant: Collection<UInt8>>(
        _ isMark: (UInt8) -> Bool,
        meaning: (Int) -> (Meant, Int)?
    ) -> WrittenText? {
        guard let first = bytes.indices.first(where: { isMark(bytes[$0]) && meaning($0) != nil }) else { return nil }
        var text = WrittenText("")
        text.bytes.reserveCapacity(bytes.count)
        text.widths.reserveCapacity(bytes.count)
        text.bytes += bytes[..<first]
        text.widths += widths[..<first]
        var index = first
        while index < bytes.count {
            if isMark(bytes[index]), let (meant, count) = meaning(index) {
                for byte in meant { text.add(byte, width: 0) }
                text.widths[text.widths.count - 1] = widths[index..<(index + count)].reduce(0, +)
                index += count
            } else {
                text.add(bytes[index], width: widths[index])
                index += 1
            }
        }
        return text
    }

    private mutating func add(_ byte: UInt8, width: UInt8) {
        bytes.append(byte)
        widths.append(width)
    }
}
