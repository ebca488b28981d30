import Foundation
import StartSmall
import Testing

@testable import StartSmallTesting

@Suite struct HTTP1RequestTests {
    private static let origin = "http://127.0.0.1:8080"

    @Test(arguments: [
        ("GET", "/", "http://127.0.0.1:8080/"),
        ("GET", "/a/b?c=d&c=e%20f#", "http://127.0.0.1:8080/a/b?c=d&c=e%20f#"),
        ("GET", "/?", "http://127.0.0.1:8080/?"),
        ("GET", "//evil/a", "http://127.0.0.1:8080//evil/a"),
        ("GET", "/a/../b/./%2e%2E", "http://127.0.0.1:8080/a/../b/./%2e%2E"),
        ("OPTIONS", "*", "http://127.0.0.1:8080"),
        ("GET", "http://example.com/a?b", "http://example.com/a?b"),
        ("CONNECT", "example.com:443", "http://example.com:443"),
    ])
    func theURLIsTheOneThatWasAskedFor(method: String, target: String, url: String) {
        let input = HTTP1Request(method: method, target: target).input(origin: Self.origin)
        #expect(input?.url.absoluteString == url)
        #expect(input?.queries == [])
    }

    @Test(arguments: ["a", "a/b", ":80", "http:", "?", "/\"", "/a|b", "/%", "/%zz"])
    func whatIsNoURLGivesNoInput(target: String) {
        #expect(HTTP1Request(method: "GET", target: target).input(origin: Self.origin) == nil)
    }

    private static let payload = Payload(.data(Data("a".utf8)), mediaType: "text/plain")

    @Test(arguments: [
        ("GET", HTTPMethodAndPayload.custom(method: "GET", payload: payload)),
        ("POST", .post(payload: payload)),
        ("PUT", .put(payload: payload)),
        ("DELETE", .delete(payload: payload)),
        ("OPTIONS", .options(payload: payload)),
        ("PATCH", .patch(payload: payload)),
        ("PURGE", .custom(method: "PURGE", payload: payload)),
        ("get", .custom(method: "get", payload: payload)),
    ])
    func eachMethodTakesTheBodyIfItCan(method: String, expected: HTTPMethodAndPayload) {
        let request = HTTP1Request(
            method: method,
            target: "/",
            headers: ["Content-Type": "text/plain"],
            body: Data("a".utf8)
        )
        #expect(request.input(origin: Self.origin)?.methodAndPayload == expected)
    }

    @Test(arguments: [("GET", HTTPMethodAndPayload.get), ("HEAD", .head), ("TRACE", .trace)])
    func aMediaTypeWithoutABodyIsNoPayloadWhereThereIsNoPlaceForOne(method: String, expected: HTTPMethodAndPayload) {
        let request = HTTP1Request(method: method, target: "/", headers: ["Content-Type": "text/plain"])
        #expect(request.input(origin: Self.origin)?.methodAndPayload == expected)
    }

    @Test func noBodyAndNoMediaTypeIsNoPayload() {
        let request = HTTP1Request(method: "POST", target: "/", headers: ["Content-Length": "0"])
        #expect(request.input(origin: Self.origin)?.methodAndPayload == .post(payload: nil))
    }

    @Test func anEmptyBodyWithAMediaTypeIsAPayload() {
        let request = HTTP1Request(method: "POST", target: "/", headers: ["Content-Type": "a/b"])
        let expected = HTTPMethodAndPayload.post(payload: Payload(.data(Data()), mediaType: "a/b"))
        #expect(request.input(origin: Self.origin)?.methodAndPayload == expected)
    }

    @Test func theFieldsKeepTheirOrderCaseAndDuplicates() {
        let headers: HTTPHeaders = ["b": "1", "A": "2", "B": "3"]
        let input = HTTP1Request(method: "GET", target: "/", headers: headers).input(origin: Self.origin)
        #expect(input?.headers.fields == headers.fields)
    }

    @Test(
        arguments: [
            (1, [:], false),
            (1, ["Connection": "close"], true),
            (1, ["Connection": "close,\u{301}"], true),
            (1, ["Connection": "Keep-Alive, Close"], true),
            (1, ["Connection": "keep-alive"], false),
            (1, ["Connection": "closed"], false),
            (0, [:], true),
            (0, ["Connection": "keep-alive"], true),
        ] as [(Int, HTTPHeaders, Bool)]
    )
    func knowsWhenTheConnectionEnds(minorVersion: Int, headers: HTTPHeaders, wantsClose: Bool) {
        let request = HTTP1Request(method: "GET", target: "/", minorVersion: minorVersion, headers: headers)
        #expect(request.wantsClose == wantsClose)
    }

    @Test(arguments: [
        (HTTP1Refusal.malformed("a"), 400, "a\n"),
        (.headTooLarge(limit: 1), 431, "more than 1 bytes of head\n"),
        (.bodyTooLarge(limit: 1), 413, "more than 1 bytes of body\n"),
        (.unknownCoding("a"), 501, "the coding a is not supported\n"),
        (.unknownVersion("a"), 505, "the version a is not supported\n"),
    ])
    func eachRefusalHasItsStatusAndReason(refusal: HTTP1Refusal, code: Int, text: String) {
        #expect(refusal.response.statusCode.code == code)
        #expect(refusal.response.payload == Data(text.utf8))
    }
}
