import Foundation
import StartSmall
import StartSmallCaching
import StartSmallCookies
import StartSmallTesting
import Testing

struct CookiesTests {
    private static let url = CookieFixture.url("https://h.test/")

    private static func response(_ status: Int = 200, _ setCookies: String...) -> Response {
        Response(
            statusCode: .from(code: status),
            headers: HTTPHeaders(setCookies.map { .init(name: "Set-Cookie", value: $0) })
        )
    }

    /// Returns the output and the `Cookie` fields of a call of a stub in the wrapper.
    private static func call(
        _ output: Output,
        _ jar: CookieJar,
        _ input: Input = Input(url: url)
    ) async -> (output: Output, sent: [HTTPHeaders]) {
        let sent = Recorder<Input>()
        let connector = Connector.stub(output, recording: sent).wrapped(by: .cookies(in: jar))
        return (await WebAPI.call(with: input, via: connector), sent.elements.map(\.headers))
    }

    @Test("RFC 6265bis 5.8.1: one field with the cookies of the URL, beside the other fields")
    func sent() async {
        let jar = CookieFixture.jar(
            from: ("https://h.test/", "a=1"),
            ("https://h.test/", "b=2"),
            ("https://other.test/", "c=3")
        )
        let input = Input(url: Self.url, headers: ["Accept": "text/csv"])
        let sent = await Self.call(.hasResponse(Self.response()), jar, input).sent
        #expect(sent == [["Accept": "text/csv", "Cookie": "a=1; b=2"]])
    }

    @Test("a request with a Cookie field is sent as it is, and the cookies of its response are stored")
    func explicit() async {
        for own in ["x=y", ""] {
            let jar = CookieFixture.jar("a=1")
            let input = Input(url: Self.url, headers: ["cookie": own])
            #expect(await Self.call(.hasResponse(Self.response(200, "a=2")), jar, input).sent == [["cookie": own]])
            #expect(jar.header() == "a=2")
        }
    }

    @Test("the cookies of a stream are stored when its head arrives, whatever becomes of its body")
    func streams() async {
        let jar = CookieFixture.jar()
        let server = Connector { input in
            .open(Self.response(200, "a=\(input.headers["Cookie"] ?? "")"), ["a".utf8], silent: true)
        }
        let connector = server.wrapped(by: .cookies(in: jar))
        let input = Input(url: Self.url, delivery: .stream)
        let output = await WebAPI.call(with: input, via: connector)
        #expect(jar.header() == "a=")
        output.discard()
        // Released at once.
        _ = await WebAPI.call(with: input, via: connector)
        #expect(jar.header() == "a=a=")
    }

    @Test("a cache's response for another request sets no cookies, and one that it has passed on does")
    func stored() async {
        for (status, isReceived) in [
            ("StartSmall; hit; ttl=30", false), ("StartSmall; hit", false), ("StartSmall; fwd=uri-miss; stored", true),
            ("StartSmall; fwd=uri-miss; ttl=60; collapsed", false), ("StartSmall; fwd=stale; fwd-status=304", true),
            ("StartSmall; fwd=stale; fwd-status=503; ttl=-9; detail=stale-if-error", false),
            ("StartSmall; fwd=uri-miss; detail=no-store", true), ("CDN; hit", true), ("CDN; collapsed", true),
            ("", true),
        ] {
            var response = Self.response(200, "a=1")
            response.headers.append("Cache-Status", status)
            let jar = CookieFixture.jar()
            _ = await Self.call(.hasResponse(response), jar)
            #expect(jar.cookies.isEmpty != isReceived, "\(status)")
        }
    }

    @Test("RFC 6265bis 5.3: cookies are received from each status but 1xx, in order, and the response keeps its fields")
    func statuses() async {
        for status in [100, 101, 103, 199, 200, 204, 206, 301, 304, 400, 401, 404, 429, 500, 503, 599] {
            let jar = CookieFixture.jar()
            let response = Self.response(status, "a=1, x=y", "b=2; Path=/", "a=3")
            #expect(await Self.call(.hasResponse(response), jar).output == .hasResponse(response))
            #expect(jar.header() == (status < 200 ? nil : "a=3; b=2"), "\(status)")
        }
    }

