import Foundation
import StartSmall
import Testing
import ParityTrait

private struct User: Codable, Hashable {
    let name: String
    let ids: [Int]
}

private struct Refusal: Decodable, Hashable {
    let message: String
}

private func response(_ text: String, _ status: HTTPStatus = .ok) -> Response {
    Response(statusCode: status, headers: ["X": "1"], payload: Data(text.utf8))
}

private let user = #"{"name":"a","ids":[1,2]}"#

struct ResponseTransformsTests {
    @Test("every 2xx is accepted and every other status refused, by every transform", .parity("A12"))
    func statuses() {
        for code in 0...999 {
            let response = response(user, .from(code: code))
            let isAccepted = (200...299).contains(code)
            let json: Either<TransformError<Never>, User> = response.json()
            let text: Either<TransformError<Never>, String> = response.text()
            let data: Either<TransformError<Never>, Data> = response.data()
            let empty: Either<TransformError<Never>, Void> = response.empty()
            #expect(
                [json.right != nil, text.right != nil, data.right != nil, empty.right != nil]
                    == Array(repeating: isAccepted, count: 4)
            )
            #expect(isAccepted || json.left == .unexpectedStatusCode(response))
            #expect(isAccepted || empty.left == .unexpectedStatusCode(response))
        }
    }

    @Test("JSON is decoded as its value", .parity("A12"))
    func json() {
        let read: Either<TransformError<Never>, User> = response(user).json()
        #expect(read == .right(User(name: "a", ids: [1, 2])))
    }

    @Test("a byte order mark before JSON is ignored")
    func byteOrderMark() {
        #expect(response("\u{FEFF}\(user)").json(User.self, problem: Never.self).right?.name == "a")
    }

    @Test("other statuses are accepted on request, and then no others", .parity("B3"))
    func accepting() {
        let missing = response(user, .notFound)
        #expect(missing.json(User.self, problem: Never.self, accepting: .only(.notFound)).right?.name == "a")
        #expect(response(user).json(User.self, problem: Never.self, accepting: .only(.notFound)).right == nil)
        #expect(missing.text(problem: Never.self, accepting: .all).right == user)
        #expect(missing.data(problem: Never.self, accepting: .all).right == Data(user.utf8))
        #expect(missing.empty(problem: Never.self, accepting: .all).right != nil)
    }

    @Test("an error in the format of the API is decoded as a problem", .parity("A12"))
    func problem() {
        let refused = response(#"{"message":"no"}"#, .forbidden)
        #expect(refused.json(User.self, problem: Refusal.self) == .left(.problem(Refusal(message: "no"), refused)))
        #expect(refused.text(problem: Refusal.self) == .left(.problem(Refusal(message: "no"), refused)))
        #expect(refused.data(problem: Refusal.self) == .left(.problem(Refusal(message: "no"), refused)))
        #expect(refused.empty(problem: Refusal.self).left == .problem(Refusal(message: "no"), refused))
    }

    @Test("a problem is decoded by the given decoder, or else by a plain one")
    func problemByDecoder() {
        struct Snake: Decodable, Hashable { let errorCode: Int }
        struct Plain: Decodable, Hashable { let error_code: Int }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let refused = response(#"{"error_code":7}"#, .forbidden)
        #expect(refused.json(User.self, decoder: decoder, problem: Snake.self).left?.problem == Snake(errorCode: 7))
        #expect(refused.json(User.self, decoder: decoder, problem: Plain.self).left?.problem == Plain(error_code: 7))
        #expect(refused.json(User.self, problem: Snake.self).left == .unexpectedStatusCode(refused))
        #expect(
            refused.json(User.self, decoder: decoder, problem: JSONValue.self).left?.problem
                == .object(["error_code": .integer(7)])
        )
    }

    @Test(
        "a problem that can't be decoded is an unexpected status that keeps the response",
        .parity("A12"),
        arguments: [
            "", "<html>", "{}", "[]", "null", #"{"message":1}"#,
        ]
    )
    func unreadableProblem(_ text: String) {
        let refused = response(text, .badGateway)
        #expect(refused.json(User.self, problem: Refusal.self) == .left(.unexpectedStatusCode(refused)))
    }

    @Test("a problem in an accepted response is not decoded as one", .parity("A12"))
    func acceptedProblem() {
        #expect(response(#"{"message":"no"}"#).json(User.self, problem: Refusal.self).left?.problem == nil)
    }

    @Test(
        "a payload that can't be decoded is malformed data, with the place and the whole response",
        .parity("A11"),
        arguments: [
            (#"{"name":"a","ids":[1,"x"]}"#, "ids[1]"), (#"{"name":"a"}"#, "ids"), (#"{"name":null,"ids":[]}"#, "name"),
            ("{", "JSON"), ("", "JSON"), ("[]", "Dictionary"), ("null", "null"), (user + "x", "JSON"),
            (#"{"name":"a","ids":[1.5]}"#, "a number that does not fit its type"),
            (String(repeating: "[", count: 100_000), "JSON"), (String(repeating: #"{"a":"#, count: 100_000), "JSON"),
            ("\u{0}", "JSON"),
        ]
    )
    func malformed(_ text: String, _ place: String) {
        let malformed = response(text)
        guard case .left(.malformedData(malformed, let debugInfo)) = malformed.json(User.self, problem: Never.self)
        else {
            Issue.record("not malformed: \(text)")
            return
        }
        #expect(debugInfo.contains(place))
    }

    @Test("JSON that is not UTF-8 is malformed data, or decoded, but never a trap")
    func bytes() {
        for byte in UInt8.min...UInt8.max {
            let payload = Data(#"{"name":""#.utf8) + [byte] + Data(#"","ids":[]}"#.utf8)
            let response = Response(statusCode: .ok, payload: payload)
            let isLegal = (0x20...0x7F).contains(byte) && ![0x22, 0x5C].contains(byte)
            #expect((response.json(User.self, problem: Never.self).right != nil) == isLegal)
        }
    }

    @Test("a custom decoder is used")
    func decoder() {
        struct Page: Decodable { let nextPage: Int }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        #expect(
            response(#"{"next_page":2}"#).json(Page.self, decoder: decoder, problem: Never.self).right?.nextPage == 2
        )
    }

    @Test(
        "text is decoded in the requested encoding",
        .parity("A12"),
        arguments: [
            ([0xC3, 0xA9], .utf8, "é"), ([0xE9], .isoLatin1, "é"), ([0x93, 0xFA], .shiftJIS, "日"),

            ([], .utf8, ""), ([0x00, 0x41], .utf16BigEndian, "A"), ([0x41], .ascii, "A"),
        ] as [([UInt8], String.Encoding, String)]
    )
    func text(_ bytes: [UInt8], _ encoding: String.Encoding, _ text: String) {
        let response = Response(statusCode: .ok, payload: Data(bytes))
        #expect(response.text(encoding: encoding, problem: Never.self) == .right(text))
    }

    @Test(
        "text that is not in its encoding is malformed data",
        arguments: [
            ([0xE9], .utf8), ([0xC3], .utf8), ([0xFF, 0xFE, 0x00], .utf8), ([0xE9], .ascii),
        ] as [([UInt8], String.Encoding)]
    )
    func malformedText(_ bytes: [UInt8], _ encoding: String.Encoding) {
        let response = Response(statusCode: .ok, payload: Data(bytes))
        guard case .left(.malformedData(response, _)) = response.text(encoding: encoding, problem: Never.self) else {
            Issue.record("not malformed")
            return
        }
    }

    @Test(
        "text is decoded in the charset that Content-Type names, or else in UTF-8",
        arguments: [
            ("text/plain; charset=ISO-8859-1", [0xE9], "é"), ("text/plain;charset=\"Shift_JIS\"", [0x93, 0xFA], "日"),
            ("text/plain", [0xC3, 0xA9], "é"), ("text/plain; charset=utf-8", [0xC3, 0xA9], "é"),
            ("rubbish", [0x41], "A"),
        ] as [(String, [UInt8], String)]
    )
    func charset(_ contentType: String, _ bytes: [UInt8], _ text: String) {
        let response = Response(statusCode: .ok, headers: ["Content-Type": contentType], payload: Data(bytes))
        #expect(response.text() == .right(text))
    }

    @Test(
        "a malformed parameter of Content-Type is skipped",
        arguments: [
            ("text/plain; charset=iso-8859-1; x", [0xE9], "é"), ("text/plain; charset=", [0xC3, 0xA9], "é"),
            ("text/plain; charset; charset=iso-8859-1", [0xE9], "é"),
            ("text/plain; charset=\"gbk", [0xD6, 0xD0], "中"), ("text/plain;a;charset=\"ISO-8859-1", [0xE9], "é"),
            ("text/plain; charset=\"", [0xC3, 0xA9], "é"), ("text/plain; charset=\"gbk\u{1}", [0xC3, 0xA9], "é"),
        ] as [(String, [UInt8], String)]
    )
    func unreadableParameters(_ contentType: String, _ bytes: [UInt8], _ text: String) {
        let response = Response(statusCode: .ok, headers: ["Content-Type": contentType], payload: Data(bytes))
        #expect(response.text() == .right(text))
    }

    @Test(
        "a page of HTML is reported as HTML, even with a slightly malformed Content-Type",
        arguments: ["text/html; charset=", "text/html;charset", "text/html; charset =utf-8"]
    )
    func wrongHTML(_ contentType: String) {
        let page = Response(statusCode: .ok, headers: ["Content-Type": contentType], payload: Data("<html>".utf8))
        let reason = "text/html where JSON is expected: the payload is invalid JSON at byte 0"
        #expect(page.json(User.self) == .left(.malformedData(page, debugInfo: reason)))
    }

    @Test("a given encoding takes precedence over the charset")
    func givenEncoding() {
        let headers: HTTPHeaders = ["Content-Type": "text/plain; charset=x-own"]
        let response = Response(statusCode: .ok, headers: headers, payload: Data([0xE9]))
        #expect(response.text(encoding: .isoLatin1) == .right("é"))
    }

    @Test("an unknown charset is malformed data that names the charset")
    func unknownCharset() {
        let headers: HTTPHeaders = ["Content-Type": "text/plain; charset=x-own"]
        let response = Response(statusCode: .ok, headers: headers, payload: Data([0x41]))
        let reason = #"unknown charset "x-own"; text(encoding:) reads the payload in a given encoding"#
        #expect(response.text() == .left(.malformedData(response, debugInfo: reason)))
    }

    @Test("a page of HTML with status 200 is malformed data that names HTML and keeps the response")
    func htmlPage() {
        let headers: HTTPHeaders = ["Content-Type": "text/html; charset=utf-8"]
        let page = Response(statusCode: .ok, headers: headers, payload: Data("<html>".utf8))
        let reason = "text/html where JSON is expected: the payload is invalid JSON at byte 0"
        #expect(page.json(User.self) == .left(.malformedData(page, debugInfo: reason)))
    }

    @Test(
        "JSON is decoded with any media type",
        arguments: ["text/html", "text/plain", "application/problem+json", "application/octet-stream", "rubbish"]
    )
    func wrongMediaType(_ contentType: String) {
        let response = Response(statusCode: .ok, headers: ["Content-Type": contentType], payload: Data("1".utf8))
        #expect(response.json(Int.self) == .right(1))
    }

    @Test("an empty payload is nil for an optional type, and only for one")
    func emptyOptional() {
        let empty = Response(statusCode: .noContent)
        #expect(empty.json(User?.self) == .right(nil))
        #expect(empty.json([Int]?.self) == .right(nil))
        #expect(empty.json([Int].self).right == nil)
        #expect(empty.json(JSONValue.self).right == nil)
        #expect(response("null").json(User?.self) == .right(nil))
        #expect(response(user).json(User?.self).right??.name == "a")
        #expect(response(" x").json(User?.self).right == nil)
    }

    @Test("a model is decoded by a custom function, and its errors are malformed data", .parity("B23"))
    func model() {
        struct Own: Error {}
        let read = response("hello").model { $0.count }
        #expect(read == .right(5))
        let refused = response("hello", .forbidden)
        #expect(refused.model { $0.count }.left == .unexpectedStatusCode(refused))
        #expect(refused.model(accepting: .all) { $0.count } == .right(5))
        let thrown: Either<TransformError<Never>, Int> = response("x").model { _ in throw Own() }
        #expect(thrown.left == .malformedData(response("x"), debugInfo: "Own()"))
        let problem = response(#"{"message":"no"}"#, .forbidden).model(problem: Refusal.self) { $0.count }
        #expect(problem.left?.problem == Refusal(message: "no"))
    }

    @Test("the error and the value are any Decodable, by a custom decoder or transform", .parity("D5"))
    func converters() {
        struct Page: Decodable, Equatable { let nextPage: Int }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let page = response(#"{"next_page":2}"#).json(Page.self, decoder: decoder, problem: Refusal.self)
        #expect(page == .right(Page(nextPage: 2)))
        let refused = response(#"{"message":"no"}"#, .forbidden)
        #expect(refused.json(Page.self, problem: Refusal.self).left?.problem == Refusal(message: "no"))
        #expect(refused.model(accepting: .only(.forbidden)) { String(decoding: $0, as: UTF8.self).count } == .right(16))
    }

    @Test("an empty payload is empty text, empty data and Void, but no JSON")
    func empty() {
        let response = Response(statusCode: .noContent)
        #expect(response.text(problem: Never.self) == .right(""))
        #expect(response.data(problem: Never.self) == .right(Data()))
        #expect(response.empty(problem: Never.self).right != nil)
        #expect(response.json(User.self, problem: Never.self).right == nil)
    }

    @Test("a problem of RFC 9457 is decoded like any other")
    func problemDetails() {
        let refused = response(#"{"title":"no"}"#, .conflict)
        #expect(refused.data(problem: ProblemDetails.self) == .left(.problem(ProblemDetails(title: "no"), refused)))
    }
}
