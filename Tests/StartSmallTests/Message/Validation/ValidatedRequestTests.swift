import Foundation
@testable import StartSmall
import Testing
import ParityTrait

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
    @Test("every byte in a header's name is allowed in a token, or the header is malformed")
    func headerNames() {
        let marks = Set("!#$%&'*+-.^_`|~".unicodeScalars)
        for code in UInt8.min...UInt8.max {
            let scalar = UnicodeScalar(code)
            let isToken =
                marks.contains(scalar) || (scalar.isASCII && Character(scalar).isLetter || "0"..."9" ~= scalar)
            let wire = wire(.get, ["X\(scalar)": "1"])
            #expect((wire.right != nil) == isToken)
            #expect(isToken || wire.left?.name == "malformedHeader")
        }
        #expect(wire(.get, ["": "1"]).left?.name == "malformedHeader")
    }

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

    @Test("headers keep their order and duplicates, and are not trimmed")
    func headers() {
        let headers: HTTPHeaders = ["B": "1", "A": " 2 ", "b": "", "C": "é"]
        #expect(wire(.get, headers).right?.headers.fields == headers.fields)
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

    @Test("a correct Content-Length and one Host are kept")
    func rightFraming() {
        let headers: HTTPHeaders = ["Content-Length": "1", "Host": "a"]
        #expect(wire(.post(payload: payload("a", nil)), headers).right?.headers == headers)
        #expect(wire(.get, ["Content-Length": "0"]).right != nil)
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

    @Test("every byte in a method is allowed in a token, or the method is malformed")
    func methods() {
        for code in UInt8.min...UInt8.max {
            let name = "A\(UnicodeScalar(code))"
            let made = wire(.custom(method: name, payload: nil))
            let isToken = wire(.get, [name: ""]).right != nil
            #expect(made.right?.method == (isToken ? name : nil))
            #expect(isToken || made.left?.name == "malformedMethod")
        }
        #expect(wire(.custom(method: "", payload: nil)).left?.name == "malformedMethod")
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

    @Test("a method keeps its case")
    func methodCase() {
        #expect(wire(.custom(method: "get", payload: payload("a"))).right?.method == "get")
    }

    @Test("the body is the payload's bytes, and no body differs from an empty one")
    func bodies() {
        #expect(wire(.post(payload: payload("a"))).right?.payload == Data("a".utf8))
        #expect(wire(.post(payload: payload(""))).right?.payload == Data())
        #expect(wire(.post(payload: nil)).right?.payload == nil)
        #expect(wire(.get).right?.payload == nil)
    }

    @Test("a multipart form is sent with its boundary in Content-Type", .parity("A13"))
    func multipart() {
        let wire = Either.post("https://h/", payload: .multipart(MultipartForm([.text("a", "1")], boundary: "B")))
            .flatMap(ValidatedRequest.from).right
        #expect(wire?.headers == ["Content-Type": "multipart/form-data; boundary=B"])
        #expect(
            wire?.payload == Data("--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--B--\r\n".utf8)
        )
    }

    @Test("a form is sent as application/x-www-form-urlencoded", .parity("A13"))
    func form() {
        let items = [URLQueryItem(name: "a", value: "1 2"), URLQueryItem(name: "b", value: "&")]
        let wire = Either.post("https://h/", payload: .form(items)).flatMap(ValidatedRequest.from).right
        #expect(wire?.headers == ["Content-Type": "application/x-www-form-urlencoded"])
        #expect(wire?.payload == Data("a=1+2&b=%26".utf8))
    }

    @Test("a file is sent with its bytes, and a missing file is a malformed payload")
    func file() throws {
        try withFolder { folder in
            let file = folder.appending(path: "a.txt")
            let input = Either<ConnectionError, Input>.put("https://h/", payload: .file(file))
            #expect(input.flatMap(ValidatedRequest.from).left?.name == "malformedPayload")
            try Data("abc".utf8).write(to: file)
            let wire = try #require(input.flatMap(ValidatedRequest.from).right)
            #expect(wire.payload == nil)
            #expect(try wire.source?.bytes() == Data("abc".utf8))
            #expect(wire.headers == ["Content-Type": "text/plain"])
            #expect(wire.description == "PUT https://h/ [Content-Type: text/plain], 3 bytes with 1 file")
        }
    }

    @Test("only a payload with a file is a source, and its length is checked too")
    func sources() throws {
        try withFolder { folder in
            let file = folder.appending(path: "a.txt")
            try Data("abc".utf8).write(to: file)
            let form = Payload(.multipart([.text("a", "b"), .file("c", file)]), mediaType: nil)
            #expect(wire(.post(payload: form)).right?.source?.count == (try form.content.bytes().count))
            #expect(wire(.post(payload: form)).right?.payload == nil)
            let inMemory = Payload(.multipart([.text("a", "b")]), mediaType: nil)
            for payload in [nil, payload("a"), payload(""), inMemory] {
                #expect(wire(.post(payload: payload)).right?.source == nil)
            }
            let upload = HTTPMethodAndPayload.put(payload: Payload(.file(file), mediaType: nil))
            #expect(wire(upload, ["Content-Length": "3"]).right != nil)
            #expect(wire(upload, ["Content-Length": "2"]).left?.name == "malformedHeader")
        }
    }

    @Test("a validated request is described without its payload")
    func description() {
        #expect(
            wire(.post(payload: payload("abc"))).right?.description
                == "POST https://h/ [Content-Type: text/plain; charset=utf-8], 3 bytes"
        )
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
