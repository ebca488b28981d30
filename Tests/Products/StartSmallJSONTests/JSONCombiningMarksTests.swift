import Foundation
import StartSmallTesting
import TestSupport
import Testing

import StartSmall
import StartSmallStreams
@testable import StartSmallJSON
@testable import StartSmallSupport

/// Names with so many combining marks in a row that Swift would take minutes to compare or hash a megabyte of them.
struct JSONCombiningMarksTests {
    private struct Model: Decodable, Equatable, Sendable {
        let a: Int
        let userName: String?
    }

    private struct NotASCII: Decodable {
        private enum CodingKeys: String, CodingKey { case é, ü }
        let é: Int
        let ü: Int?
    }

    private struct Names: Decodable {
        private enum Known: String, CodingKey, CaseIterable { case a, b }

        init(from decoder: any Decoder) throws {
            _ = try decoder.container(keyedBy: Known.self).allKeys
        }
    }

    private struct Base: Decodable {
        private enum CodingKeys: String, CodingKey { case base }

        init(from decoder: any Decoder) throws {
            _ = try Names(from: decoder.container(keyedBy: CodingKeys.self).superDecoder(forKey: .base))
        }
    }

    /// Calls a function with names of which hashing takes a time that grows with the square of their length.
    private func expectLinear(
        sourceLocation: SourceLocation = #_sourceLocation,
        _ read: (_ name: String) -> Void
    ) {
        Hostile.expectLinear(Hostile.accents, sourceLocation: sourceLocation) { marks in
            let marks = String(marks.unicodeScalars.prefix(20_000))
            for name in [
                marks, "a" + marks, "e\u{301}" + marks, marks + "_b", "\u{F73}" + marks,
                // Each is a letter by its class, but consists of two marks.
                String(repeating: "\u{F73}", count: 20_000),
                marks.unicodeScalars.prefix(10_000).map { "\\u0" + String($0.value, radix: 16) }.joined(),
                "a\\ud834\\udd65" + marks,
            ] { read(name) }
        }
    }

    private func data(_ text: String) -> Data { Data(text.utf8) }

    private func expectError<T: Decodable>(_ decoder: JSONDecoder, _ type: T.Type, _ json: String) {
        #expect(throws: DecodingError.self, "\(type)") { try decoder.decode(type, from: data(json)) }
    }

    private var snakeCase: JSONDecoder {
        let decoder = JSONDecoder.fast
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }

    private var custom: JSONDecoder {
        let decoder = JSONDecoder.fast
        decoder.keyDecodingStrategy = .custom { $0.last ?? JSONPathKey(intValue: 0) }
        return decoder
    }

    @Test("a type is decoded in linear time beside members that it does not have", .exhaustive)
    func unknownMember() {
        let many = (0..<40).map { "\"m\($0)\":\($0)," }.joined()
        expectLinear { name in
            for text in [
                "{\"a\":1,\"\(name)\":0}", "{\"\(name)\":0,\"\(name)\":1,\"a\":1}", "{\(many)\"\(name)\":0,\"a\":1}",
            ] {
                for decoder in [JSONDecoder.fast, snakeCase] {
                    #expect((try? decoder.decode(Model.self, from: data(text))) == Model(a: 1, userName: nil))
                }
                #expect((try? JSONDecoder.fast.decode([Model?].self, from: data("[\(text),\(text)]")))?.count == 2)
            }
            let converted = "{\"\(name)\":0,\"user_name\":\"b\",\"a\":1}"
            #expect((try? snakeCase.decode(Model.self, from: data(converted))) == Model(a: 1, userName: "b"))
            let other = data("{\"\(name)\":0,\"e\u{301}\":2}")
            #expect((try? JSONDecoder.fast.decode(NotASCII.self, from: other))?.é == 2)
            expectError(.fast, Model.self, "{\"\(name)\":0}")
        }
    }

    @Test("where all names are needed, such a name is an error, in linear time", .exhaustive)
    func allNames() {
        let many = (0..<40).map { "\"m\($0)\":\($0)," }.joined()
        let types: [any Decodable.Type] = [
            [String: Int].self, [String: Int]?.self, [Int: Int].self, Names.self, JSONValue.self,
            [String: JSONValue].self,
        ]
        // The limit of time is for each form of the text.
        let forms: [(String) -> String] = [
            { "{\"a\":1,\"\($0)\":0}" }, { "{\(many)\"\($0)\":0}" }, { "{\"\($0)\":0,\"\($0)\":1}" },
        ]
        for form in forms {
            expectLinear { name in
                let text = form(name)
                for decoder in [JSONDecoder.fast, snakeCase, custom] {
                    for type in types { expectError(decoder, type, text) }
                    expectError(decoder, [[String: Int]].self, "[\(text)]")
                    expectError(decoder, Base.self, "{\"base\":\(text)}")
                    expectError(decoder, [String: JSONValue].self, "{\"value\":\(text)}")
                }
                expectError(custom, Model.self, text)
                #expect(throws: DecodingError.self) { try JSONValue(json: data("[\(text)]")) }
            }
        }
    }

    private enum Kind: String, Decodable { case a, b, c }

