import StartSmall
import StartSmallTesting

/// A user of an API: the request and the meaning of a response are defined side by side.
private struct User: Decodable, Sendable {
    let id: Int
    let login: String

    static func endpoint(byLogin login: String) -> Endpoint<TransformError<Never>, User> {
        .json(User.self, .get("/users/{login}", ["login": login]))
    }
}

extension Example {
    /// An example that decodes JSON to a custom type, and handles each error separately.
    static let getJSON = Example(
        name: "get-json",
        summary: "JSON decoded to a custom type",
        server: .stub(routes: [
            "GET /users/octocat": .json(#"{"id": 583231, "login": "octocat"}"#),
            "GET /users/broken": .json(#"{"id": "583231", "login": "broken"}"#),
            "GET /users/nobody": .status(.notFound),
        ])
    ) { context in
        for login in ["octocat", "broken", "nobody", ".."] {
            switch await User.endpoint(byLogin: login).fetch(via: context.app) {
            case .right(let user): context.print("\(user.login) has the id \(user.id)")
            case .left(.left(let error)): context.print("no response: \(error.name)")
            case .left(.right(.malformedData(_, let debugInfo))): context.print("no user: \(debugInfo)")
            case .left(.right(let error)): context.print("no user: \(error.response.statusCode)")
            }
        }
    }
}
