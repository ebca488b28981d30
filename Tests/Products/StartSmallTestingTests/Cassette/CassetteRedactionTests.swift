import Foundation
import StartSmall
import StartSmallForms
import StartSmallSupport
import StartSmallTesting
import Testing

@Suite struct CassetteRedactionTests {
    private let file = TestFile()

    /// Secrets in different places, none of which contains another.
    private static let secrets = [
        "bearerTokenOne", "queryKeyTwo", "cookieValueThree", "formPasswordFour", "jsonPasswordFive", "jsonNestedSix",
        "answerTokenSeven", "setCookieEight", "locationCodeNineOfLogin", "userInfoTen", "multipartEleven",
        "linkTokenTwelve",
        "trailerThirteen", "redirectFourteen", "apiKeyFifteen", "encoded/Sixteen+", "basicUserSeventeen",
        "basicPasswordEighteen", "proxyPasswordNineteen", userInfo, "quotedCookieTwenty", "locationUserTwentyOne",
    ]

    /// The credentials that an engine derives from `me:userInfoTen@`.
    private static let userInfo = "bWU6dXNlckluZm9UZW4="

    /// The secrets that a server echoes where no name marks them as secret.
    private static let repeated = """
        bearerTokenOne encoded/Sixteen+ basicUserSeventeen, basicPasswordEighteen, proxyPasswordNineteen \(userInfo) \
        quotedCookieTwenty linkTokenTwelve locationUserTwentyOne
        """

    /// Records a run with a secret in every place, some of which the server echoes where no name marks them.
    private func run(scrubbing: CassetteRedaction = .standard) async {
        let json = #"{"user": "me", "password": "jsonPasswordFive", "auth": {"deep": ["jsonNestedSix"]}}"#
        let form = Either.form([.init(name: "user", value: "me"), .init(name: "password", value: "formPasswordFour")])
        let parts = Either.multipart([.text("title", "kept"), .text("password", "multipartEleven")])
        let inputs = [
            // The token is in a text before a name marks it as a secret.
            Sample.input("https://me:userInfoTen@a/echo?api_key=queryKeyTwo&page=1"),
            Sample.input(
                "https://a/sessions/bearerTokenOne",
                headers: [
                    "Authorization": "Bearer bearerTokenOne", "Cookie": "a=cookieValueThree; theme=dark",
                    "X-API-Key": "apiKeyFifteen", "Accept": "*/*",
                ]
            ),
            Sample.input("https://a/form", .post(payload: form.right)),
            Sample.input("https://a/json", .post(payload: Either.text(json, mediaType: .json).right)),
            Sample.input("https://a/parts", .post(payload: parts.right)),
            Sample.input("https://a/q?token=encoded%2FSixteen%2B"),
            Sample.input(
                "https://a/basic",
                headers: [
                    "Authorization": Self.basic("basicUserSeventeen:basicPasswordEighteen"),
                    "Proxy-Authorization": Self.basic("me:proxyPasswordNineteen"), "Cookie": "q=\"quotedCookieTwenty\"",
                ]
            ),
        ]
        await Connector.recording(inputs, to: file, scrubbing: scrubbing) { input in
            let body = String(decoding: input.methodAndPayload.body ?? Data(), as: UTF8.self)
            let echo = "you said \(input.url) \(input.headers.fields.map(\.value)) \(body) \(Self.repeated)"
            let echoed = echo.filter { $0 != "\"" && $0 != "\r" && $0 != "\n" }
            let answer = #"{"access_token": "answerTokenSeven", "echo": "\#(echoed)"}"#
            return .hasResponse(
                Response(
                    statusCode: .found,
                    headers: [
                        "Content-Type": "application/json", "Set-Cookie": "sid=setCookieEight; Path=/",
                        "Location": "https://b/back?code=locationCodeNineOfLogin&state=1",
                        "Content-Location": "https://me:locationUserTwentyOne@b/",
                        "Link": "<https://b/next?token=linkTokenTwelve>; rel=next",
                    ],
                    payload: Data(answer.utf8),
                    trailers: ["X-Signature": "trailerThirteen"],
                    redirections: [
                        Redirection(
                            from: input.url,
                            statusCode: .found,
                            to: Sample.input("https://b/?access_token=redirectFourteen").url
                        )
                    ]
                )
            )
        }
    }

    private static func basic(_ userAndPassword: String) -> String {
        "Basic \(Data(userAndPassword.utf8).base64EncodedString())"
    }

