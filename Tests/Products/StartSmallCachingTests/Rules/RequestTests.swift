import Foundation
import StartSmall
import StartSmallTesting
import Testing

@testable import StartSmallCaching

struct RequestClassTests {
    private func passesThrough(_ input: Input) -> (forward: String, detail: String?, isUnsafe: Bool)? {
        guard case .passThrough(let forward, let detail, let isUnsafe) = RequestClass(of: input, CacheOptions()) else {
            return nil
        }
        return (forward, detail, isUnsafe)
    }

    @Test("safe methods and GET invalidate nothing, all others do (RFC 9111 4, 4.4; RFC 9110 9.2.1)")
    func methods() {
        let safe = ["OPTIONS", "TRACE", "PROPFIND", "REPORT", "SEARCH", "QUERY"]
        let unsafe = ["POST", "PUT", "DELETE", "PATCH", "MKCOL", "M-SEARCH", "get", "Head", ""]
        for method in safe + unsafe {
            let input = Input(url: .test, methodAndPayload: .init(method: method))
            let found = passesThrough(input)
            #expect(found?.forward == "method" && found?.isUnsafe == unsafe.contains(method), "\(method)")
        }
        #expect(passesThrough(.get()) == nil && passesThrough(.head()) == nil)
    }

    @Test(
        "parts, and conditions that only a server evaluates, pass through (3.3, 4.3.2)",
        arguments: ["Range", "If-Range", "If-Match", "If-Unmodified-Since"]
    )
    func fields(_ name: String) {
        let found = passesThrough(.get(HTTPHeaders([.init(name: name.lowercased(), value: "x")])))
        #expect(found?.forward == "bypass" && found?.detail == name && found?.isUnsafe == false)
    }

    @Test("no-store, files, streams, payloads and other URLs pass through (5.2.1.5)")
    func others() {
        #expect(passesThrough(.get(["Cache-Control": "no-store"]))?.forward == "request")
        let file = Input.get().with { $0.delivery = .file(URL(filePath: "/tmp/x")) }
        let stream = Input.get().with { $0.delivery = .stream }
        for input in [file, stream] { #expect(passesThrough(input)?.detail == "delivery") }
        let payload = Payload(.data(Data()), mediaType: .json)
        let odd = Input.get().with { $0.methodAndPayload = .custom(method: "GET", payload: payload) }
        #expect(passesThrough(odd)?.detail == "payload")
        for url in ["file:///a", "/a", "data:,", "https:a", "https:///a", "https://h:99999/"] {
            #expect(passesThrough(.get([:], URL(string: url)!))?.detail == "url", "\(url)")
        }
        #expect(passesThrough(.get(["Host": "a,b"]))?.detail == "url")
    }

    @Test("only-if-cached keeps what would pass through from the network, but no unsafe method (5.2.1.7)")
    func onlyIfCached() {
        func isTimeout(_ input: Input) -> Bool {
            if case .gatewayTimeout = RequestClass(of: input, CacheOptions()) { true } else { false }
        }
        let only: HTTPHeaders = ["Cache-Control": "only-if-cached"]
        #expect(
            isTimeout(.get(only.merging(["Range": "bytes=0-"]))) && isTimeout(.head(only.merging(["If-Match": "*"])))
        )
        #expect(isTimeout(.get(["Cache-Control": "only-if-cached, no-store"])))
        #expect(isTimeout(.get(only).with { $0.delivery = .file(URL(filePath: "/tmp/x")) }))
        #expect(!isTimeout(.post(only)) && !isTimeout(.get(only)))
    }

    @Test("a condition that can't be read passes through, and If-None-Match wins (RFC 9110 13.1)")
    func conditions() throws {
        #expect(passesThrough(.get(["If-None-Match": "unquoted"]))?.detail == "If-None-Match")
        #expect(passesThrough(.get(["If-Modified-Since": "then"]))?.detail == "If-Modified-Since")
        let both = Input.get(["If-None-Match": "\"a\"", "If-None-Match": "W/\"b\"", "If-Modified-Since": "?"])
        #expect(try both.cacheable.condition == .noneMatch(.oneOf(["a", "W/\"b\""])))
        #expect(try Input.get(["If-Modified-Since": httpDate(1)]).cacheable.condition == .modifiedSince(httpDate(1)))
    }

    private static func since(_ date: String) -> HTTPHeaders { ["If-Modified-Since": date] }

    /// The fields of a request and of a stored response, and whether the condition of the request is met.
    private static let rows: [(name: String, request: HTTPHeaders, stored: HTTPHeaders, isMet: Bool)] = [
        ("same tag", ["If-None-Match": "\"a\""], ["ETag": "\"a\""], true),
        ("weakly equal", ["If-None-Match": "\"a\""], ["ETag": "W/\"a\""], true),
        ("one of several", ["If-None-Match": "\"b\", \"a\""], ["ETag": "\"a\""], true),
        ("other tag", ["If-None-Match": "\"b\""], ["ETag": "\"a\""], false),
        ("any", ["If-None-Match": "*"], [:], true),
        ("no tag", ["If-None-Match": "\"b\""], [:], false),
        (
            "tag before date", ["If-None-Match": "\"b\"", "If-Modified-Since": httpDate(9)],
            ["ETag": "\"a\"", "Last-Modified": httpDate(0)], false
        ),
        ("same date", since(httpDate(5)), ["Last-Modified": httpDate(5)], true),
        ("same date, RFC 850", since("Tuesday, 14-Nov-23 22:13:25 GMT"), ["Last-Modified": httpDate(5)], true),
        ("earlier date, RFC 850", since("Tuesday, 14-Nov-23 22:13:24 GMT"), ["Last-Modified": httpDate(5)], false),
        ("later date", since(httpDate(9)), ["Last-Modified": httpDate(5)], true),
        ("earlier date", since(httpDate(4)), ["Last-Modified": httpDate(5)], false),
        ("Date instead", since(httpDate(4)), ["Date": httpDate(4)], true),
        ("arrival instead", since(httpDate(-1)), [:], false),
    ]

