import Foundation
import StartSmallHeaders
import StartSmallForms
import StartSmallRetry
@testable import StartSmallCore
@testable import StartSmallEngines
import TestSupport
import Testing

private func wire(
    _ methodAndPayload: HTTPMethodAndPayload = .get,
    _ headers: HTTPHeaders = [:]
) -> Either<ConnectionError, ValidatedRequest> {
    Either.custom("GET", "https://h/").flatMap { input in
        var input: Input = input
        (input.headers, input.methodAndPayload) = (headers, methodAndPayload)
        return ValidatedRequest.from(input)
    }
}

private func payload(_ text: String, _ mediaType: MediaType? = .text) -> Payload {
    Payload(.data(Data(text.utf8)), mediaType: mediaType)
}

struct ValidatedRequestTests {
    @Test("every byte in a header's value is kept, except control characters, which make it malformed")
    func headerValues() {
        for code in UInt8.min...UInt8.max {
            let value = "x\(UnicodeScalar(code))y"
            let isControl = (code < 0x20 && code != 0x09) || code == 0x7F
            let wire = wire(.get, ["X": value])
            #expect(wire.right?.headers["X"] == (isControl ? nil : value))
            #expect(!isControl || wire.left?.name == "malformedHeader")
        }
    }

    @Test("the error of a malformed header contains its name, and not its value")
    func headerError() {
        let error = wire(.get, ["Authorization": "Bearer hunter2\r\nX: y"]).left
        #expect(
            error == .malformedHeader(debugInfo: "a control character in the value of Authorization (RFC 9110 5.5)")
        )
    }

    @Test("headers keep their order and duplicates, and are not trimmed, also a correct Content-Length and one Host")
    func headers() {
        let headers: HTTPHeaders = ["B": "1", "A": " 2 ", "b": "", "C": "é", "Content-Length": "1", "Host": "a"]
        #expect(wire(.post(payload: payload("a", nil)), headers).right?.headers.fields == headers.fields)
        #expect(wire(.get, ["Content-Length": "0"]).right != nil)
    }

    @Test(
        "Transfer-Encoding, two Hosts and a wrong Content-Length are malformed headers",
        arguments: [
            ["transfer-encoding": "chunked"], ["Host": "a", "host": "a"], ["Content-Length": "2"],
            ["content-length": ""],
            ["Content-Length": "1, 1"], ["Content-Length": "+1"], ["Content-Length": "1", "content-length": "3"],
        ] as [HTTPHeaders]
    )
    func framing(_ headers: HTTPHeaders) {
        #expect(wire(.post(payload: payload("a")), headers).left?.name == "malformedHeader")
    }

    @Test("Content-Type is that of the payload unless the headers have one")
    func contentType() {
        #expect(wire(.post(payload: payload("a", .json))).right?.headers == ["Content-Type": "application/json"])
        #expect(
            wire(.post(payload: payload("a", .json)), ["content-type": "x"]).right?.headers == ["content-type": "x"]
        )
        #expect(wire(.post(payload: payload("a", nil))).right?.headers == [:])
        #expect(wire(.post(payload: nil)).right?.headers == [:])
        #expect(wire(.post(payload: payload("a", "x\r\ny: z"))).left?.name == "malformedHeader")
    }

    @Test("a method and a header's name are tokens, in their own case, or malformed")
    func tokens() {
        for name in ["get", "x!#$%&'*+-.^_`|~9"] {
            #expect(wire(.custom(method: name, payload: nil)).right?.method == name)
            #expect(wire(.get, [name: "1"]).right?.headers.fields.first?.name == name)
        }
        for name in ["", "A B", "A:", "A\r\nB", "É", "A\0"] {
            #expect(wire(.custom(method: name, payload: nil)).left?.name == "malformedMethod")
            #expect(wire(.get, [name: "1"]).left?.name == "malformedHeader")
        }
    }

    @Test(
        "CONNECT, and GET, HEAD and TRACE with a payload, are malformed methods",
        arguments: [
            .connect, .custom(method: "CONNECT", payload: nil), .custom(method: "GET", payload: payload("")),
            .custom(method: "HEAD", payload: payload("")), .custom(method: "TRACE", payload: payload("")),
        ] as [HTTPMethodAndPayload]
    )
    func refused(_ methodAndPayload: HTTPMethodAndPayload) {
        #expect(wire(methodAndPayload).left?.name == "malformedMethod")
    }

    @Test("the body is the payload's bytes, and no body differs from an empty one")
    func bodies() {
        #expect(wire(.post(payload: payload("a"))).right?.payload == Data("a".utf8))
        #expect(wire(.post(payload: payload("a"))).right?.source == nil)
        #expect(wire(.post(payload: payload(""))).right?.payload == Data())
        #expect(wire(.post(payload: nil)).right?.payload == nil)
        #expect(wire(.get).right?.payload == nil)
    }

    @Test("a file is sent with its bytes, alone and in a form, and a missing file is a malformed payload")
    func file() throws {
        try withFolder { folder in
            let file = folder.appending(path: "a.txt")
            let upload = HTTPMethodAndPayload.put(payload: Payload(.file(file), mediaType: "text/plain"))
            #expect(wire(upload).left?.name == "malformedPayload")
            try Data("abc".utf8).write(to: file)
            let request = try #require(wire(upload).right)
            #expect(request.payload == nil)
            #expect(try request.source?.bytes() == Data("abc".utf8))
            #expect(request.description == "PUT https://h/ [Content-Type: text/plain], 3 bytes with 1 file")
            #expect(wire(upload, ["Content-Length": "3"]).right != nil)
            #expect(wire(upload, ["Content-Length": "2"]).left?.name == "malformedHeader")
            let form = Payload(.multipart([.text("a", "b"), .file("c", file)]), mediaType: nil)
            #expect(wire(.post(payload: form)).right?.source?.count == (try form.content.bytes().count))
        }
    }

    @Test(
        "a request may be sent again if it is idempotent or has an Idempotency-Key, as for .retry",
        arguments: [
            "GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "QUERY", "SEARCH", "POST", "PATCH", "PURGE", "get",
        ]
    )
    func sentAnew(_ method: String) throws {
        for headers in [[:], ["idempotency-key": "1"]] as [HTTPHeaders] {
            let methodAndPayload = HTTPMethodAndPayload(method: method)
            let request = try #require(wire(methodAndPayload, headers).right)
            let input = Input(url: Fixture.url, headers: headers, methodAndPayload: methodAndPayload)
            let isIdempotent = !["POST", "PATCH", "PURGE", "get"].contains(method)
            #expect(request.isResendable == (isIdempotent || !headers.fields.isEmpty))
            #expect(request.isResendable == RetryCondition.isSafeToReplay(input))
        }
    }
}
