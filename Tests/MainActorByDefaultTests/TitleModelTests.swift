import StartSmall
import StartSmallTesting
import Testing

// This module is isolated to the main actor by default, like new apps: see
// Sources/StartSmall/StartSmall.docc/FirstAPI.md.

nonisolated struct Title: Codable, Hashable, Sendable {
    let title: String

    static func endpoint(isbn: String) -> Endpoint<TransformError<Never>, Title> {
        .json(Title.self, .get("/v1/books/{isbn}", ["isbn": isbn]))
    }
}

nonisolated extension Wrapper {
    static let inJapanese = Wrapper { input, next in
        await next(input.with { $0.headers.setIfAbsent("Accept-Language", to: "ja") })
    }
}

final class TitleModel {
    private(set) var text = ""

    func load(isbn: String, via connector: Connector) async {
        switch await Title.endpoint(isbn: isbn).fetch(via: connector) {
        case .right(let title): text = title.title
        case .left(let failure): text = "\(failure)"
        }
    }
}

enum Audience: RequestOption { typealias Value = String }

nonisolated extension Wrapper {
    static let forAudience = Wrapper { input, next in
        await next(input.with { $0.headers["X-Audience"] = $0.options[Audience.self] })
    }
}

struct TitleModelTests {
    private let model = TitleModel()

    @Test("a model on the main actor loads a value through its module's wrappers")
    func loads() async {
        let title = Title(title: "The C Programming Language")
        let endpoint = Title.endpoint(isbn: "9780131103627")
        let sent = Recorder<Input>()
        let connector = Connector.stub(endpoint.stub(title), recording: sent).wrapped(by: .inJapanese)

        await model.load(isbn: "9780131103627", via: connector)

        #expect(model.text == title.title)
        #expect(sent.elements.map { $0.headers["Accept-Language"] } == ["ja"])
    }

    @Test("an option of the module is set on the main actor, and read by a wrapper")
    func option() async {
        let sent = Recorder<Input>()
        let connector = Connector.stub(.status(.noContent), recording: sent).wrapped(by: .forAudience)
        var endpoint = Title.endpoint(isbn: "0")
        endpoint.input = endpoint.input.map { $0.with { $0.options[Audience.self] = "students" } }
        _ = await endpoint.fetch(via: connector)
        #expect(sent.elements.map { $0.headers["X-Audience"] } == ["students"])
    }

    @Test("a model on the main actor receives a failure, and its listener receives the events")
    func fails() async {
        let log = EventLog()
        let connector = Connector.stub(.status(.notFound)).wrapped(by: .listen(to: log.listener))

        await model.load(isbn: "0", via: connector)

        #expect(model.text.contains("404"))
        #expect(log.names.contains("rejected"))
    }

    @Test("the thrown type is known on the main actor, too")
    func throwing() async {
        do throws(CallError<TransformError<Never>>) {
            _ = try await Title.endpoint(isbn: "0").value(via: .stub(.noResponse(.cancelled)))
            Issue.record("no error")
        } catch {
            #expect(error.left == .cancelled)
        }
    }
}
