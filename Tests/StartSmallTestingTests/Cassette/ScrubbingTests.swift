import Foundation
import StartSmall
import StartSmallTesting
import Testing

@Suite struct ScrubbingTests {
    private let file = TestFile()

    /// Each in another place, and none a part of another.
    private static let secrets = [
        "bearerTokenOne", "queryKeyTwo", "cookieValueThree", "formPasswordFour", "jsonPasswordFive", "jsonNestedSix",
        "answerTokenSeven", "setCookieEight", "locationCodeNine", "userInfoTen", "multipartEleven", "linkTokenTwelve",
        "trailerThirteen", "redirectFourteen", "apiKeyFifteen", "encoded/Sixteen+", "basicUserSeventeen",
        "basicPasswordEighteen", "proxyPasswordNineteen", userInfo, "quotedCookieTwenty", "locationUserTwentyOne",
    ]

    /// What an engine makes of `me:userInfoTen@`.
    private static let userInfo = "bWU6dXNlckluZm9UZW4="

    /// What a server tells again, where no name tells that it is secret.
    private static let repeated = """
        bearerTokenOne encoded/Sixteen+ basicUserSeventeen, basicPasswordEighteen, proxyPasswordNineteen \(userInfo) \
        quotedCookieTwenty linkTokenTwelve locationUserTwentyOne
        """

    /// One run in which every place has its secret, and some are told again where no name tells of them.
    private func run(scrubbing: Scrubbing = .standard) async {
        let json = #"{"user": "me", "password": "jsonPasswordFive", "auth": {"deep": ["jsonNestedSix"]}}"#
        let form = Either.form([.init(name: "user", value: "me"), .init(name: "password", value: "formPasswordFour")])
        let parts = Either.multipart([.text("title", "kept"), .text("password", "multipartEleven")])
        let inputs = [
            // The token is in a text before a name tells that it is one.
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
            let answer =
                #"{"access_token": "answerTokenSeven", "echo": "\#(echo.filter { $0 != "\"" && $0 != "\r" && $0 != "\n" })"}"#
            return .hasResponse(
                Response(
                    statusCode: .found,
                    headers: [
                        "Content-Type": "application/json", "Set-Cookie": "sid=setCookieEight; Path=/",
                        "Location": "https://b/back?code=locationCodeNine&state=1",
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

    @Test("no secret of the run is in the file", arguments: secrets)
    func noSecret(secret: String) async {
        await run()
        let text = file.text
        let forms = [secret, RFC3986.encoded(secret), secret.replacingOccurrences(of: "/", with: "\\/")]
        for form in forms { #expect(!text.contains(form), "\(form)") }
    }

    @Test("the test above can fail: without scrubbing, each secret is there", arguments: secrets)
    func control(secret: String) async {
        await run(scrubbing: Scrubbing(.none))
        #expect(file.text.contains(secret) || file.text.contains(RFC3986.encoded(secret)))
    }

    @Test("what is no secret stays")
    func kept() async {
        await run()
        let text = file.text
        for word in ["page=1", "Accept: */*", "kept", "state=1", "rel=next", "\\\"user\\\": \\\"me\\\"", "user=me"] {
            #expect(text.contains(word), "\(word)")
        }
        #expect(text.contains("?code=\(Redaction.placeholder)&state=1"))
        #expect(text.contains("api_key=\(Redaction.placeholder)&page=1"))
    }

    @Test("what was scrubbed is replayed to those who ask with their own secrets")
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
            Sample.input("https://a/use?token=%3Credacted%3E", headers: ["Authorization": "Bearer <redacted>"]),
        ]
        for input in asked {
            #expect(await WebAPI.call(with: input, via: connector).response?.statusCode == .ok)
        }
    }

    @Test("a redirect whose code was scrubbed can be followed in replay")
    func redirects() async {
        let stub = Connector.stub { input in
            input.url.path() == "/start"
                ? .status(.found, headers: ["Location": "https://a/back?code=the-real-code"]) : .text("there")
        }
        let start = Sample.input("https://a/start")
        _ = await WebAPI.call(with: start, via: stub.wrapped(by: .redirect(), .record(to: file.url))) as Output
        #expect(!file.text.contains("the-real-code"))
        let output = await WebAPI.call(with: start, via: .replay(from: file.url).wrapped(by: .redirect()))
        #expect(output.response?.payload == Data("there".utf8))
    }

    @Test("a function of one's own sees every text, and is asked in replay too")
    func ownFunction() async {
        let scrubbing = Scrubbing(also: { $0.replacingOccurrences(of: "octocat", with: "somebody") })
        await Connector.recording([Sample.user], to: file, scrubbing: scrubbing)
        #expect(!file.text.contains("octocat"))
        let output = await WebAPI.call(with: Sample.user, via: .replay(from: file.url, scrubbing: scrubbing))
        #expect(output.response?.payload == Data("{\n  \"login\": \"somebody\"\n}\n".utf8))
    }

    @Test("a redaction of one's own")
    func ownNames() async {
        let redaction = Redaction(names: ["login"], words: [])
        await Connector.recording([Sample.user], to: file, scrubbing: Scrubbing(redaction))
        #expect(!file.text.contains(#"\"octocat\""#))
    }

    @Test("a payload that is no text stays as it is")
    func bytes() async throws {
        let bytes = Data([0, 0xFF, 0xFE])
        await Connector.recording([Sample.user], to: file) { _ in
            .hasResponse(Response(statusCode: .ok, payload: bytes))
        }
        #expect(try Cassette(at: file.url).exchanges.first?.response.payload == bytes)
    }

    @Test("short secrets are hidden where their names tell, and do not hole what is written elsewhere")
    func short() async {
        let input = Sample.input("https://a/one?token=one", headers: ["Authorization": "one"])
        await Connector.recording([input], to: file)
        #expect(file.text.contains("https://a/one?token=<redacted>"))
    }
}