    @Test("the caller's condition is met by the same version (4.3.2, RFC 9110 13.2)", arguments: rows)
    func isMet(_ name: String, _ request: HTTPHeaders, _ stored: HTTPHeaders, isMet: Bool) throws {
        let condition = try #require(try Input.get(request).cacheable.condition)
        #expect(condition.isMet(by: .at(stored)) == isMet)
        #expect(!condition.isMet(by: .at(stored, status: .notFound)), "no success")
    }
}

struct InvalidationTests {
    private static let target = "https://api.example.com/a"

    private func urls(_ output: Output, _ input: Input = .post()) -> [String] {
        let wasSent = output.connectionError?.mayHaveBeenSent ?? true
        return Invalidation.urls(after: output, to: input, wasSent: wasSent)
    }

    @Test("only a response with 2xx or 3xx invalidates the target (RFC 9111 4.4)", arguments: 200...599)
    func statuses(_ code: Int) {
        #expect(urls(.status(.from(code: code))) == (code < 400 ? [Self.target] : []))
    }

    @Test("Location and Content-Location of the same origin are invalidated, too (4.4)")
    func locations() {
        let headers: HTTPHeaders = ["Location": "/b?c=1#d", "Content-Location": "HTTPS://API.example.com:443/e"]
        let expected = [Self.target, "https://api.example.com/b?c=1", "https://api.example.com/e"]
        #expect(urls(.status(.created, headers: headers)) == expected)
    }

    @Test("the Host of a request is that of the target and of its Location, and a malformed one invalidates nothing")
    func hosts() {
        let moved = Output.status(.ok, headers: ["Location": "/b"])
        let gateway = URL(string: "http://127.0.0.1:8080/a")!
        #expect(urls(moved, .post(["Host": "A:80"], gateway)) == ["http://a/a", "http://a/b"])
        #expect(urls(moved, .post([:], gateway)) == ["http://127.0.0.1:8080/a", "http://127.0.0.1:8080/b"])
        #expect(urls(moved, .post(["Host": "a/b"], gateway)) == [])
    }

    @Test(
        "another origin is never invalidated (4.4)",
        arguments: [
            "https://evil.example.com/b", "http://api.example.com/b", "https://api.example.com:8443/b",
            "https://api.example.com.evil/b", "//evil/b", "https://api.example.com@evil/b", "data:,", "https://", "",
            "https://[", "/%",
        ]
    )
    func otherOrigins(_ location: String) {
        let urls = urls(.status(.created, headers: ["Location": location, "Content-Location": location]))
        #expect(urls.first == Self.target && urls.allSatisfy { $0.hasPrefix("https://api.example.com/") })
    }

    @Test("a request that may have reached the server invalidates without a response, too")
    func noResponse() {
        let cause = ConnectionError.Cause(domain: "test", code: 1, text: "")
        let lost: [ConnectionError] = [.connectionLost(cause), .timedOut(cause), .cancelled, .malformedResponse(cause)]
        for error in lost { #expect(urls(.noResponse(error)) == [Self.target], "\(error)") }
        let unsent: [ConnectionError] = [
            .connectionRefused(cause), .hostNotFound(cause), .malformedURL(debugInfo: ""), .requestRefused(reason: ""),
        ]
        for error in unsent { #expect(urls(.noResponse(error)) == [], "\(error)") }
        let rejected = { (status: HTTPStatus) in
            Output.noResponse(.rejected(Response(statusCode: status), reason: "rule"))
        }
        #expect(urls(rejected(.ok)) == [Self.target] && urls(rejected(.conflict)) == [])
    }

    /// The outputs of calls whose response has a broken payload.
    private func broken(_ response: Response) -> [Output] {
        let cause = ConnectionError.Cause(domain: "test", code: 1, text: "", partial: response)
        return [
            .connectionLost(cause), .malformedResponse(cause), .unreadablePayload(cause),
            .payloadTooLarge(response, limit: 1),
        ].map { .noResponse($0) }
    }

    @Test("a broken payload does not change what an error or a redirect invalidates, or replaces", arguments: 300...599)
    func brokenPayloads(_ code: Int) {
        let response = Response(statusCode: .from(code: code), headers: ["Location": "/b"])
        let whole = Output.hasResponse(response)
        for output in broken(response) {
            #expect(urls(output) == urls(whole), "\(output)")
            #expect(output.isServerFailure == whole.isServerFailure, "\(output)")
        }
    }

    @Test("a stale response may replace some failures of the server and of the network alone (RFC 5861 4)")
    func serverFailures() {
        let cause = ConnectionError.Cause(domain: "test", code: 1, text: "")
        for code in 200...599 {
            #expect(Output.status(.from(code: code)).isServerFailure == [500, 502, 503, 504].contains(code), "\(code)")
        }
        #expect(Output.noResponse(.connectionLost(cause)).isServerFailure)
        let rejected = ConnectionError.rejected(Response(statusCode: .serviceUnavailable), reason: "rule")
        for error in [rejected, .malformedURL(debugInfo: ""), .serverCertificateUntrusted(cause), .cancelled] {
            #expect(!Output.noResponse(error).isServerFailure, "\(error)")
        }
    }
}
