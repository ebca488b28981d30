import Foundation
import StartSmall
import StartSmallJSON
import TestSupport
import Testing

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
            #expect(
                isAccepted
                    ? json == .right(User(name: "a", ids: [1, 2])) : json.left == .unexpectedStatusCode(response)
            )
            #expect(isAccepted || empty.left == .unexpectedStatusCode(response))
        }
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

    @Test(
        "an error in the format of the API is decoded as a problem, and any other is an unexpected status",
        .parity("A12")
    )
    func problem() {
        let refused = response(#"{"message":"no"}"#, .forbidden)
        #expect(refused.json(User.self, problem: Refusal.self) == .left(.problem(Refusal(message: "no"), refused)))
        #expect(refused.text(problem: Refusal.self) == .left(.problem(Refusal(message: "no"), refused)))
        #expect(refused.data(problem: Refusal.self) == .left(.problem(Refusal(message: "no"), refused)))
        #expect(refused.empty(problem: Refusal.self).left == .problem(Refusal(message: "no"), refused))
        for text in ["", "<html>", "{}", "[]", "null", #"{"message":1}"#] {
            let other = response(text, .badGateway)
            #expect(other.json(User.self, problem: Refusal.self) == .left(.unexpectedStatusCode(other)))
        }
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
        "a payload that can't be decoded is malformed data, with the place and the whole response",
        .parity("A11"),
        arguments: [
            (#"{"name":"a","ids":[1,"x"]}"#, "ids[1]"), (#"{"name":"a"}"#, "ids"), (#"{"name":null,"ids":[]}"#, "name"),
            ("{", "JSON"), ("", "JSON"), ("[]", "Dictionary"), ("null", "null"), (user + "x", "JSON"),
            (#"{"name":"a","ids":[1.5]}"#, "ids[0]"),
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

    @Test(
        "text is decoded in the requested encoding, or that of Content-Type, or else in UTF-8, or is malformed data",
        .parity("A12"),
        arguments: [
            ([0xC3, 0xA9], .utf8, nil, "é"), ([0xE9], .isoLatin1, nil, "é"), ([0x93, 0xFA], .shiftJIS, nil, "日"),
            ([], .utf8, nil, ""), ([0x00, 0x41], .utf16BigEndian, nil, "A"), ([0x41], .ascii, nil, "A"),
            ([0xE9], .isoLatin1, "text/plain; charset=x-own", "é"), ([0xE9], .utf8, nil, nil),
            ([0xC3], .utf8, nil, nil),
            ([0xFF, 0xFE, 0x00], .utf8, nil, nil), ([0xE9], .ascii, nil, nil),
            ([0xE9], nil, "text/plain; charset=ISO-8859-1", "é"),
            ([0x93, 0xFA], nil, "text/plain;charset=\"Shift_JIS\"", "日"), ([0xC3, 0xA9], nil, "text/plain", "é"),
            ([0xC3, 0xA9], nil, "text/plain; charset=utf-8", "é"), ([0x41], nil, "rubbish", "A"),
            ([0x41], nil, "text/plain; charset=x-own", nil),
            // A malformed parameter is skipped.
            ([0xE9], nil, "text/plain; charset=iso-8859-1; x", "é"), ([0xC3, 0xA9], nil, "text/plain; charset=", "é"),
            ([0xC3, 0xA9], nil, "text/plain; charset=\"gbk\u{1}", "é"),
        ] as [([UInt8], String.Encoding?, String?, String?)]
    )
    func text(_ bytes: [UInt8], _ encoding: String.Encoding?, _ contentType: String?, _ text: String?) {
        let headers: HTTPHeaders = contentType.map { ["Content-Type": $0] } ?? [:]
        let response = Response(statusCode: .ok, headers: headers, payload: Data(bytes))
        let read = encoding.map { response.text(encoding: $0) } ?? response.text()
        if let text { return #expect(read == .right(text)) }
        guard case .left(.malformedData(response, let debugInfo)) = read else {
            Issue.record("not malformed: \(read)")
            return
        }
        let reason = #"unknown charset "x-own"; text(encoding:) reads the payload in a given encoding"#
        #expect(encoding != nil || debugInfo == reason)
    }

    @Test(
        "a page of HTML is malformed data that names HTML, and JSON is decoded with any media type",
        arguments: [
            "text/html; charset=utf-8", "text/html; charset=", "text/html;charset", "text/html; charset =utf-8",
        ]
    )
    func htmlPage(contentType: String) {
        let page = Response(statusCode: .ok, headers: ["Content-Type": contentType], payload: Data("<html>".utf8))
        let reason = "text/html where JSON is expected: the payload can't be read: The given data was not valid JSON."
        #expect(page.json(User.self) == .left(.malformedData(page, debugInfo: reason)))
        for type in [contentType, "text/plain", "application/problem+json", "rubbish"] {
            let number = Response(statusCode: .ok, headers: ["Content-Type": type], payload: Data("\u{FEFF}1".utf8))
            #expect(number.json(Int.self) == .right(1))
        }
    }

    @Test("an empty payload is nil for an optional type, empty text, empty data and Void, but no other JSON")
    func empty() {
        let empty = Response(statusCode: .noContent)
        #expect(empty.json(User?.self) == .right(nil) && empty.json([Int]?.self) == .right(nil))
        #expect(empty.json([Int].self).right == nil && empty.json(JSONValue.self).right == nil)
        #expect(empty.text() == .right("") && empty.data() == .right(Data()) && empty.empty().right != nil)
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
        #expect(refused.json(Page.self, problem: Refusal.self, accepting: .all).left?.problem == nil)
    }
}
