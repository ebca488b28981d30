import Foundation
import StartSmall

extension String {
    /// Returns the text with all secrets replaced, plain or escaped.
    ///
    /// A secret may be escaped in a URL, in JSON, and in a URL in JSON, with any choice of escaped characters and any
    /// form of the escapes.
    ///
    /// - Parameter secrets: the secrets with their numbers.
    func without(_ secrets: [String: Int]) -> String {
        if secrets.isEmpty { return self }
        let bytes = Array(utf8)
        let sought = secrets.map { (text: Array($0.key.utf8), number: $0.value) }
        let found = WrittenText.forms(of: bytes).flatMap { $0.places(of: sought) }
        return found.isEmpty ? self : String(decoding: bytes.replacing(found), as: UTF8.self)
    }
}

extension [UInt8] {
    /// Returns the bytes with one placeholder for each group of overlapping places: that of the longest place.
    ///
    /// Placeholders from this process stay, even if their digits occur in another secret.
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
    /// Returns whether the range is inside of one of some ranges, which are in order and do not overlap.
    fileprivate func isInside(oneOf ranges: [Range]) -> Bool {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound >= upperBound { high = middle } else { low = middle + 1 }
        }
        return low < ranges.count && ranges[low].lowerBound <= lowerBound
    }
}

/// The place of a secret.
struct SecretPlace: Hashable {
    var range: Range<Int>

    /// The number of the secret.
    var number: Int
}
