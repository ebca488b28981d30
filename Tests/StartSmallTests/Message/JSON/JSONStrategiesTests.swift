import Foundation
import Synchronization
import Testing

@testable import StartSmall

/// The options of a `JSONDecoder` are honoured, and what the kit does not know is left to Foundation.
struct JSONStrategiesTests {
    private struct Model: Decodable {
        let userName: String?
        let dates: [Date]?
        let date: Date?
        let data: Data?
        let url: URL?
        let price: Decimal?
        let number: Double?
        let float: Float?
        let byName: [String: [String: Int]]?
        let optionals: [String: Int?]?
    }

    private static let texts = [
        #"{"user_name":"a"}"#, #"{"userName":"a"}"#, #"{"date":0}"#, #"{"date":1.5e3}"#, #"{"date":null}"#,
        #"{"date":"2026-11-23T10:00:00Z"}"#, #"{"date":"yesterday"}"#, #"{"dates":[0,"2026-11-23T10:00:00Z",null]}"#,
        #"{"dates":["x"]}"#, #"{"date":[]}"#, #"{"data":"AQID"}"#, #"{"data":"AQ=="}"#, #"{"data":"\u0041QID"}"#,
        #"{"data":"A Q"}"#, #"{"data":"é"}"#, #"{"data":[1,2,255]}"#, #"{"data":[256]}"#, #"{"data":1}"#,
        #"{"url":"a b"}"#,
        #"{"url":"https://a.example/é?x#y"}"#, #"{"url":""}"#, #"{"url":1}"#, #"{"url":"http://["}"#,
        #"{"price":1.10}"#,
        #"{"price":"1"}"#, #"{"price":1e200}"#, #"{"number":"inf"}"#, #"{"number":"-inf"}"#, #"{"number":"nan"}"#,
        #"{"float":"inf"}"#, #"{"number":"\u0069nf"}"#, #"{"number":"other"}"#, #"{"number":1e999}"#,
        #"{"by_name":{"a_b":{"c_d":1}}}"#, #"{"byName":{"a_b":{"c_d":1,"c_d":2}}}"#, #"{"byName":{"a_b":1}}"#,
        #"{"byName":{"a_b":null}}"#, #"{"byName":[]}"#, #"{"optionals":{"a_b":null}}"#, #"{"optionals":{"1":"x"}}"#,
    ]

    private static var decoders: [JSONDecoder] {
        let changes: [(JSONDecoder) -> Void] = [
            { _ in },
            { $0.dateDecodingStrategy = .secondsSince1970 },
            { $0.dateDecodingStrategy = .millisecondsSince1970 },
            { $0.dateDecodingStrategy = .iso8601 },
            { $0.dateDecodingStrategy = .custom { _ in throw CancellationError() } },
            { $0.dataDecodingStrategy = .deferredToData },
            { $0.dataDecodingStrategy = .custom { Data(try String(from: $0).utf8) } },
            {
                $0.nonConformingFloatDecodingStrategy = .convertFromString(
                    positiveInfinity: "inf",
                    negativeInfinity: "-inf",
                    nan: "nan"
                )
            },
            { $0.keyDecodingStrategy = .convertFromSnakeCase },
            { $0.keyDecodingStrategy = .custom { JSONProbe.Name(stringValue: $0.map(\.stringValue).joined()) } },
            { decoder in CodingUserInfoKey(rawValue: "x").map { decoder.userInfo[$0] = 1 } },
        ]
        return changes.map { change in
            let decoder = JSONDecoder()
            change(decoder)
            return decoder
        }
    }

    @Test("each strategy has the same outcome", arguments: texts)
    func strategies(_ text: String) {
        for decoder in Self.decoders {
            JSONDecodingTests.expectSame(Model.self, text, decoder)
            JSONDecodingTests.expectSame([Model].self, "[{},\(text)]", decoder)
        }
    }

    @Test("each strategy has the same outcome for all operations of containers")
    func operations() {
        let text = #"[{"a_b":1,"date":1,"é":"inf"},{"a_b":null,"date":[1,"2026-11-23T10:00:00Z"],"é":"AQID"}]"#
        for decoder in Self.decoders { JSONDecodingTests.expectSame(JSONProbe.self, text, decoder) }
    }

