/// The number of typing mistakes between two words: a letter too many, too few, wrong, or swapped with its neighbour.
///
/// This is the optimal string alignment distance, a restricted form of Damerau–Levenshtein.
enum EditDistance {
    /// 2: more mistakes make another word.
    ///
    /// Of a short word, no more than a third of its letters may be wrong.
    static let mostMistakes = 2

    /// 40: no option is that long, and the time grows with the product of both lengths.
    static let longestWord = 40

    /// The word with the fewest mistakes, or nil if each has too many.
    static func nearest(to word: String, among words: [String]) -> String? {
        guard word.utf8.count <= longestWord else { return nil }
        let ranked = words.map { (word: $0, mistakes: mistakes(word, $0)) }
        guard let best = ranked.min(by: { $0.mistakes < $1.mistakes }) else { return nil }
        return best.mistakes <= min(mostMistakes, max(1, best.word.utf8.count / 3)) ? best.word : nil
    }

    /// The number of mistakes between two words.
    static func mistakes(_ first: String, _ second: String) -> Int {
        let (a, b) = (Array(first.utf8), Array(second.utf8))
        var before: [Int] = []
        var previous = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var cost = min(previous[j] + (a[i] == b[j] ? 0 : 1), previous[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, before[j - 1] + 1) }
                row.append(cost)
            }
            (before, previous) = (previous, row)
        }
        return previous[b.count]
    }
}
