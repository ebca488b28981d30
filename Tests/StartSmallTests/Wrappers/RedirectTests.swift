import Foundation
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

struct RedirectTests {
    private static let start = URL(string: "https://api.example.com/a/b?x=1")!
    private static let methods: [HTTPMethodAndPayload] = [
        .get, .head, .options(payload: nil), .trace, .post(payload: payload), .put(payload: payload),
        .patch(payload: payload), .delete(payload: payload), .custom(method: "QUERY", payload: payload),
    ]
    private static let payload = Payload(.data(Data("{}".utf8)), mediaType: .json)

    /// Returns the requests and the output of a call with a redirect as its first answer, and none as its second.
    private func follow(
        _ status: Int = 302,
        to location: String? = "/next",
        from input: Input = Input(url: start),
        _ policy: RedirectPolicy = RedirectPolicy()
    ) async -> (sent: [Input], output: Output) {
        await follow([(status, location)], from: input, policy)
    }

    private func follow(
        _ steps: [(status: Int, location: String?)],
        from input: Input = Input(url: start),
        _ policy: RedirectPolicy = RedirectPolicy(),
        _ wrappers: Wrapper...
    ) async -> (sent: [Input], output: Output) {
        let sent = Recorder<Input>()
        let answers = steps.map { step in
            Output.hasResponse(
                Response(
                    statusCode: .from(code: step.status),
                    headers: HTTPHeaders(step.location.map { [.init(name: "location", value: $0)] } ?? [])
                )
            )
        }
        let stub = Connector.stub(sequence: answers + [.hasResponse(Fixture.ok)], recording: sent)
        let output = await WebAPI.call(with: input, via: stub.wrapped(by: .all([.redirect(policy)] + wrappers)))
        return (sent.elements, output)
    }

    // The table of methods.

    @Test(
        "301 and 302 turn POST into GET, 303 every method but HEAD, and 307 and 308 keep every method and payload",
        arguments: [301, 302, 303, 307, 308],
        methods
    )
    func changed(_ status: Int, _ method: HTTPMethodAndPayload) async {
        let becomesGET = status == 303 ? method != .head : status < 303 && method.method == "POST"
        let sent = await follow(status, from: Input(url: Self.start, methodAndPayload: method)).sent
        #expect(sent.last?.methodAndPayload == (becomesGET ? .get : method))
    }

    private static let elsewhere = "https://other.example.com/next"

