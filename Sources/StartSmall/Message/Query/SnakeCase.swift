/// Conversion of names to names with `_` between their words.
enum SnakeCase {
    /// Returns the snake case of a name, such as `per_page` for `perPage`.
    ///
    /// A word begins at a capital after anything else, or at a capital before a small letter.
    static func from(_ name: String) -> String {
        var words: [UInt8] = []
        words.reserveCapacity(name.utf8.count)
        var scalars = name.unicodeScalars.makeIterator()
        var (previous, current) = (Kind.underscore, scalars.next().map(Letter.init))
        while let letter = current {
            let next = scalars.next().map(Letter.init)
            if letter.kind == .capital {
                let isFirst = previous == .other || previous == .capital && next?.isSmall == true
                if isFirst { words.append(UInt8(ascii: "_")) }
            }
            letter.add(to: &words)
            (previous, current) = (letter.kind, next)
        }
        return String(decoding: words, as: UTF8.self)
    }

    private enum Kind {
        case capital
        case underscore
        case other
    }

    private struct Letter {
        let kind: Kind
        private let scalar: Unicode.Scalar

        init(_ scalar: Unicode.Scalar) {
            self.scalar = scalar
            kind =
                switch scalar {
                case "A"..."Z": .capital
                case "_": .underscore
                // The Unicode properties of a letter take longer to look up than a comparison with the letters of most
                // names.
                case _ where scalar.isASCII: .other
                case _ where scalar.properties.isUppercase: .capital
                default: .other
                }
        }

        /// Whether the letter is a small letter; evaluated for few letters.
        var isSmall: Bool {
            scalar.isASCII ? ("a"..."z").contains(scalar) : kind == .other && scalar.properties.isLowercase
        }

        /// Appends the letter in UTF-8, a capital as a small letter.
        func add(to words: inout [UInt8]) {
            switch (kind, scalar.isASCII) {
            case (.capital, true): words.append(UInt8(truncatingIfNeeded: scalar.value) | 0x20)
            case (.capital, false): words += scalar.properties.lowercaseMapping.utf8
            case (_, true): words.append(UInt8(truncatingIfNeeded: scalar.value))
            case (_, false): words += scalar.utf8
            }
        }
    }
}