    @Test("custom strategies are called as often and with the same coding paths")
    func calls() throws {
        let calls = Mutex<[String]>([])
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .custom { path in
            calls.withLock { $0.append("key " + path.map(\.stringValue).joined(separator: "/")) }
            return JSONProbe.Name(stringValue: path.last?.stringValue ?? "")
        }
        decoder.dateDecodingStrategy = .custom { decoder in
            calls.withLock { $0.append("date " + decoder.codingPath.map(\.stringValue).joined(separator: "/")) }
            return Date(timeIntervalSince1970: try decoder.singleValueContainer().decode(Double.self))
        }
        let text = #"[{"date":1,"dates":[2,3],"byName":{"a":{"b":1}}},{"date":1,"x":{"y":1}}]"#
        JSONDecodingTests.expectSame([Model].self, text, decoder)
        _ = try decoder.decode([Model].self, from: Data(text.utf8))
        let all = calls.withLock { $0 }
        let third = all.count / 3
        #expect(all.count == third * 3 && third > 5)
        #expect(all[..<third].sorted() == all[third..<(2 * third)].sorted())
    }

    @Test("JSON5 and an assumed dictionary are left to Foundation")
    func delegated() throws {
        let json5 = JSONDecoder.fast
        json5.allowsJSON5 = true
        #expect(try json5.decode([String: Int].self, from: Data("{a:0x10,/* b */}".utf8)) == ["a": 16])
        let assuming = JSONDecoder.fast
        assuming.assumesTopLevelDictionary = true
        #expect(try assuming.decode([String: Int].self, from: Data("\"a\":1".utf8)) == ["a": 1])
    }

    @Test("a decoder of the app's own decodes the payloads of responses, also from a subclass")
    func subclass() {
        final class Other: JSONDecoder, @unchecked Sendable {
            override func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
                try super.decode(type, from: Data("[7]".utf8))
            }
        }
        let response = Response(statusCode: .ok, payload: Data("[1]".utf8))
        #expect(response.json([Int].self, decoder: Other()).right == [7])
    }

    /// A value that keeps its decoder and a container for later.
    private struct Keeper: Decodable {
        let decoder: any Decoder
        let container: KeyedDecodingContainer<JSONProbe.Name>

        init(from decoder: any Decoder) throws {
            self.decoder = decoder
            container = try decoder.container(keyedBy: JSONProbe.Name.self)
        }

        var later: JSONOutcome {
            JSONOutcome {
                let name = JSONProbe.Name(stringValue: "a")
                return try "\(JSONProbe(from: decoder)) \(container.decode(String.self, forKey: name))"
            }
        }
    }

    @Test("a decoder that outlives its call still reads the text")
    func keeper() throws {
        let text = #"[{"a":"\#(String(repeating: "long ", count: 20))"},{"a":"b"}]"#
        let kit = try JSONDecoder.fast.decode([Keeper].self, from: Data(text.utf8))
        let foundation = try JSONDecoder().decode([Keeper].self, from: Data(text.utf8))
        #expect(kit.map(\.later) == foundation.map(\.later))
    }

    private class Animal: Decodable {
        let name: String
        init(name: String) { self.name = name }
    }

    private final class Dog: Animal, CustomStringConvertible {
        let age: Int
        let isNested: Bool
        var description: String { "\(name) \(age) \(isNested)" }

        private enum Key: String, CodingKey { case age, animal }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            age = try container.decode(Int.self, forKey: .age)
            isNested = container.contains(.animal)
            try super.init(from: isNested ? container.superDecoder(forKey: .animal) : decoder)
        }
    }

    @Test(
        "classes decode their superclasses",
        arguments: [
            #"{"age":1,"name":"a"}"#, #"{"age":1,"animal":{"name":"a"}}"#, #"{"age":1,"animal":null}"#, #"{"age":1}"#,
            #"{"age":1,"animal":{"name":1}}"#,
        ]
    )
    func classes(_ text: String) {
        JSONDecodingTests.expectSame(Dog.self, text)
        JSONDecodingTests.expectSame([Dog].self, "[\(text)]")
    }

    private struct Holder: Decodable {
        let value: JSONValue
        let values: [JSONValue]?
    }

    @Test("a JSONValue in a model is decoded as by Foundation, with numbers that Double can hold")
    func values() {
        let inner = [
            "null", "1", "1.0", "9007199254740993.0", "1.5", "1e400", "0e1", "-0.0", "\"a\\n\"", "[]", "{}",
            #"{"a":[1,{"b":null}],"a":2}"#, #"{"a_b":{"c_d":1e400},"x":1}"#, "{\"é\":1,\"e\u{301}\":2}",
            String(repeating: "[", count: 63) + String(repeating: "]", count: 63),
            String(repeating: "[", count: 64) + String(repeating: "]", count: 64),
            String(repeating: "[", count: 64) + "1" + String(repeating: "]", count: 64),
        ]
        for decoder in Self.decoders {
            for text in inner {
                JSONDecodingTests.expectSame(Holder.self, "{\"value\":\(text),\"values\":[]}", decoder)
                JSONDecodingTests.expectSame([Holder].self, "[{\"value\":1,\"values\":[\(text)]}]", decoder)
            }
        }
    }
}
