/// Names with `_` between their words.
enum SnakeCase {
    /// `perPage` as `per_page`: a word begins with a capital after anything else, or before a small letter.
    static func from(_ name: String) -> String {
        var words: [UInt8] = []
        words.reserveCapacity(name.utf8.count)
        var scalars = name.unicodeScalars.makeIterator()
        var (previous, current) = (Kind.underscore, scalars.next().map(Letter.init))
        while let letter = current {
            let next = scalars.next().map(Letter.init)
            if letter.kind == .capital {
                let isFirst = previous == .small || previous == .other || previous == .capital && next?.kind == .small
                if isFirst { words.append(UInt8(ascii: "_")) }
                words += letter.small
            } else {
                words += letter.scalar.utf8
            }
            (previous, current) = (letter.kind, next)
        }
        return String(decoding: words, as: UTF8.self)
    }

    private enum Kind {
        case capital
        case small
        case underscore
        case other
    }

    private struct Letter {
        let scalar: Unicode.Scalar
        let kind: Kind

        init(_ scalar: Unicode.Scalar) {
            self.scalar = scalar
            kind =
                switch scalar {
                case "A"..."Z": .capital
                case "a"..."z": .small
                case "_": .underscore
                // What Unicode knows of a letter costs more to ask than to compare it with those of most names.
                case _ where scalar.isASCII: .other
                case _ where scalar.properties.isUppercase: .capital
                default: scalar.properties.isLowercase ? .small : .other
                }
        }

        /// The same as a small letter, in UTF-8.
        var small: [UInt8] {
            scalar.isASCII
                ? [UInt8(truncatingIfNeeded: scalar.value) | 0x20] : Array(scalar.properties.lowercaseMapping.utf8)
        }
    }
}
