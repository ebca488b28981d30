/// Conversion of names to names with `_` between their words.
enum SnakeCase {
    /// Returns the snake case of a name, such as `per_page` for `perPage`.
    ///
    /// A word begins at a capital after anything else, or at a capital before a small letter.
    static func from(_ name: String) -> String {
        let letters = Array(name.unicodeScalars)
        var words = ""
        for (index, letter) in letters.enumerated() {
            guard letter.isCapital else {
                words.unicodeScalars.append(letter)
                continue
            }
            if index > 0, letters[index - 1] != "_" {
                let isLast = index + 1 == letters.count || !letters[index + 1].isSmall
                if !letters[index - 1].isCapital || !isLast { words += "_" }
            }
            words += letter.properties.lowercaseMapping
        }
        return words
    }
}

extension Unicode.Scalar {
    // A look-up of the properties takes longer.
    fileprivate var isCapital: Bool { isASCII ? ("A"..."Z").contains(self) : properties.isUppercase }
    fileprivate var isSmall: Bool { properties.isLowercase && !properties.isUppercase }
}
