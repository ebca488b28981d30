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

    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var request: HTTPHeaders
        var stored: HTTPHeaders
        var status = HTTPStatus.ok
        var isMet: Bool
    }

    private static let rows: [Row] = [
        Row(testDescription: "same tag", request: ["If-None-Match": "\"a\""], stored: ["ETag": "\"a\""], isMet: true),
        Row(
            testDescription: "weakly equal",
            request: ["If-None-Match": "\"a\""],
            stored: ["ETag": "W/\"a\""],
            isMet: true
        ),
        Row(
            testDescription: "one of several",
            request: ["If-None-Match": "\"b\", \"a\""],
            stored: ["ETag": "\"a\""],
            isMet: true
        ),
        Row(testDescription: "other tag", request: ["If-None-Match": "\"b\""], stored: ["ETag": "\"a\""], isMet: false),
        Row(testDescription: "any", request: ["If-None-Match": "*"], stored: [:], isMet: true),
        Row(testDescription: "no tag", request: ["If-None-Match": "\"b\""], stored: [:], isMet: false),
        Row(
            testDescription: "tag before date",
            request: ["If-None-Match": "\"b\"", "If-Modified-Since": httpDate(9)],
            stored: ["ETag": "\"a\"", "Last-Modified": httpDate(0)],
            isMet: false
        ),
        Row(
            testDescription: "same date",
            request: ["If-Modified-Since": httpDate(5)],
            stored: ["Last-Modified": httpDate(5)],
            isMet: true
        ),
        Row(
            testDescription: "same date, RFC 850",
            request: ["If-Modified-Since": "Tuesday, 14-Nov-23 22:13:25 GMT"],
            stored: ["Last-Modified": httpDate(5)],
            isMet: true
        ),
        Row(
            testDescription: "earlier date, RFC 850",
            request: ["If-Modified-Since": "Tuesday, 14-Nov-23 22:13:24 GMT"],
            stored: ["Last-Modified": httpDate(5)],
            isMet: false
        ),
        Row(
            testDescription: "later date",
            request: ["If-Modified-Since": httpDate(9)],
            stored: ["Last-Modified": httpDate(5)],
            isMet: true
        ),
        Row(
            testDescription: "earlier date",
            request: ["If-Modified-Since": httpDate(4)],
            stored: ["Last-Modified": httpDate(5)],
            isMet: false
        ),
        Row(
            testDescription: "Date instead",
            request: ["If-Modified-Since": httpDate(4)],
            stored: ["Date": httpDate(4)],
            isMet: true
        ),
        Row(
            testDescription: "arrival instead",
            request: ["If-Modified-Since": httpDate(-1)],
            stored: [:],
            isMet: false
        ),
        Row(
            testDescription: "no success",
            request: ["If-None-Match": "*"],
            stored: [:],
            status: .notFound,
            isMet: false
        ),
    ]

    @Test("the caller's condition is met by the same version (4.3.2, RFC 9110 13.2)", arguments: rows)
    func isMet(_ row: Row) throws {
        let condition = try #require(try Input.get(row.request).cacheable.condition)
        #expect(condition.isMet(by: .at(row.stored, status: row.status)) == row.isMet)
    }
}
