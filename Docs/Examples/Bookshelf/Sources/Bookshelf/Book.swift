import StartSmallModels

/// A book of the library.
public struct Book: Codable, Hashable, Identifiable, Sendable {
    /// The formats that the API had when this SDK was released.
    public enum Format: String, Codable, Sendable { case print, audio }

    /// The number of the book, which never changes.
    public let id: Int
    /// The title.
    public var title: String
    /// The subtitle, if there is one.
    public var subtitle: String?
    /// The format, which may be newer than this SDK.
    public var format = Open<Format>.known(.print)

    /// Creates a book, for stubs in tests.
    public init(id: Int, title: String, subtitle: String? = nil) {
        (self.id, self.title, self.subtitle) = (id, title, subtitle)
    }
}

/// A book that is not in the library yet.
public struct BookDraft: Codable, Hashable, Sendable {
    let title: String
    let subtitle: String?

    /// Creates a draft.
    public init(title: String, subtitle: String? = nil) {
        (self.title, self.subtitle) = (title, subtitle)
    }
}

/// A change of a book, as a merge patch (RFC 7396).
public struct BookPatch: Codable, Hashable, Sendable {
    let title: String?
    let subtitle: Nullable<String>

    /// Creates a change.
    ///
    /// - Parameters:
    ///   - title: the new title; nil to keep the old one, since a book must have one.
    ///   - subtitle: the new subtitle, `.null` to delete it, or `.absent` to keep the old one.
    public init(title: String? = nil, subtitle: Nullable<String> = .absent) {
        (self.title, self.subtitle) = (title, subtitle)
    }
}

/// A part of a list of books.
public struct BookPage: Codable, Sequence, Sendable {
    let books: [Book]
    let next: String?

    /// Creates an iterator over the books of the page.
    public func makeIterator() -> IndexingIterator<[Book]> { books.makeIterator() }
}
