import StartSmall
import StartSmallStreams

extension Book {
    /// Lists all books, or those of a subject, page by page.
    public static func list(subject: String? = nil) -> Pages<BookshelfError, BookPage> {
        Endpoint.bookshelf(.get("/v1/books{?subject}", ["subject": subject]))
            .pages(by: .cursor(query: "after") { page in page.next })
    }

    /// Gets one book.
    public static func get(_ id: Int) -> Endpoint<BookshelfError, Book> {
        .bookshelf(.get("/v1/books/{id}", ["id": id]))
    }

    /// Adds a book to the library.
    public static func create(_ draft: BookDraft) -> Endpoint<BookshelfError, Book> {
        .bookshelf(.post("/v1/books", payload: .json(draft)))
    }

    /// Changes what a patch names.
    public static func change(_ id: Int, by patch: BookPatch) -> Endpoint<BookshelfError, Book> {
        .bookshelf(
            .patch("/v1/books/{id}", ["id": id], payload: .json(patch, mediaType: "application/merge-patch+json"))
        )
    }

    /// Gets the whole catalogue as text, for which the server takes up to a minute.
    public static func catalogue() -> Endpoint<BookshelfError, String> {
        Endpoint.text(.get("/v1/catalogue"), problem: BookshelfProblem.self)
            .mapFailure(BookshelfError.init)
            .with(.timeLimit(.seconds(180)), .attemptTimeLimit(.seconds(90)))
    }

    /// Reports all changes as they happen, over as many connections as necessary, without a limit of time.
    ///
    /// The server sends a comment every ten seconds, so that the engine notices a lost connection.
    public static func changes() -> ServerSentEvents<BookshelfError, BookChange> {
        Endpoint.events(.get("/v1/changes"), problem: BookshelfProblem.self)
            .typed(by: BookChange.types)
            .mapFailure(BookshelfError.init)
            .with(.timeLimit(nil), .attemptTimeLimit(nil))
            .reconnecting()
    }
}
