import Foundation
import StartSmall
import StartSmallJSON
import StartSmallTesting
import TestSupport
import Testing

private struct Author: Codable, Hashable, Sendable {
    var id: Int
    var name: String
}

enum AppError: Error {
    case unauthenticated(Response)
    case forbidden(Response)
    case api(TransformError<ProblemDetails>)
}

extension Endpoint where Failure == AppError, Value: Decodable {
    static func app(_ type: Value.Type, _ input: Either<ConnectionError, Input>) -> Endpoint {
        Endpoint<TransformError<ProblemDetails>, Value>.json(type, input, problem: ProblemDetails.self)
            .mapFailure(AppError.api)
            .failing(by: [.unauthorized: AppError.unauthenticated, .forbidden: AppError.forbidden])
    }
}

/// The Swift blocks of Sources/StartSmall/StartSmall.docc/ReadingResponses.md, in order.
struct ReadingResponsesExamples {
    private let user = Author(id: 1, name: "Ada")
    private let json = #"{"id": 1, "name": "Ada"}"#

    @Test("an endpoint can be declared in one line", .parity("B23"))
    func oneLine() async throws {
        let created = Endpoint.json(Author.self, .post("https://api.example.com/users", payload: .json(user)))
        let page = Endpoint.text(.get("https://api.example.com/page"))
        let removed = Endpoint.empty(.delete("https://api.example.com/users/{id}", ["id": 1]))

        #expect(await created.fetch(via: .stub(.json(json, status: .created))) == .right(user))
        #expect(await page.fetch(via: .stub(.text("hello"))) == .right("hello"))
        #expect(await removed.fetch(via: .stub(.status(.noContent))).right != nil)

        let none = Response(statusCode: .noContent).json(Author?.self)

        #expect(none == .right(nil))

        typealias Settings = [String: Bool]
        let response = Response(statusCode: .ok, payload: try PropertyListEncoder().encode(["isDark": true]))

        let settings = response.model { try PropertyListDecoder().decode(Settings.self, from: $0) }

        #expect(settings == .right(["isDark": true]))

        let authors = Endpoint.json([Author].self, .get("https://api.example.com/users"), decoder: .fast)

        #expect(await authors.fetch(via: .stub(.json("[\(json)]"))) == .right([user]))
    }

    @Test("an endpoint accepts responses by status, by media type and by value, and a 404 can be nil")
    func accepting() async {
        let made = Endpoint.json(Author.self, .get("https://api.example.com/user"), accepting: .only(.created))
        let whatever = Endpoint.text(.get("https://api.example.com/user"), accepting: .all)

        #expect(await made.fetch(via: .stub(.json(json))).right == nil)
        #expect(await whatever.fetch(via: .stub(.text("no", status: .forbidden))) == .right("no"))

        let logo = Endpoint.data(.get("https://api.example.com/logo")).expecting("image/png", "image/svg+xml")

        #expect(await logo.fetch(via: .stub(.text("<html>"))).right == nil)

        let users = Endpoint.json([Author].self, .get("https://api.example.com/users"))
            .recover(from: .notFound, as: [])
            .validated { $0.count > 100 ? "more than 100 users" : nil }

        #expect(await users.fetch(via: .stub(.status(.notFound))) == .right([]))

        let author = Endpoint.json(Author?.self, .get("https://api.example.com/authors/{id}", ["id": 7]))
            .recover(from: .notFound, as: nil)

        #expect(await author.fetch(via: .stub(.json(json))) == .right(user))
        #expect(await author.fetch(via: .stub(.status(.notFound))) == .right(nil))
    }

    @Test("the error of an HTML page in place of JSON names its media type")
    func malformed() {
        let portal = Response(
            statusCode: .ok,
            headers: ["Content-Type": "text/html"],
            payload: Data("<html>".utf8)
        )

        let reason = "the payload can't be read: The given data was not valid JSON."
        #expect(
            portal.json(Author.self).left
                == .malformedData(portal, debugInfo: "text/html where JSON is expected: \(reason)")
        )
    }

    @Test("a problem can be any Decodable type, such as the RFC 9457 type ProblemDetails", .parity("D5"))
    func problems() async {
        let connector = Connector.stub(
            .json(#"{"title": "You do not have enough credit.", "balance": 30}"#, status: .forbidden)
        )

        let transfer = Endpoint.json(Author.self, .get("https://api.example.com/user"), problem: ProblemDetails.self)

        let problem = await transfer.fetch(via: connector).failure?.problem

        #expect(problem?.title == "You do not have enough credit.")
        #expect(problem?.extensions["balance"] == .integer(30))
    }

    @Test(
        "an app distinguishes its failures",
        .parity("D10"),
        arguments: [
            (.json(#"{"id": 1, "name": "Ada"}"#), "hello, Ada"), (.status(.unauthorized), "please sign in"),
            (.status(.forbidden), "not for you"), (.json(#"{"title": "busy"}"#, status: .conflict), "busy"),
            (.status(.badGateway), "not understood"),
            (.noResponse(.cancelled), "no response: \(ConnectionError.cancelled)"),
        ] as [(Output, String)]
    )
    func statusTable(_ output: Output, _ expected: String) async {
        let connector = Connector.stub(output)

        let told =
            switch await Endpoint.app(Author.self, .get("https://api.example.com/user")).fetch(via: connector) {
            case .right(let user): "hello, \(user.name)"
            case .left(.left(let connectionError)): "no response: \(connectionError)"
            case .left(.right(.unauthenticated)): "please sign in"
            case .left(.right(.forbidden)): "not for you"
            case .left(.right(.api(let error))): error.problem?.title ?? "not understood"
            }

        #expect(told == expected)
    }

    @Test("a 304 is a separate value")
    func conditional() async throws {
        let connector = Connector.stub(sequence: [.json(json, headers: ["ETag": "\"a\""]), .status(.notModified)])
        var kept: CacheValidators?
        var told = ""

        for expected in ["Ada", "as before"] {
            let user = Endpoint.json(Author.self, .get("https://api.example.com/user"))

            switch await user.ifNoneMatch(kept?.etag).fetch(via: connector) {
            case .right(.notModified): told = "as before"
            case .right(.modified(let user, let validators)): (told, kept) = (user.name, validators)
            case .left(let failure): told = "\(failure)"
            }

            #expect(told == expected)
        }

        let tag = try #require(kept?.etag)

        typealias Built = Either<ConnectionError, Input>

        let changed = Built.put("https://api.example.com/user", payload: .text("new")).ifMatch(tag)
        let createdOnly = Built.put("https://api.example.com/user", payload: .text("new")).ifNoneMatch(.any)

        #expect(changed.right?.headers["If-Match"] == "\"a\"")
        #expect(createdOnly.right?.headers["If-None-Match"] == "*")
    }

    @Test("calls are made in sequence and concurrently")
    func several() async {
        let connector = Connector.stub(
            routes: [
                "GET /user": .json(json), "GET /users/1/repositories": .json(#"["a", "b"]"#),
                "GET /news": .text("none"),
            ]
        )
        let user = Endpoint.json(Author.self, .get("https://api.example.com/user"))
        let news = Endpoint.text(.get("https://api.example.com/news"))

        let repositories = user.flatMap { user in
            Endpoint.json([String].self, .get("https://api.example.com/users/{id}/repositories", ["id": user.id]))
        }
        let start = user.zip(news).map { user, news in "\(user.name): \(news)" }

        #expect(await repositories.fetch(via: connector) == .right(["a", "b"]))
        #expect(await start.fetch(via: connector) == .right("Ada: none"))
    }
}
