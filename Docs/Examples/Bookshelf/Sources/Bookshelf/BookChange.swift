import StartSmallStreams

/// A change of the library, as its server reports it.
public enum BookChange: Hashable, Sendable {
    /// A book is new, or has changed.
    case saved(Book)

    /// A book was removed.
    case removed(id: Int)

    /// A change that is newer than this SDK, by its name.
    case other(String)
}

extension BookChange {
    private struct Removed: Decodable, Sendable { let id: Int }

    static let types = EventTypes { BookChange.other($0.type) }
        .decoding("book.saved", as: BookChange.saved)
        .decoding("book.removed") { (removed: Removed) in .removed(id: removed.id) }
}
