/// The number of typing mistakes between two words: letters extra, missing, wrong or swapped with a neighbour.
///
/// The number is the optimal string alignment distance, a restricted form of Damerau–Levenshtein.
enum EditDistance {
    /// The maximum number of mistakes, 2: with more, a word is a different one.
    ///
    /// In a short word, at most a third of the letters can be wrong.
    static let mostMistakes = 2

    /// The maximum length of a word, 40: no option is that long, and the time grows with the product of both lengths.
    static let longestWord = 40

    /// Returns the word with the fewest mistakes; nil if each word has too many.
    ///
    /// - Parameters:
    ///   - word: the word that was typed.
    ///   - words: the words to choose from.
    static func nearest(to word: String, among words: [String]) -> String? {
        guard word.utf8.count <= longestWord else { return nil }
        let ranked = words.map { (word: $0, mistakes: mistakes(word, $0)) }
        guard let best = ranked.min(by: { $0.mistakes < $1.mistakes }) else { return nil }
        return best.mistakes <= min(mostMistakes, max(1, best.word.utf8.count / 3)) ? best.word : nil
    }

    /// Returns the number of mistakes between two words.
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
