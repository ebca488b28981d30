import StartSmall
import StartSmallTesting
import Testing

/// The Swift blocks of README.md and Docs/README.ja.md.
struct ReadmeExamples {
    struct User: Decodable {
        let id: Int
        let login: String
    }

    let user = Endpoint.json(User.self, .get("https://api.github.com/users/{login}", ["login": "octocat"]))

    /// The first call; compiled only, since it needs the network.
    func use() async {
        switch await user.fetch() {
        case .right(let user): print("\(user.login) is number \(user.id)")
        case .left(.left(let connectionError)): print("no response: \(connectionError)")
        case .left(.right(let transformError)): print("no user: \(transformError.response.statusCode)")
        }
    }

    @Test("a missing user is a failure with the response")
    func notFound() async {
        let stub = Connector.stub(.json(#"{"message": "Not Found"}"#, status: .notFound))

        let errorOrUser = await user.fetch(via: stub)

        #expect(errorOrUser.failure?.response.statusCode == .notFound)
    }

    @Test("the README's wrapper sets a header, but the request's own header takes precedence")
    func ownWrapper() async {
        let sent = Recorder<Input>()
        let connector = Connector.stub(.hasResponse(Response(statusCode: .ok)), recording: sent)
            .wrapped(by: .inJapanese)

        _ = await Endpoint.text(.get("https://example.com/")).fetch(via: connector)
        _ = await Endpoint.text(.get("https://example.com/", headers: ["accept-language": "fr"])).fetch(via: connector)

        #expect(sent.elements.map { $0.headers["Accept-Language"] } == ["ja", "fr"])
        #expect(Connector.app.check() == [])
    }
}

extension Wrapper {
    static let inJapanese = Wrapper { input, next in
        await next(input.with { $0.headers.setIfAbsent("Accept-Language", to: "ja") })
    }
}

extension Connector {
    static let app = Connector.standard.wrapped(by: .inJapanese, .retry(), .timeout(.seconds(10)))
}
