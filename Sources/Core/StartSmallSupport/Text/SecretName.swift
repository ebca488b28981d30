/// A name as `Redaction` compares it: only its letters and digits, in lower case.
package struct SecretName {
    /// The whole name.
    package let whole: String

    /// The whole name in UTF-8.
    package let bytes: [UInt8]

    /// The names inside of the name, separated by anything but `-` and `_`.
    package let parts: [String]

    /// The names inside of the name, separated by anything.
    package let segments: [String]

    /// Creates a name from UTF-8.
    package init(_ name: ArraySlice<UInt8>) {
        let scalars = String(decoding: name, as: UTF8.self).lowercased().unicodeScalars
        segments = scalars.split { !Self.isAlphanumeric($0) }.map(String.init)
        parts = scalars.filter { $0 != "-" && $0 != "_" }.split { !Self.isAlphanumeric($0) }.map(String.init)
        whole = parts.joined()
        bytes = Array(whole.utf8)
    }

    package init(_ name: String) {
        self.init(Array(name.utf8)[...])
    }

    private static func isAlphanumeric(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return URIEncoding.isAlphanumeric(UInt8(truncatingIfNeeded: scalar.value)) }
        return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    /// Returns the letters and digits of an ASCII name, in lower case; nil if the name is not ASCII.
    package static func letters(of name: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        if name.contains(where: { $0 >= 0x80 }) { return nil }
        return name.filter(URIEncoding.isAlphanumeric).map(\.asciiLowercased)[...]
    }
}

/// Words that make any name that contains them a secret, grouped by their first bytes.
///
/// At most positions in most names, no word begins.
package struct SecretWords: Equatable, Sendable {
    private let byFirst: [[[UInt8]]]
    private let hasEmpty: Bool

    /// Creates words, which are in the form of ``SecretName``.
    package init(_ words: Set<String>) {
        // Sorted, so that equal words make equal values.
        byFirst = words.sorted().reduce(into: Array(repeating: [], count: 0x100)) { words, word in
            if let first = word.utf8.first { words[Int(first)].append(Array(word.utf8)) }
        }
        hasEmpty = words.contains("")
    }

    /// Returns whether any of the words occurs anywhere in a name.
    package func occur(in name: ArraySlice<UInt8>) -> Bool {
        hasEmpty || name.indices.contains { index in byFirst[Int(name[index])].contains(where: name[index...].starts) }
    }
}