    @Test("no secret of the run is in the file") func noSecret() async {
        await run()
        let text = file.text
        for secret in Self.secrets {
            let forms = [secret, URIEncoding.encoded(secret), secret.replacingOccurrences(of: "/", with: "\\/")]
            for form in forms { #expect(!text.contains(form), "\(form)") }
        }
    }

    @Test("without redaction, each secret is in the file, so the test above can fail")
    func control() async {
        await run(scrubbing: CassetteRedaction(.none))
        let text = file.text
        for secret in Self.secrets {
            #expect(text.contains(secret) || text.contains(URIEncoding.encoded(secret)), "\(secret)")
        }
    }

    @Test("values that are no secrets are kept")
    func kept() async {
        await run()
        let text = file.text
        for word in ["page=1", "Accept: */*", "state=1", "rel=next", "\\\"user\\\": \\\"me\\\"", "user=me"] {
            #expect(text.contains(word), "\(word)")
        }
        #expect(text.contains("?code=\(CassetteRedaction.placeholder)&state=1"))
        #expect(text.contains("api_key=\(CassetteRedaction.placeholder)&page=1"))
    }

    @Test("a redacted exchange is replayed for requests with other secrets")
    func replays() async {
        let answer = Output.json(#"{"access_token": "first-real-token"}"#)
        let login = Sample.input("https://a/login?client_secret=real-secret-1")
        let use = Sample.input(
            "https://a/use?token=first-real-token",
            headers: ["Authorization": "Bearer first-real-token"]
        )
        await Connector.recording([login, use], to: file) { _ in answer }
        let connector = Connector.replay(from: file.url, matching: .methodAndURL.and(.headers("Authorization")))
        let asked = [
            Sample.input("https://a/login?client_secret=test"),
            Sample.input("https://a/use?token=%5Bredacted%5D", headers: ["Authorization": "Bearer [redacted]"]),
        ]
        for input in asked {
            #expect(await WebAPI.call(with: input, via: connector).response?.statusCode == .ok)
        }
    }

    @Test("a redirect with a redacted code can be followed in replay")
    func redirects() async {
        let stub = Connector.stub { input in
            input.url.path() == "/start"
                ? .status(.found, headers: ["Location": "https://a/back?code=the-real-code-of-a-login"])
                : .text("there")
        }
        let start = Sample.input("https://a/start")
        _ = await WebAPI.call(with: start, via: stub.wrapped(by: .redirect(), .record(to: file.url)))
        #expect(!file.text.contains("the-real-code-of-a-login"))
        let output = await WebAPI.call(with: start, via: .replay(from: file.url).wrapped(by: .redirect()))
        #expect(output.response?.payload == Data("there".utf8))
    }

    @Test("a cassette can use a custom redaction, and a custom function, which is applied in replay too")
    func own() async {
        let redaction = CassetteRedaction(Redaction(names: ["login"], words: []))
        await Connector.recording([Sample.user], to: file, scrubbing: redaction)
        #expect(!file.text.contains("octocat\\\"") && file.text.contains("login"))
        file.remove()
        let scrubbing = CassetteRedaction(also: { $0.replacingOccurrences(of: "octocat", with: "somebody") })
        await Connector.recording([Sample.user], to: file, scrubbing: scrubbing)
        #expect(!file.text.contains("octocat"))
        let output = await WebAPI.call(with: Sample.user, via: .replay(from: file.url, scrubbing: scrubbing))
        #expect(output.response?.payload == Data("{\n  \"login\": \"somebody\"\n}\n".utf8))
    }

    @Test("requests that differ in an ambiguous name's short value are each answered by their own exchange")
    func ambiguousNames() async {
        let inputs = ["NRT", "CDG"].map { Sample.input("https://a/airports?code=\($0)") }
        await Connector.recording(inputs, to: file) { .text($0.url.query() ?? "") }
        let connector = Connector.replay(from: file.url)
        for input in inputs.reversed() {
            #expect(await WebAPI.call(with: input, via: connector) == .text(input.url.query() ?? ""))
        }
    }

    @Test("the key of a license is no secret, and its URL is kept")
    func license() async throws {
        let json = #"{"license":{"key":"apache-2.0","url":"https://api.github.com/licenses/apache-2.0"}}"#
        await Connector.recording([Sample.input("https://a/licenses/apache-2.0")], to: file) { _ in .json(json) }
        let exchange = try #require(try Cassette(at: file.url).exchanges.first)
        #expect(exchange.input.url.absoluteString == "https://a/licenses/apache-2.0")
        #expect(exchange.response.payload == Data(json.utf8))
    }

    @Test(
        "a value as long as a credential is hidden under an ambiguous name, and wherever it is repeated",
        arguments: ["https://a/?code=", "https://a/?key=", "https://a/?access="]
    )
    func longOrdinary(url: String) async {
        await Connector.recording([Sample.input(url + "0123456789abcdefghij")], to: file) { _ in
            .text("you said 0123456789abcdefghij")
        }
        #expect(!file.text.contains("0123456789"))
        #expect(file.text.contains("you said [redacted]"))
    }

    private struct Login: Codable, Equatable, Sendable {
        var password: String
        var pin: Int
        var isSession: Bool
        var token: String?
        var cookies: [String]
        var credentials: [String: Int]
        var secret: String
    }

    @Test("a redacted response is decoded by the same type as the original")
    func decodable() async {
        let json = """
            {"password":"hunter2","pin":1234,"isSession":true,"token":null,"cookies":["hunter2",""],\
            "credentials":{"a":7},"secret":""}
            """
        await Connector.recording([Sample.user], to: file) { _ in .json(json) }
        let endpoint = Endpoint.json(Login.self, .get("https://api.example.com/users/octocat"))
        let login = await endpoint.fetch(via: .replay(from: file.url))
        let expected = Login(
            password: "[redacted]",
            pin: 0,
            isSession: true,
            token: nil,
            cookies: ["[redacted]", ""],
            credentials: ["a": 0],
            secret: ""
        )
        #expect(login == .right(expected))
    }

    @Test("a short secret is hidden under its name, and the same text elsewhere is kept")
    func short() async {
        let input = Sample.input("https://a/one?token=one", headers: ["Authorization": "one"])
        await Connector.recording([input], to: file)
        #expect(file.text.contains("https://a/one?token=[redacted]"))
    }
}
