import Foundation
import StartSmall

extension String {
    /// The same with all that is secret replaced, as it is and as it stands in a URL, in JSON, and in a URL in JSON,
    /// whichever characters are escaped there, and how.
    ///
    /// - Parameter secrets: the number of each.
    func without(_ secrets: [String: Int]) -> String {
        if secrets.isEmpty { return self }
        let bytes = Array(utf8)
        let sought = secrets.map { (text: Array($0.key.utf8), number: $0.value) }
        let found = WrittenText.forms(of: bytes).flatMap { $0.places(of: sought) }
        return found.isEmpty ? self : String(decoding: bytes.replacing(found), as: UTF8.self)
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
