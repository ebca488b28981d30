import StartSmall
import StartSmallModels
import StartSmallTesting
import Synchronization

@testable import Bookshelf

extension Connector {
    /// Returns a server of Bookshelf in memory.
    static func fakeServer(
        _ books: Book...,
        recording sent: Recorder<Input> = Recorder(),
        clock: ManualClock = ManualClock()
    ) -> Connector {
        let server = Mutex(FakeServer(books: books))
        return Connector { input in
            sent.append(input)
            let form = await input.form()
            return server.withLock { $0.output(of: input, form, at: clock.now.offset) }
        }
    }
}

private struct FakeServer {
    var books: [Book]
    var createdByKey: [String: Book] = [:]
    var signIns = FakeSignIns()

    mutating func output(of input: Input, _ form: [String: String], at now: Duration) -> Output {
        let path = input.url.path().split(separator: "/")
        let index = books.firstIndex { "\($0.id)" == path.last ?? "" }
        switch (input.methodAndPayload.method, path.dropFirst().first, index) {
        case ("POST", "device", _):
            return signIns.begin(form, at: now)
        case ("POST", "approval", _):
            return signIns.decide(form)
        case ("POST", "token", _):
            return signIns.token(by: form, at: now)
        case _ where !signIns.knows(input.headers["Authorization"], at: now):
            return .status(.unauthorized)
        case ("GET", "books", nil):
            return page(from: input.queryValues(of: "after").first.flatMap { Int($0) } ?? 0)
        case ("GET", "books", let index?):
            return .json(encoding: books[index], headers: ["Cache-Control": "max-age=60", "X-Request-ID": "req_7"])
        case ("POST", "books", nil):
            return create(by: input)
        case ("PATCH", "books", let index?):
            return change(index, by: input)
        default:
            return .status(.notFound)
        }
    }

    /// Returns two books from a cursor on, which is the index of a book.
    private func page(from start: Int) -> Output {
        let rest = books.dropFirst(start)
        return .json(encoding: BookPage(books: Array(rest.prefix(2)), next: rest.count > 2 ? "\(start + 2)" : nil))
    }

    private mutating func create(by input: Input) -> Output {
        guard let draft = payload(of: input, as: BookDraft.self), let key = input.headers["Idempotency-Key"] else {
            return .status(.badRequest)
        }
        let book = createdByKey[key] ?? Book(id: books.count + 1, title: draft.title, subtitle: draft.subtitle)
        if createdByKey.updateValue(book, forKey: key) == nil { books.append(book) }
        return .json(encoding: book, status: .created)
    }

    private mutating func change(_ index: Int, by input: Input) -> Output {
        guard let patch = payload(of: input, as: BookPatch.self) else { return .status(.badRequest) }
        if let title = patch.title { books[index].title = title }
        if patch.subtitle != .absent { books[index].subtitle = patch.subtitle.value }
        return .json(encoding: books[index])
    }

    private func payload<Value: Decodable>(of input: Input, as type: Value.Type) -> Value? {
        input.methodAndPayload.body.flatMap { try? JSONDecoder().decode(type, from: $0) }
    }
}