    @Test("cookies are received from the response that an error keeps, complete or not")
    func errors() async {
        let response = Self.response(200, "a=1")
        for error: ConnectionError in [
            .rejected(response, reason: "rule"), .payloadTooLarge(response, limit: 1),
            .tooManyRedirects(response, limit: 1),
        ] {
            let jar = CookieFixture.jar()
            #expect(await Self.call(.noResponse(error), jar).output == .noResponse(error))
            #expect(jar.header() == "a=1", "\(error)")
        }
        let jar = CookieFixture.jar()
        #expect(await Self.call(.noResponse(.cancelled), jar).output == .noResponse(.cancelled))
        #expect(jar.cookies.isEmpty)
    }

    @Test("trailers set no cookies (RFC 9110 6.5.1)")
    func trailers() async {
        let jar = CookieFixture.jar()
        _ = await Self.call(.hasResponse(Response(statusCode: .ok, trailers: ["Set-Cookie": "a=1"])), jar)
        #expect(jar.cookies.isEmpty)
    }

    @Test("each cookie that is not stored is an event with its reason")
    func events() async {
        let log = EventLog()
        let stub = Connector.stub(.hasResponse(Self.response(200, "a=1", "b=2; Domain=test", "\u{1}", "c=3; Secure")))
        let connector = stub.wrapped(by: .listen(to: log.listener), .cookies(in: CookieFixture.jar()))
        _ = await WebAPI.call(with: Input(url: CookieFixture.url("http://h.test/")), via: connector)
        #expect(
            log.events.filter { $0.name == "cookieRejected" } == [
                .reported(CookieRejection.publicSuffix),
                .reported(CookieRejection.malformed),
                .reported(CookieRejection.insecure),
            ]
        )
    }

    @Test("the laws of wrappers")
    func laws() async {
        let jar = CookieFixture.jar(from: ("https://example.com/", "a=1"))
        #expect(await WrapperLaws { .cookies(in: jar) }.violations() == [])
    }

    @Test("the response of a request that began before all cookies were removed stores nothing; a later one does")
    func logout() async {
        let (jar, log) = (CookieFixture.jar("sid=1"), EventLog())
        let (begun, removed) = (Latch(), Latch())
        let connector = Connector.stub { input in
            begun.open()
            await removed.wait()
            return .hasResponse(Self.response(200, "sid=2"))
        }.wrapped(by: .listen(to: log.listener), .cookies(in: jar))
        async let call = WebAPI.call(with: Input(url: Self.url), via: connector)
        await begun.wait()
        jar.removeAll()
        removed.open()
        _ = await call
        #expect(jar.cookies.isEmpty)
        #expect(
            log.events.contains(
                .reported(CookieRejection.removedMeanwhile)
            )
        )
        _ = await WebAPI.call(with: Input(url: Self.url), via: connector)
        #expect(jar.header() == "sid=2")
    }
}

/// The order of `.cookies` and other wrappers, and its dry run.
struct CookiesOrderTests {
    private let jar = CookieJar()
    private let stub = Connector.stub(.status(.ok, headers: ["Set-Cookie": "a=b"]))

    @Test("cookies belong inside of redirects, retries and a base URL, and outside of a cache")
    func order() {
        let cache = Wrapper.cache(in: .memory())
        for other in [.redirect(), .retry(), .baseURL(URL(string: "https://example.com")!)] as [Wrapper] {
            #expect(stub.wrapped(by: .cookies(in: jar), other).check().map(\.inner) == [other.name])
            #expect(stub.wrapped(by: other, .cookies(in: jar)).check() == [])
        }
        for other in [cache, .shareInFlight()] {
            #expect(stub.wrapped(by: other, .cookies(in: jar)).check().map(\.outer) == [other.name])
            #expect(stub.wrapped(by: .cookies(in: jar), other).check() == [])
        }
        #expect(stub.wrapped(by: .redirect(), .cookies(in: jar), .log(.headers)).check() == [])
    }

    @Test("a dry run sends the cookies of the jar, and stores none")
    func dryRun() async {
        let input = Input(url: URL(string: "https://example.com/")!)
        let connector = stub.wrapped(by: .cookies(in: jar))
        #expect(await connector.dryRun(input) == .request(input))
        _ = await WebAPI.call(with: input, via: connector)
        #expect(await connector.dryRun(input).request?.headers["Cookie"] == "a=b")
        #expect(connector.description == "1. cookies\nstub")
    }
}
