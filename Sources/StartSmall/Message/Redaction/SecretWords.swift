/// Words that make any name that contains them a secret, grouped by their first bytes.
///
/// At most positions in most names, no word begins.
struct SecretWords: Hashable, Sendable {
    private let byFirst: [[[UInt8]]]
    private let hasEmpty: Bool

    /// Creates words, which are in the form of ``SecretName``.
    init(_ words: Set<String>) {
        // Sorted, so that equal words make equal values.
        byFirst = words.sorted().reduce(into: Array(repeating: [], count: 0x100)) { words, word in
            if let first = word.utf8.first { words[Int(first)].append(Array(word.utf8)) }
        }
        hasEmpty = words.contains("")
    }

    /// Returns whether any of the words occurs anywhere in a name.
    func occur(in name: ArraySlice<UInt8>) -> Bool {
        hasEmpty || name.indices.contains { index in byFirst[Int(name[index])].contains(where: name[index...].starts) }
    }
}
