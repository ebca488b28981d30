/// The texts of a recording's exchanges, to find those with a secret that becomes known later.
///
/// A look-up takes time that is linear in the secret, whatever the number of exchanges is, unless several of them have
/// the secret.
struct RecordedTexts {
    /// The exchange that has a text with these eight bytes, or ``several``.
    private var owners: [UInt64: Int] = [:]
    private static let several = -1

    /// The exchanges with a text that ends with these four bytes, and may end within a secret.
    private var cut: [UInt32: Set<Int>] = [:]

    /// The exchanges with a text that is too long for ``owners``.
    private var long: Set<Int> = []

    /// The maximum length in bytes of a text in ``owners``: 64 KiB, which take about 2 MiB there.
    private static let longestText = 1 << 16

    /// Adds the texts of an exchange.
    mutating func add(_ exchange: Exchange, of id: Int) {
        for text in exchange.texts {
            if text.isCut { for (_, end) in Windows<UInt32>(text.bytes.suffix(4)) { cut[end, default: []].insert(id) } }
            guard text.bytes.count <= Self.longestText else {
                long.insert(id)
                continue
            }
            for (_, window) in Windows<UInt64>(text.bytes[...]) where owners[window] != id {
                owners[window] = owners[window] == nil ? id : Self.several
            }
        }
    }

    /// Returns the exchanges in which a secret may occur; nil for all.
    func exchanges(with secrets: KnownSecrets) -> Set<Int>? {
        var found = long
        for form in secrets.allForms {
            for (_, window) in Windows<UInt32>(form[...]) { found.formUnion(cut[window] ?? []) }
            let owners = Set(Windows<UInt64>(form[...]).map { self.owners[$0.window] }).subtracting([Self.several])
            if owners.isEmpty { return nil }
            if owners.count == 1 { found.formUnion(owners.compactMap { $0 }) }
        }
        return found
    }
}

/// The integers of all neighboring bytes of a text, with the indices at which they begin.
struct Windows<Window: FixedWidthInteger>: Sequence, IteratorProtocol {
    private let bytes: ArraySlice<UInt8>
    private var (index, window): (Int, Window)

    init(_ bytes: ArraySlice<UInt8>) {
        (self.bytes, index, window) = (bytes, bytes.startIndex, 0)
        for _ in 1..<Self.size where index < bytes.endIndex { read() }
    }

    private static var size: Int { MemoryLayout<Window>.size }

    private mutating func read() {
        window = window << 8 | Window(truncatingIfNeeded: bytes[index])
        index += 1
    }

    mutating func next() -> (start: Int, window: Window)? {
        guard index < bytes.endIndex else { return nil }
        read()
        return (index - Self.size, window)
    }
}
