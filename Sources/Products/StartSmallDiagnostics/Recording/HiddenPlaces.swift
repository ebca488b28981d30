/// The places in a text that a cassette hides, and the secrets in them.
package struct HiddenPlaces {
    package init() {}

    private var places: [(range: Range<Int>, shown: String)] = []

    /// The secrets in decoded form.
    var secrets: Set<[UInt8]> = []

    /// Whether nothing is hidden.
    package var isEmpty: Bool { places.isEmpty }

    /// Hides a range, whose secrets are hidden elsewhere, too; empty ranges stay.
    package mutating func hide(
        _ range: Range<Int>,
        as shown: String = CassetteRedaction.placeholder,
        secrets found: [UInt8]...
    ) {
        if !range.isEmpty { places.append((range, shown)) }
        secrets.formUnion(found)
    }

    /// Adds the places of another search, with the index in this text of each index in the other one.
    mutating func add(_ other: HiddenPlaces, at index: (Int) -> Int = { $0 }) {
        places += other.places.map { (index($0.range.lowerBound)..<index($0.range.upperBound), $0.shown) }
        secrets.formUnion(other.secrets)
    }

    /// Returns a text with a placeholder for each group of overlapping places, and the sizes of its chunks.
    ///
    /// A chunk that ends inside of a hidden place ends after the placeholder.
    package func replaced(in bytes: [UInt8], chunks: [Int] = []) -> (bytes: [UInt8], chunks: [Int]) {
        if places.isEmpty { return (bytes, chunks) }
        var (shown, end, cuts) = ([UInt8](), 0, [Int]())
        var ends = chunks.reduce(into: []) { $0.append(($0.last ?? 0) + $1) }[...]
        for (range, placeholder) in places.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            if range.lowerBound >= end {
                while let cut = ends.first, cut <= range.lowerBound {
                    cuts.append(shown.count + ends.removeFirst() - end)
                }
                shown += bytes[end..<range.lowerBound] + Array(placeholder.utf8)
            }
            end = max(end, range.upperBound)
            while let cut = ends.first, cut <= end {
                ends.removeFirst()
                cuts.append(shown.count)
            }
        }
        cuts += ends.map { shown.count + $0 - end }
        return (shown + bytes[end...], zip(cuts, [0] + cuts).map { $0 - $1 })
    }
}
