/// Words that make a secret of any name in which they stand, by the bytes with which they begin: at most places in most
/// names, none of them does.
struct SecretWords: Hashable, Sendable {
    private let byFirst: [[[UInt8]]]
    private let hasEmpty: Bool

    /// Takes words as ``SecretName`` writes names.
    init(_ words: Set<String>) {
        // Sorted, so that the same words are equal.
        byFirst = words.sorted().reduce(into: Array(repeating: [], count: 0x100)) { words, word in
            if let first = word.utf8.first { words[Int(first)].append(Array(word.utf8)) }
        }
        hasEmpty = words.contains("")
    }

    /// Whether one of them stands anywhere in a name.
    func stand(in name: ArraySlice<UInt8>) -> Bool {
        hasEmpty || name.indices.contains { index in byFirst[Int(name[index])].contains(where: name[index...].starts) }
    }
}
