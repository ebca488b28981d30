import Foundation
import StartSmall

extension String {
    /// The same with all that is secret replaced, as it is and as it stands in a URL, in JSON, and in a URL in JSON,
    /// whichever characters are escaped there, and how.
    ///
    /// - Parameter secrets: the number of each.
    func without(_ secrets: [String: Int]) -> String {
        if secrets.isEmpty { return self }
        let found = WrittenText.forms(of: self).flatMap { $0.places(of: secrets) }
        return found.isEmpty ? self : String(decoding: Array(utf8).replacing(found), as: UTF8.self)
    }
}

extension [UInt8] {
    /// The same with one placeholder for each group of places that overlap: that of the longest one.
    ///
    /// What this process wrote in place of a secret stays, whatever digits another secret has.
    func replacing(_ places: [SecretPlace]) -> [UInt8] {
        let own = placeholders.filter { ($0.placeholder.number ?? 0) >= NumberedSecrets.firstOfProcess }.map(\.range)
        let open = own.isEmpty ? places : places.filter { !$0.range.isInside(oneOf: own) }
        var (shown, end, group) = ([UInt8](), 0, SecretPlace?.none)
        func close() {
            guard let last = group else { return }
            shown += Placeholder(last.number).text.utf8
        }
        for place in open.sorted(by: { ($0.range.lowerBound, $1.range.count) < ($1.range.lowerBound, $0.range.count) })
        {
            if place.range.lowerBound >= end {
                close()
                shown += self[end..<place.range.lowerBound]
                group = place
            } else if let last = group, last.range.count < place.range.count {
                group = place
            }
            end = Swift.max(end, place.range.upperBound)
        }
        close()
        return shown + self[end...]
    }
}

extension Range<Int> {
    /// Whether it is inside of one of some ranges, which are in order and do not overlap.
    fileprivate func isInside(oneOf ranges: [Range]) -> Bool {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound >= upperBound { high = middle } else { low = middle + 1 }
        }
        return low < ranges.count && ranges[low].lowerBound <= lowerBound
    }
}

/// Where a secret is written.
struct SecretPlace: Hashable {
    var range: Range<Int>

    /// The number of the secret.
    var number: Int
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
    func places(of secrets: [String: Int]) -> [SecretPlace] {
        let data = Data(bytes)
        let present = secrets.map { (text: Array($0.key.utf8), number: $0.value) }.filter { data.mayHold($0.text) }
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
