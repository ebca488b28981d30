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

    @Test("methods other than GET pass through, and those that are not safe invalidate (RFC 9111 4.4; RFC 9110 9.2.1)")
    func methods() {
        let safe = ["HEAD", "OPTIONS", "TRACE", "PROPFIND", "REPORT", "SEARCH", "QUERY"]
        let unsafe = ["POST", "PUT", "DELETE", "PATCH", "MKCOL", "M-SEARCH", "get", "Head", ""]
        for method in safe + unsafe {
            let input = Input(url: .test, methodAndPayload: .init(method: method))
            let found = passesThrough(input)
            #expect(found?.forward == "method" && found?.isUnsafe == unsafe.contains(method), "\(method)")
        }
        #expect(passesThrough(.get()) == nil)
    }

    @Test(
        "parts, and conditions of the caller, pass through (3.3; RFC 9110 13.1)",
        arguments: ["Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since"]
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
            isTimeout(.get(only.merging(["Range": "bytes=0-"]))) && isTimeout(.head(only))
        )
        #expect(isTimeout(.get(["Cache-Control": "only-if-cached, no-store"])))
        #expect(isTimeout(.get(only).with { $0.delivery = .file(URL(filePath: "/tmp/x")) }))
        #expect(!isTimeout(.post(only)) && !isTimeout(.get(only)))
    }
}

struct InvalidationTests {
    private static let target = "https://api.example.com/a"

    private func urls(_ output: Output, _ input: Input = .post()) -> [String] {
        let isUnanswered = output.response == nil && output.connectionError?.mayHaveBeenSent ?? true
        return Invalidation.urls(after: output, to: input, isUnanswered: isUnanswered)
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
