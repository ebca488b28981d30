import Foundation
import StartSmall

extension [UInt8] {
    /// The placeholders with their ranges, from left to right.
    var placeholders: [(range: Range<Int>, placeholder: Placeholder)] {
        var (places, start) = ([(range: Range<Int>, placeholder: Placeholder)](), 0)
        while let index = self[start...].firstIndex(of: UInt8(ascii: "<")) {
            guard let (placeholder, count) = Placeholder.prefix(of: self[index...]) else {
                start = index + 1
                continue
            }
            places.append((index..<(index + count), placeholder))
            start = index + count
        }
        return places
    }

    /// Returns the bytes with other placeholders.
    func replacingPlaceholders(_ other: (Placeholder) -> Placeholder) -> [UInt8] {
        var (shown, end) = ([UInt8](), 0)
        for (range, placeholder) in placeholders {
            let other = other(placeholder)
            if other == placeholder { continue }
            if end == 0 { shown.reserveCapacity(count) }
            shown += self[end..<range.lowerBound]
            other.write(to: &shown)
            end = range.upperBound
        }
        return end == 0 ? self : shown + self[end...]
    }
}

extension String {
    /// Returns the text with other placeholders.
    func replacingPlaceholders(_ other: (Placeholder) -> Placeholder) -> String {
        guard utf8.contains(UInt8(ascii: "<")) else { return self }
        return String(decoding: Array(utf8).replacingPlaceholders(other), as: UTF8.self)
    }
}

extension RecordedPayload {
    /// Returns the payload with other placeholders.
    func replacingPlaceholders(_ other: (Placeholder) -> Placeholder) -> Data {
        if data.mayHold(Self.beginning) { return Data(Array(data).replacingPlaceholders(other)) }
        // In encodings of two or four bytes, each ASCII character contains a zero byte.
        guard data.hasZero, let text, text.named != nil else { return data }
        guard Data(text.text.utf8).mayHold(Self.beginning) else { return data }
        return text.bytes(of: text.text.replacingPlaceholders(other))
    }

    private static let beginning = Array(Placeholder.beginning.utf8)
}

extension ExchangeChange {
    /// Returns a change that replaces placeholders only.
    static func placeholders(_ other: @escaping (Placeholder) -> Placeholder) -> ExchangeChange {
        let change = { (text: String) in text.replacingPlaceholders(other) }
        return ExchangeChange(
            url: change,
            field: { change($0.value) },
            payload: { $0.replacingPlaceholders(other) },
            word: change,
            name: change
        )
    }
}

extension Exchange {
    /// Returns the exchange with other placeholders; the function is called for each one in the order of the file.
    func replacingPlaceholders(_ other: (Placeholder) -> Placeholder) -> Exchange {
        withoutActuallyEscaping(other) { changed(by: .placeholders($0)) }
    }

    /// All placeholders, in the order of the file.
    var placeholders: [Placeholder] {
        let inFailure = failure?.text.map { Array($0.utf8).placeholders.map(\.placeholder) } ?? []
        return input.placeholders + response.placeholders + inFailure
    }
}

extension Input {
    /// Returns the request with other placeholders.
    func replacingPlaceholders(_ other: (Placeholder) -> Placeholder) -> Input {
        withoutActuallyEscaping(other) { changed(by: .placeholders($0)) }
    }

    /// All placeholders, in the order of the file.
    var placeholders: [Placeholder] {
        var all: [Placeholder] = []
        _ = replacingPlaceholders { placeholder in
            all.append(placeholder)
            return placeholder
        }
        return all
    }
}

extension Response {
    /// All placeholders, in the order of the file.
    var placeholders: [Placeholder] {
        var all: [Placeholder] = []
        let look = { (placeholder: Placeholder) in
            all.append(placeholder)
            return placeholder
        }
        _ = changed(by: .placeholders(look))
        return all
    }
}
