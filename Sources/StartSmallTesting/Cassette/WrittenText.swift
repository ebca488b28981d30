import Foundation
import StartSmall

/// A decoded text with the positions of its bytes in the encoded text.
struct WrittenText {
    private(set) var bytes: [UInt8]

    /// The number of encoded bytes for each byte.
    ///
    /// The last byte of a character has those of its escape, and the others have 0. The maximum is 72, for a surrogate
    /// pair with each of its digits and letters escaped again. The list is empty if positions are not needed.
    private var widths: [UInt8]

    private init(_ bytes: [UInt8], hasPlaces: Bool) {
        self.bytes = bytes
        widths = hasPlaces ? Array(repeating: 1, count: bytes.count) : []
    }

    /// Returns a text in all forms in which it may contain a secret: plain, in a URL, in JSON, and in a URL in JSON.
    ///
    /// - Parameters:
    ///   - text: the text in UTF-8, or in bytes that are the same as in UTF-8 for ASCII characters.
    ///   - hasPlaces: whether the forms have positions, which takes longer.
    static func forms(of text: [UInt8], hasPlaces: Bool = true) -> [WrittenText] {
        let written = WrittenText(text, hasPlaces: hasPlaces)
        let json = written.unescaped
        let urls = [written, json].flatMap { [$0?.decoded, $0?.decodedForm] }
        return ([written, json, json?.unescaped] + urls).compactMap(\.self)
    }

    /// Returns the places of secrets in the encoded text.
    func places(of secrets: [(text: [UInt8], number: Int)]) -> [SecretPlace] {
        let data = Data(bytes)
        let present = secrets.filter { data.mayHold($0.text) }
        let found = present.flatMap { secret in bytes.places(of: secret.text).map { ($0, secret.number) } }
        if found.isEmpty { return [] }
        // The list has the position of each byte in the encoded text, followed by its end.
        var places = [0]
        places.reserveCapacity(widths.count + 1)
        for width in widths { places.append(places[places.count - 1] + Int(width)) }
        return found.map { SecretPlace(range: places[$0.lowerBound]..<places[$0.upperBound], number: $1) }
    }

    /// The text with decoded percent-encoding such as `%2F`; nil if there is none.
    private var decoded: WrittenText? {
        reading({ $0 == UInt8(ascii: "%") }, meaning: triplet)
    }

    /// The text with decoded percent-encoding and `+`, as in a form; nil if there is no `+`.
    private var decodedForm: WrittenText? {
        guard bytes.contains(UInt8(ascii: "+")) else { return nil }
        return reading({ $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }, meaning: tripletOrPlus)
    }

    /// The text with decoded JSON escapes such as `\n` and `\u00e4` (RFC 8259 7); nil if there are none.
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

    /// Returns the text with decoded escapes; nil if there are none.
    ///
    /// - Parameters:
    ///   - isMark: returns whether a byte may start an escape.
    ///   - meaning: returns the decoded bytes of the escape at an index, and its length in bytes; nil if there is no
    ///     escape.
    private func reading<Meant: Collection<UInt8>>(
        _ isMark: (UInt8) -> Bool,
        meaning: (Int) -> (Meant, Int)?
    ) -> WrittenText? {
        var text = WrittenText([], hasPlaces: false)
        // The bytes between two escapes are appended together.
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
