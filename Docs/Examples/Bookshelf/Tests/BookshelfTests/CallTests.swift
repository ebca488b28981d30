import StartSmall
import StartSmallModels
import StartSmallStreams
import StartSmallTesting
import Testing

@testable import Bookshelf

/// What each call sends, and how it reads a response.
@Suite(.timeLimit(.minutes(1))) struct CallTests {
    private let emma = Book(id: 1, title: "Emma", subtitle: "A Novel")
    private let sent = Recorder<Input>()

    @Test("a book is decoded, also in a format that is newer than this SDK")
    func get() async {
        let json = #"{"id": 1, "title": "Emma", "format": "hologram"}"#
        let stub = Connector.stub(Book.get(1).stub(.json(json)))

        #expect(await Book.get(1).fetch(via: stub).right?.format == .unknown("hologram"))
    }

    @Test("the books of all pages are one sequence")
    func list() async throws {
        let books = [Book(id: 1, title: "Emma"), Book(id: 2, title: "Lady Susan"), Book(id: 3, title: "Persuasion")]
        let server = Connector.fakeServer(books[0], books[1], books[2], recording: sent)
        var listed: [Book] = []

        for await errorOrBook in Book.list(subject: "love").items(via: try .bookshelf(over: server)) {
            listed.append(try errorOrBook.get())
        }

        #expect(listed == books)
        #expect(sent.elements.map { $0.url.query() } == ["subject=love", "subject=love"])
    }

    @Test("a patch deletes the subtitle, and leaves the title")
    func change() async throws {
        let bookshelf = try Connector.bookshelf(over: .fakeServer(emma, recording: sent))

        let changed = try await Book.change(1, by: BookPatch(subtitle: .null)).value(via: bookshelf)

        #expect(changed == Book(id: 1, title: "Emma"))
        let payload = try #require(sent.elements.first?.methodAndPayload.payload)
        #expect(payload.content == .data(Data(#"{"subtitle":null}"#.utf8)))
        #expect(payload.mediaType == "application/merge-patch+json")
    }

    @Test(
        "both formats of an error are read, with the ID of the request",
        arguments: [
            #"{"type": "none", "title": "Not found", "detail": "no such book"}"#,
            #"{"code": "none", "message": "no such book"}"#,
        ]
    )
    func refused(payload: String) async throws {
        let response = Output.json(payload, status: .notFound, headers: ["X-Request-ID": "req_7"])

        let error = try #require(await Book.get(9).fetch(via: .stub(response)).failure)

        guard case .refused(let problem, _) = error else { throw error }
        #expect(problem.code == "none" && problem.message == "no such book")
        #expect(error.requestID == "req_7")
    }

    @Test("a response that nobody is signed in is an error of its own, also in place of a stream")
    func signedOut() async {
        let response = Response(statusCode: .unauthorized)
        var changes = Book.changes().stream(via: .stub(.hasResponse(response))).makeAsyncIterator()

        #expect(Book.get(1).transform(response) == .left(.signedOut(response)))
        #expect(await changes.next()?.failure == .signedOut(response))
    }

    @Test("a caller can have the response beside the value")
    func withResponse() async throws {
        let bookshelf = try Connector.bookshelf(over: .fakeServer(emma))

        let (book, response) = try await Book.get(1).withResponse().value(via: bookshelf)

        #expect(book == emma)
        #expect(response.requestID == "req_7")
    }
}
