import Foundation
import StartSmall

/// A text as it is meant, which knows where it was written.
struct WrittenText {
    private(set) var bytes: [UInt8]

    /// With how many bytes each of these was written: a character's last byte has those of its escape, and the others none.
    ///
    /// The most are 72, of two halves of a character with each of their digits and letters escaped itself. There are none
    /// where nobody asks for places.
    private var widths: [UInt8]

    private init(_ bytes: [UInt8], hasPlaces: Bool) {
        self.bytes = bytes
        widths = hasPlaces ? Array(repeating: 1, count: bytes.count) : []
    }

    /// A text in all forms in which a secret may be written in it: as it is, in a URL, in JSON, and in a URL in JSON.
    ///
    /// - Parameters:
    ///   - text: in UTF-8, or in bytes that are as in UTF-8 where they are ASCII.
    ///   - hasPlaces: whether places in the forms are asked for, which costs more.
    static func forms(of text: [UInt8], hasPlaces: Bool = true) -> [WrittenText] {
        let written = WrittenText(text, hasPlaces: hasPlaces)
        let json = written.unescaped
        let urls = [written, json].flatMap { [$0?.decoded, $0?.decodedForm] }
        return ([written, json, json?.unescaped] + urls).compactMap(\.self)
    }

    /// Where these are written.
    func places(of secrets: [(text: [UInt8], number: Int)]) -> [SecretPlace] {
        let data = Data(bytes)
        let present = secrets.filter { data.mayHold($0.text) }
        let found = present.flatMap { secret in bytes.places(of: secret.text).map { ($0, secret.number) } }
        if found.isEmpty { return [] }
        // Where each byte begins in what was written, and the end of it all.
        var places = [0]
        places.reserveCapacity(widths.count + 1)
        for width in widths { places.append(places[places.count - 1] + Int(width)) }
        return found.map { SecretPlace(range: places[$0.lowerBound]..<places[$0.upperBound], number: $1) }
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
        guard index + 2 < bytes.count, let byte = URIEncoding.byte(bytes[index + 1], bytes[index + 2]) else {
            return nil
        }
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
        var text = WrittenText([], hasPlaces: false)
        // All between two escapes is added at once.
        var (start, index) = (0, 0)
        while index < bytes.count {
            guard isMark(bytes[index]), let (meant, count) = meaning(index) else {
                index += 1
                continue
            }
            if start == 0 { text.bytes.reserveCapacity(bytes.count) }
            text.bytes += bytes[start..<index]
            text.bytes += meant
            if !widths.isEmpty {
                text.widths += widths[start..<index]
                text.widths += repeatElement(0, count: meant.count - 1)
                text.widths.append(widths[index..<(index + count)].reduce(0, +))
            }
            index += count
            start = index
        }
        if start == 0 { return nil }
        text.bytes += bytes[start...]
        if !widths.isEmpty { text.widths += widths[start...] }
        return text
    }
}
