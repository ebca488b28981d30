/// Names with `_` between their words.
enum SnakeCase {
    /// `perPage` as `per_page`: a word begins with a capital after anything else, or before a small letter.
    static func from(_ name: String) -> String {
        let characters = Array(name)
        var words = ""
        for (index, character) in characters.enumerated() {
            let previous = index > 0 ? characters[index - 1] : "_"
            let isBeforeSmall = index + 1 < characters.count && characters[index + 1].isLowercase
            if character.isUppercase, previous != "_", !previous.isUppercase || isBeforeSmall { words.append("_") }
            words += character.lowercased()
        }
        return words
    }
}
