import StartSmall
import StartSmallTesting
import Testing

/// The Swift blocks of Sources/StartSmall/StartSmall.docc/FirstAPI.md.
@Suite(.timeLimit(.minutes(1))) struct FirstAPIExamples {
    private let server: URL

    init() throws {
        server = try #require(URL(string: "https://api.example.com"))
    }

    @Test("a response is decoded as a book")
    func book() async {
        let endpoint = Book.endpoint(isbn: "9780131103627")
        let book = Book(isbn: "9780131103627", title: "The C Programming Language", price: 5200)

        let errorOrBook = await endpoint.fetch(via: .stub(endpoint.stub(book)))

        #expect(errorOrBook == .right(book))
    }

    @Test("a missing book is a failure with the shop's error payload")
    func noBook() async {
        let endpoint = Book.endpoint(isbn: "0")
        let problem = BookshopProblem(code: "not_found", message: "no such book")

        let errorOrBook = await endpoint.fetch(via: .stub(endpoint.stub(problem: problem, status: .notFound)))

        #expect(errorOrBook.failure?.problem == problem)
    }

    @Test("a call is retried, and each request has the token")
    func retried() async {
        let sent = Recorder<Input>()
        let book = #"{"isbn": "9780131103627", "title": "The C Programming Language", "price": 5200}"#
        let engine = Connector.stub(sequence: [.status(.serviceUnavailable), .json(book)], recording: sent)
        let bookshop = Connector.bookshop(over: engine, server: server, retrying: .retry(random: { 0 })) { "t0k3n" }

        let errorOrBook = await Book.endpoint(isbn: "9780131103627").fetch(via: bookshop)

        #expect(errorOrBook.right?.price == 5200)
        #expect(sent.elements.map { $0.headers["Authorization"] } == ["Bearer t0k3n", "Bearer t0k3n"])
    }

    @Test("an order is retried with the same idempotency key")
    func order() async {
        let sent = Recorder<Input>()
        let engine = Connector.stub(
            sequence: [.status(.serviceUnavailable), .json(#"{"id": 1}"#, status: .created)],
            recording: sent
        )
        let bookshop = Connector.bookshop(over: engine, server: server, retrying: .retry(random: { 0 })) { "t0k3n" }

        let ordering = bookshop.wrapped(by: .idempotencyKey())
        let errorOrOrder = await Order.place(isbn: "9780131103627", count: 1).fetch(via: ordering)

        #expect(errorOrOrder.right == Order(id: 1))
        #expect(Set(sent.elements.map { $0.headers["Idempotency-Key"] }).count == 1)
    }

    private struct Keychain {
        func token() async throws -> String { "t0k3n" }
    }

    /// Calls the endpoint; compiled only, since it needs the network.
    func use(isbn: String) async {
        let keychain = Keychain()

        let bookshop = Connector.bookshop(server: server) { try await keychain.token() }

        switch await Book.endpoint(isbn: isbn).fetch(via: bookshop) {
        case .right(let book): print("\(book.title): \(book.price)")
        case .left(.right(.problem(let problem, _))): print("the shop says: \(problem.message)")
        case .left(let failure): print("it did not work: \(failure)")
        }
    }
}

struct Book: Codable, Hashable, Sendable {
    let isbn: String
    let title: String
    let price: Int

    static func endpoint(isbn: String) -> Endpoint<BookshopError, Book> {
        .json(Book.self, .get("/v1/books/{isbn}", ["isbn": isbn]), problem: BookshopProblem.self)
    }
}

struct BookshopProblem: Codable, Hashable, Sendable {
    let code: String
    let message: String
}

typealias BookshopError = TransformError<BookshopProblem>

struct Order: Codable, Hashable, Sendable {
    let id: Int

    static func place(isbn: String, count: Int) -> Endpoint<BookshopError, Order> {
        .json(
            Order.self,
            .post("/v1/orders", payload: .json(Draft(isbn: isbn, count: count))),
            problem: BookshopProblem.self
        )
    }

    private struct Draft: Encodable {
        let isbn: String
        let count: Int
    }
}

extension Connector {
    static func bookshop(
        over engine: Connector = .standard,
        server: URL,
        retrying: Wrapper = .retry(),
        token: @escaping @Sendable () async throws -> String?
    ) -> Connector {
        engine.wrapped(
            by: .timeout(.seconds(30)),
            retrying,
            .baseURL(server),
            .bearer(to: .origin(server), token)
        )
    }
}