    private struct Typed: Decodable {
        let kind: Kind?
        let text: String
    }

    @Test("the raw value of an enum is decoded in linear time, and a text is any text", .exhaustive)
    func rawValues() {
        expectLinear { marks in
            for decoder in [JSONDecoder.fast, snakeCase, custom] {
                expectError(decoder, [Kind].self, "[\"a\",\"\(marks)\"]")
                expectError(decoder, [Kind?].self, "[\"a\",\"\(marks)\"]")
                expectError(decoder, Typed.self, "{\"kind\":\"\(marks)\",\"text\":\"\"}")
                let text = data("{\"kind\":\"b\",\"text\":\"\(marks)\"}")
                let count = try? decoder.decode(Typed.self, from: text).text.utf8.count
                #expect(count ?? 0 > 10_000)
            }
        }
    }

    @Test("a payload, a problem and the data of an event with such a name are refused, in linear time")
    func payloads() {
        expectLinear { name in
            let text = "{\"a\":1,\"title\":\"no\",\"\(name)\":0}"
            for type in [MediaType.json, "application/problem+json"] {
                let headers: HTTPHeaders = ["Content-Type": type.rawValue]
                let rejection = Response(statusCode: .badRequest, headers: headers, payload: data(text))
                #expect(rejection.json(Int.self, problem: Model.self).left?.problem == nil)
                #expect(rejection.json(Int.self, decoder: .fast, problem: Model.self).left?.problem?.a == 1)
                #expect(rejection.data(problem: ProblemDetails.self).left?.problem == nil)
                #expect(rejection.json(Int.self, problem: JSONValue.self).left?.problem == nil)
            }
            let event = ServerSentEvent(data: text)
            #expect(event.json(Model.self).left?.debugInfo.contains("more than 128 combining marks") == true)
            #expect(event.json(Model.self, decoder: .fast).right == Model(a: 1, userName: nil))
            #expect(event.json([String: JSONValue].self).right == nil)
        }
    }

    @Test("with any decoder, up to 128 marks in a row are decoded, and more are refused, in any encoding")
    func limit() throws {
        for (count, isRefused) in [(128, false), (129, true)] {
            let texts = ["\u{301}", "\\u0301", "\u{301}\\u0301"].map { mark in
                "{\"a\":1,\"\(String(repeating: mark, count: count))\":\"\(String(repeating: "x", count: 300))\"}"
            }
            for text in texts.prefix(isRefused ? 3 : 2) {
                for encoding in [.utf8, .utf16, .utf16LittleEndian, .utf32BigEndian] as [String.Encoding] {
                    let response = Response(statusCode: .ok, payload: try #require(text.data(using: encoding)))
                    #expect((response.json(Model.self).right == nil) == isRefused, "\(count) \(encoding)")
                }
                let value = try? JSONDecoder.fast.decode([String: JSONValue].self, from: data(text))
                #expect((value == nil) == isRefused)
                #expect(((try? JSONValue(json: data(text))) == nil) == isRefused)
            }
            // A line break that JSON5 leaves out separates no marks.
            for mark in ["\u{301}\\\r\n", "\\u0301\\\n", "\\u0301\\\u{2028}"] {
                let marks = Array(repeating: mark, count: count).joined()
                #expect(CombiningMarks.hasLongRun(json: "{\"\(marks)\":0}") == isRefused)
            }
        }
        let most = "a" + String(repeating: "\u{301}", count: 128)
        #expect(!CombiningMarks.hasLongRun(json: String(repeating: most, count: 1_000)))
    }

    @Test("a text that Foundation decodes is refused if it has so many marks in a row, in linear time")
    func foundation() {
        let json5 = JSONDecoder.fast
        json5.allowsJSON5 = true
        expectLinear { name in
            let text = "{\"a\":1,\"\(name)\":0}"
            expectError(json5, Model.self, text)
            let others = [
                text.dropLast() + ",}", "{\"a\":1,\"\(name)\":0,\"b\":\"\\ud83d\"}", "{\"a\":1,\"\(name)\":0}\u{0}",
                "{\"a\":1,\"\(name)\":0,\"b\":" + String(repeating: "[", count: 600)
                    + String(repeating: "]", count: 600) + "}",
            ].map { data(String($0)) }
            let wide = [String.Encoding.utf16, .utf16LittleEndian, .utf32BigEndian].compactMap { text.data(using: $0) }
            for payload in others + wide + wide.map({ $0 + [0] }) {
                #expect(throws: DecodingError.self) { try JSONDecoder.fast.decode(Model.self, from: payload) }
                #expect(throws: DecodingError.self) { try JSONDecoder.fast.decode([String: Int].self, from: payload) }
            }
        }
    }

    @Test("the error says which object has such a name")
    func error() {
        let name = String(repeating: "\u{301}", count: 200)
        #expect {
            try JSONDecoder.fast.decode([String: [String: Int]].self, from: data("{\"b\":{\"\(name)\":1}}"))
        } throws: { error in
            DecodingError.text(of: error).hasSuffix("A name has more than 128 combining marks in a row.")
        }
    }
}
