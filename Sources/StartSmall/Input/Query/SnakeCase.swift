/// Names with `_` between their words.
enum SnakeCase {
    /// `perPage` as `per_page`: a word begins with a capital after anything else, or before a small letter.
    static func from(_ name: String) -> String {
        let scalars = Array(name.unicodeScalars)
        var words = String.UnicodeScalarView()
        for (index, scalar) in scalars.enumerated() {
            guard isCapital(scalar) else {
                words.append(scalar)
                continue
            }
            let previous = index > 0 ? scalars[index - 1] : "_"
            let isBeforeSmall = index + 1 < scalars.count && isSmall(scalars[index + 1])
            if previous != "_", !isCapital(previous) || isBeforeSmall { words.append("_") }
            // One by one: to add several at once takes as long as there are words already.
            for small in scalar.properties.lowercaseMapping.unicodeScalars { words.append(small) }
        }
        return String(words)
    }

    // What Unicode knows of a letter costs more to ask than to compare it with those of most names.

    private static func isCapital(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? ("A"..."Z").contains(scalar) : scalar.properties.isUppercase
    }

    private static func isSmall(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? ("a"..."z").contains(scalar) : scalar.properties.isLowercase
    }
}