    @Test(
        "the payload of a token request never leaves its origin, even if the policy allows payloads to (RFC 9700 4.12)",
        arguments: [307, 308],
        [
            Payload(.data(Data("grant_type=refresh_token&refresh_token=s".utf8)), mediaType: .form),
            Payload(.data(Data("client_id=a&grant%5Ftype=password".utf8)), mediaType: .form),
            Payload(.data(Data(#"{"grant_type": "client_credentials"}"#.utf8)), mediaType: .json),
        ]
    )
    func tokenRequest(_ status: Int, _ payload: Payload) async {
        let post = Input(url: Self.start, methodAndPayload: .post(payload: payload))
        let policy = RedirectPolicy(sendsPayloadToOtherOrigins: true)
        let (sent, output) = await follow(status, to: Self.elsewhere, from: post, policy)
        #expect(sent.count == 1)
        #expect(output.response?.statusCode.code == status)
        let within = await follow(status, to: "/token", from: post, policy).sent
        #expect(within.count == 2 && within.last?.methodAndPayload == post.methodAndPayload)
    }

    @Test(
        "a payload that only mentions grant_type is no token request",
        arguments: [
            Payload(.data(Data("text=grant_type&grant_types=a".utf8)), mediaType: .form),
            Payload(.data(Data("grant_type=a".utf8)), mediaType: .text),
        ]
    )
    func noTokenRequest(_ payload: Payload) async {
        let post = Input(url: Self.start, methodAndPayload: .post(payload: payload))
        let policy = RedirectPolicy(sendsPayloadToOtherOrigins: true)
        #expect(await follow(307, to: Self.elsewhere, from: post, policy).sent.count == 2)
    }

    // Allowed hosts.

    @Test(
        "a redirect leads to allowed hosts only; any other is returned as it is",
        arguments: [
            ("https://cdn.example.net/a", true), ("https://CDN.example.NET/a", true),
            ("http://cdn.example.net/", false),
            ("https://cdn.example.net:8443/a", true), ("https://a.files.example.org/", true),
            ("https://a.b.files.example.org/", true), ("https://files.example.org/", false),
            ("https://.files.example.org/", false), ("https://evilfiles.example.org/", false),
            ("https://cdn.example.net.evil.example/", false), ("https://evil.example/cdn.example.net", false),
            ("https://evil.example/?cdn.example.net", false), ("https://cdn.example.net@evil.example/", false),
            ("https://evil.example#cdn.example.net", false), ("//evil.example/", false),
            ("https://cdn.example.net./a", false), ("https://cdn%2Eexample.net/a", false), ("/b", true),
            ("https://api.example.com:444/", true), ("https://127.0.0.1/", false), ("https://[::1]/", false),
        ]
    )
    func allowedHosts(location: String, isFollowed: Bool) async {
        let policy = RedirectPolicy(allowedHosts: ["cdn.Example.net", "*.files.example.org"])
        let (sent, output) = await follow(302, to: location, policy)
        #expect(sent.count == (isFollowed ? 2 : 1), "\(location)")
        #expect(output.response?.statusCode.code == (isFollowed ? 200 : 302))
    }

    @Test("with no allowed host, redirects stay at their host, and lead back to the host of the call")
    func noAllowedHost() async {
        #expect(await follow(302, to: Self.elsewhere, RedirectPolicy(allowedHosts: [])).sent.count == 1)
        #expect(await follow(302, to: "/b", RedirectPolicy(allowedHosts: [])).sent.count == 2)
        let there = (302, Optional("https://cdn.example.net/"))
        let back = (302, Optional("https://api.example.com/"))
        let policy = RedirectPolicy(allowedHosts: ["cdn.example.net"])
        #expect(await follow([there, back], policy).sent.count == 3)
        #expect(await follow([there, (302, "https://evil.example/")], policy).sent.count == 2)
    }

    @Test(
        "a redirect that would take a payload to another origin is returned as it is",
        arguments: [301, 302, 307, 308]
    )
    func payloadToOtherOrigin(_ status: Int) async {
        let put = Input(
            url: Self.start,
            headers: ["Authorization": "Bearer t"],
            methodAndPayload: .put(payload: Self.payload)
        )
        let (sent, output) = await follow(status, to: Self.elsewhere, from: put)
        #expect(sent.count == 1)
        #expect(output.response?.statusCode.code == status)
        #expect(output.response?.headers["Location"] == Self.elsewhere)
        // The policy may allow it, without credentials.
        let policy = RedirectPolicy(sendsPayloadToOtherOrigins: true)
        let allowed = await follow(status, to: Self.elsewhere, from: put, policy).sent.last
        #expect(allowed?.url.absoluteString == Self.elsewhere && allowed?.headers == [:])
        #expect(allowed?.methodAndPayload == put.methodAndPayload)
    }

    @Test("a request that has no payload, or loses it, is followed to another origin", arguments: [301, 302, 303, 307])
    func noPayloadToOtherOrigin(_ status: Int) async {
        let post = HTTPMethodAndPayload.post(payload: status == 307 ? nil : Self.payload)
        let sent = await follow(status, to: Self.elsewhere, from: Input(url: Self.start, methodAndPayload: post)).sent
        #expect(sent.last?.url.absoluteString == Self.elsewhere)
        #expect(sent.last?.methodAndPayload.payload == nil)
    }

    @Test("every other status is returned as it is, with or without a Location", arguments: [nil, "/next"])
    func otherStatuses(_ location: String?) async {
        for status in 100...599 where ![301, 302, 303, 307, 308].contains(status) {
            let (sent, output) = await follow(status, to: location)
            #expect(sent.count == 1 && output.response?.statusCode.code == status)
        }
    }

    @Test("header fields that describe a payload are removed with it")
    func describingFields() async {
        let input = Input(
            url: Self.start,
            headers: [
                "Content-Type": "text/plain", "content-language": "ja", "Content-Encoding": "gzip", "Accept": "*/*",
            ],
            methodAndPayload: .post(payload: Self.payload)
        )
        #expect(await follow(303, from: input).sent.last?.headers == ["Accept": "*/*"])
        #expect(await follow(307, from: input).sent.last?.headers == input.headers)
    }

    // Targets.

    @Test(
        "a Location is resolved as in RFC 3986 5.4, and one without slashes or a fragment leads where browsers go",
        arguments: [
            ("https://api.example.com/a/b", "/next", "https://api.example.com/next"),
            ("https://api.example.com/a/b", "next", "https://api.example.com/a/next"),
            ("https://api.example.com/a/b", "../../../next", "https://api.example.com/next"),
            ("https://api.example.com/a/b", "./c/./d/../e", "https://api.example.com/a/c/e"),
            ("https://api.example.com/a/b", "?y=2", "https://api.example.com/a/b?y=2"),
            ("https://api.example.com/a/b", "//other.example.com/next", "https://other.example.com/next"),
            ("https://api.example.com/a/b", "HTTPS://API.EXAMPLE.COM/next", "HTTPS://API.EXAMPLE.COM/next"),
            ("http://api.example.com/a/b", "http:foo.com", "http://api.example.com/a/foo.com"),
            ("http://api.example.com/a/b", "http:/foo", "http://api.example.com/foo"),
            ("http://api.example.com/a/b", "https:foo.com", "https://foo.com"),
            ("http://api.example.com/a/b", "https:/foo.com/x", "https://foo.com/x"),
            ("https://api.example.com/a/b", "http:foo.com", nil),
            ("https://api.example.com/#old", "/n", "https://api.example.com/n#old"),
            ("https://api.example.com/#old", "/n#new", "https://api.example.com/n#new"),
            ("https://me:secret@api.example.com/a", "/b", "https://me:secret@api.example.com/b"),
            ("https://me:secret@api.example.com/a", "https://api.example.com/b", "https://me:secret@api.example.com/b"),
        ] as [(String, String, String?)]
    )
    func resolution(_ start: String, _ location: String, _ expected: String?) async {
        let input = Input(url: URL(string: start)!, queries: [URLQueryItem(name: "q", value: "1")])
        let sent = await follow(to: location, from: input).sent
        // The query items of the first request are not sent again.
        #expect(Array(sent.dropFirst()) == (expected.map { [Input(url: URL(string: $0)!)] } ?? []))
    }

    @Test(
        "a Location that is no http or https URL, or leads from https to http, is not followed",
        arguments: [
            nil, "", "ftp://example.com/", "file:///etc/passwd", "javascript:alert(1)", "http://", "https:///x",
            "http://api.example.com/next",
        ]
    )
    func notFollowed(_ location: String?) async {
        let (sent, output) = await follow(to: location)
        #expect(sent.count == 1 && output.response?.statusCode == .found)
    }

    @Test(
        "a redirect to a URL to which no request can be sent is returned as it is",
        arguments: [
            "http://127.0.0.1:99999/", "//api.example.com:65536", "https://api.example.com:99999999999999999999/",
            "https://a%0Ab:c@api.example.com/", "https://[::1%25lo]/", "https://api.example.com:x/",
        ]
    )
    func unsendable(_ location: String) async throws {
        let start = try #require(URL(string: location.hasPrefix("http:") ? "http://127.0.0.1/" : "https://h/"))
        let (sent, output) = await follow(to: location, from: Input(url: start))
        #expect(output.response?.statusCode == .found, "\(output)")
        #expect(sent.count == 1)
    }

    // Credentials.

    private static let secrets: HTTPHeaders = [
        "Authorization": "Bearer s", "cookie": "sid=s", "Proxy-Authorization": "Basic s", "X-Api-Key": "s",
        "X-Auth-Token": "s", "X-Ticket": "s", "Host": "h", "Accept": "*/*", "Idempotency-Key": "1",
    ]

    private static let harmless: HTTPHeaders = ["Accept": "*/*", "Idempotency-Key": "1"]

    @Test(
        "credentials are removed if scheme, host or port changes",
        arguments: ["https://other.example.com/", "https://api.example.com:8443/", "//example.com/"]
    )
    func crossOrigin(_ location: String) async {
        let input = Input(url: Self.start, headers: Self.secrets)
        let sent = await follow(to: location, from: input, RedirectPolicy(alsoDropping: ["x-ticket"])).sent
        #expect(sent.last?.headers == Self.harmless)
    }

    @Test(
        "credentials are kept for the same origin, in any spelling",
        arguments: ["/next", "https://API.example.com:443/n"]
    )
    func sameOrigin(_ location: String) async {
        let input = Input(url: Self.start, headers: Self.secrets)
        #expect(await follow(to: location, from: input).sent.last?.headers == Self.secrets)
    }

    @Test("removed credentials do not return if a later redirect leads back")
    func forGood() async {
        let input = Input(url: Self.start, headers: ["Authorization": "Bearer s"])
        let steps = [(302, "https://other.example.com/"), (302, Self.start.absoluteString)]
        #expect(await follow(steps, from: input).sent.map { $0.headers["Authorization"] } == ["Bearer s", nil, nil])
    }

    @Test("user information in the first URL is not sent to another host")
    func userInfo() async {
        let input = Input(url: URL(string: "https://me:secret@api.example.com/")!)
        let sent = await follow(to: "https://other.example.com/", from: input).sent
        #expect(sent.last?.url.absoluteString == "https://other.example.com/")
    }

    // Limits.

    @Test("the limit counts redirects, and the last response is kept", arguments: [0, 1, 20])
    func limit(_ limit: Int) async {
        let steps = Array(repeating: (status: 302, location: "/again" as String?), count: limit + 1)
        let within = await follow(Array(steps.dropLast()), RedirectPolicy(limit: limit))
        #expect(within.output.response?.statusCode == .ok)
        #expect(within.sent.count == limit + 1)
        let over = await follow(steps, RedirectPolicy(limit: limit))
        let (error, response) = (over.output.connectionError, over.output.connectionError?.response)
        #expect(error?.refusal(TooManyRedirects.self)?.limit == limit)
        #expect(over.sent.count == limit + 1)
        #expect(response?.statusCode == .found)
        #expect(response?.redirections.count == limit)
    }

    // Events.

    @Test("the redirections are kept in the response and reported to listeners")
    func trail() async {
        let log = EventLog()
        let steps: [(Int, String?)] = [(301, "/b"), (307, "https://other.example.com/c#d")]
        let (_, output) = await follow(steps, RedirectPolicy(), .listen(to: log.listener))
        let trail = [
            Redirection(
                from: Self.start,
                statusCode: .movedPermanently,
                to: URL(string: "https://api.example.com/b")!
            ),
            Redirection(
                from: URL(string: "https://api.example.com/b")!,
                statusCode: .temporaryRedirect,
                to: URL(string: "https://other.example.com/c#d")!
            ),
        ]
        #expect(output.response?.redirections == trail && output.response?.url == trail[1].to)
        #expect(log.events.dropFirst().dropLast(3) == trail.map { .reported($0) })
        #expect(log.names == ["started", "redirecting", "redirecting", "received", "succeeded", "ended"])
    }

    @Test("a response in an error has its redirections")
    func trailInErrors() async {
        let moved = Output.status(.found, headers: ["Location": "/next"])
        let tooLarge = ConnectionError.payloadTooLarge(Fixture.ok, limit: 1)
        for error in [tooLarge, Fixture.lost(after: Fixture.ok)] {
            let stub = Connector.stub(sequence: [moved, .noResponse(error)])
            let failed = await WebAPI.call(with: Input(url: Self.start), via: stub.wrapped(by: .redirect()))
            #expect(failed.connectionError?.name == error.name)
            let partial = failed.connectionError?.response ?? failed.connectionError?.cause?.partial
            #expect(partial?.redirections.map(\.from) == [Self.start])
        }
    }
}
