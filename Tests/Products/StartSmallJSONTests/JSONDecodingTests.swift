import Foundation
import StartSmallTesting
import TestSupport
import Testing

import StartSmall
import StartSmallSupport
@testable import StartSmallJSON

/// `JSONDecoder.fast` has the results of `JSONDecoder`: equal values, and errors with the same case, path and text.
struct JSONDecodingTests {
    /// Expects one outcome of both decoders.
    private func expectSame<T: Decodable>(_ type: T.Type, _ text: String, _ decoder: JSONDecoder = JSONDecoder()) {
        expectSame(type, Data(text.utf8), decoder)
    }

    private func expectSame<T: Decodable>(_ type: T.Type, _ data: Data, _ decoder: JSONDecoder = JSONDecoder()) {
        let text = String(decoding: data.prefix(200), as: UTF8.self)
        #expect(JSONOutcome.kit(type, data, decoder) == .foundation(type, data, decoder), "\(type) from \(text)")
    }

    // MARK: - Texts

    private static let validTexts = [
        // Values, structure and white space (RFC 8259 2 to 5).
        "null", "true", "false", "{}", "[]", " [ ] ", "\t\r\n{\t\r\n}\t\r\n", "[1 , 2]", #"{"a" : 1 , "b" : [ { } ] }"#,
        "[[[[]]],{}]", "[null,true,false,1,\"a\",[],{}]", #"{"a":{"b":{"c":[1,{"d":2}]}}}"#,
        // Numbers (RFC 8259 6).
        "0", "-0", "1", "-1", "10", "0.5", "-0.25", "1e2", "1E2", "1e+2", "1e-2", "1.5e3", "[0.0,0e0,0E-1]",
        // Strings (RFC 8259 7).
        #""""#, #""a""#, #""\"\\\/\b\f\n\r\t""#, #""\u0041\u00e9\uFFFF""#, #""\ud83d\uDE00""#, "\"é日本😀\"", "\"\u{7F}\"",
        #"{"":1," ":2,"\u0061":3,"é":4}"#, "\u{FEFF}[1]",
    ]

    private static let otherTexts = [
        "", " ", "nul", "nulll", "True", "[", "]", "{", "}", "[1", "[1,]", "[,1]", "[1 2]", #"{"a"}"#, #"{"a":}"#,
        #"{"a":1,}"#, #"{,}"#, "{1:2}", "{a:1}", "[1}", #"{"a":1]"#, "1 2", "[] []", "01", "-01", "+1", ".5", "1.",
        "1.e1", "1e", "1e+", "0x1", "NaN", "Infinity", "-", "--1", "\"a", "\"\n\"", "\"\u{0}\"", #""\x""#, #""\u12"#,
        #""\u12g4""#, "'a'", "// a\n1", "/* a */1", "\u{A0}1", "\u{FEFF}", #""\ud83d""#, #""\udc00\ud83d""#,
        #"{"\ud83d":1}"#, #"{"a":"\ud83d","b":1}"#, "\u{0}", "1\u{0}",
    ]

    @Test("each rule of the grammar has the same outcome for all operations of containers", arguments: validTexts)
    func valid(_ text: String) {
        #expect(JSONTape.offsetOfError(in: Data(text.utf8)) == nil)
        let inner = text.replacing("\u{FEFF}", with: "")
        for text in [text, "[\(inner)]", "{\"a\":\(inner)}"] { expectSame(JSONProbe.self, text) }
    }

    @Test(
        "each operation of a container of elements has the same outcome at an element of each kind",
        arguments: ["null", "true", "1", "300", "1.5", #""a""#, "[2]", #"{"a":1}"#]
    )
    func elements(_ element: String) {
        for operation in 0..<JSONProbe.operations {
            JSONProbe.$firstOperation.withValue(operation) { expectSame(JSONProbe.self, "[\(element),2]") }
        }
    }

    @Test("text that is not JSON, and half of a surrogate pair, have the same outcome", arguments: otherTexts)
    func invalid(_ text: String) {
        for type in [JSONProbe.self, Int.self, String.self, [Int].self, [String: Int].self] as [any Decodable.Type] {
            expectSame(type, text)
        }
    }

    @Test("a text that is cut or changed at any byte, or in another encoding, has the same outcome")
    func everyByte() throws {
        let text = Data(#"{"a":[1,-2.5e3,"\u00e9\n",true,null,{"b":"é"}],"date":0,"c":{}}"#.utf8)
        for index in text.indices where isExhaustive || index.isMultiple(of: 4) {
            expectSame(JSONProbe.self, text[..<index])
            for byte in UInt8.min...UInt8.max {
                var changed = text
                changed[index] = byte
                // All operations take long.
                let isMark = [0x20, 0x22, 0x5C, 0x2C, 0x30, 0x5D, 0x7D, 0x80, 0xFF].contains(byte)
                if isMark || isExhaustive { expectSame(Int.self, changed) }
                if isMark { expectSame(JSONProbe.self, changed) }
            }
        }
        for encoding in [.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf16] as [String.Encoding] {
            for text in ["1", "[1]", #"{"a":"é"}"#, "\"😀\"", "[", "{\"a\":x}"] {
                expectSame(JSONProbe.self, try #require(text.data(using: encoding)))
            }
        }
    }

    @Test("deep nesting is left to Foundation where Foundation rejects it", arguments: [510, 511, 512, 513, 5000])
    func depth(_ depth: Int) {
        expectSame(Int.self, String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
        let objects = String(repeating: "{\"a\":", count: depth) + "1" + String(repeating: "}", count: depth)
        expectSame([String: Int].self, objects)
    }

    // MARK: - Numbers

    private static let numbers: [String] = [
        "0", "-0", "1", "-1", "127", "128", "-128", "-129", "255", "256", "32768", "65536", "2147483648",
        "4294967296", "9007199254740991", "9007199254740992", "9007199254740993", "-9007199254740993",
        "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
        "18446744073709551615", "18446744073709551616", "170141183460469231731687303715884105728",
        "-170141183460469231731687303715884105728", "340282366920938463463374607431768211456",
        String(repeating: "9", count: 40), "1" + String(repeating: "0", count: 400),
        "0.0", "-0.0", "0.00", "1.0", "1.5", "-2.50", "1e2", "1.00e2", "25e-1", "20e-1", "0e1", "0e10", "0.0e1",
        "0.00e1", "0.000e1", "-0e1", "1e22", "1e23", "123e-2", "1e-7", "9007199254740991.0", "9007199254740993.0",
        "9007199254740992.5", "9223372036854775807.0", "18446744073709551615e0", "1.0000000000000000001",
        "0.1", "0.2", "0.30000000000000004", "3.4028235e38", "3.5e38", "1.1754943e-38", "1e-45", "1e-46",
        "1.7976931348623157e308", "1.8e308", "1e400", "-1e400", "4.9e-324", "2e-324", "1e-400", "16777217",
        "16777217.0", "0.14285714285714285", "1234567.8901234567", "0.00000000000000000000000000000123",
        "1e127", "1e128", "1e-127", "1e-129", "12345678901234567890.123456789", "1e999999999999", "1e-999999999999",
        "100000000000000016777216", "184467440737095516160e1", "-1844674407370955161600.0", "9007199254740993e3",
    ]

    @Test("each number has the same outcome as each type", arguments: numbers)
    func number(_ number: String) {
        let types: [any Decodable.Type] = [
            Int.self, Int8.self, Int16.self, Int32.self, Int64.self, Int128.self, UInt.self, UInt8.self, UInt16.self,
            UInt32.self, UInt64.self, UInt128.self, Double.self, Float.self, Decimal.self, Bool.self, String.self,
            Date.self, [Int].self, [Double].self, Int?.self, JSONProbe.self,
        ]
        for type in types {
            expectSame(type, number)
            expectSame(type, "[\(number)]")
        }
        expectSame([Int].self, "[1,\(number),2]")
    }

    @Test("random numbers have the same bits")
    func randomNumbers() {
        var random = SplitMix64(seed: 16)
        let texts = (0..<3000).map { _ in
            let digits = String(UInt64.random(in: 0...(1 << UInt64.random(in: 1...63, using: &random)), using: &random))
            let place = Int.random(in: 0...digits.count, using: &random)
            let fraction = place == 0 ? "0.\(digits)" : "\(digits.prefix(place)).\(digits.dropFirst(place))0"
            return Bool.random(using: &random) ? fraction : "-\(fraction)e\(Int.random(in: -60...60, using: &random))"
        }
        let list = "[\(texts.joined(separator: ","))]"
        expectSame([Double].self, list)
        expectSame([Float].self, list)
        for text in texts.prefix(500) { expectSame(Decimal.self, text) }
    }

    // MARK: - Members

    /// A value that decodes members by a list of names, some of them twice.
    private struct Members: Decodable, CustomStringConvertible {
        @TaskLocal static var names: [String] = []
        let description: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: JSONProbe.Name.self)
            description = Self.names
                .map { name in
                    let key = JSONProbe.Name(stringValue: name)
                    return "\(name): \(JSONOutcome { try container.decodeIfPresent(Int.self, forKey: key) })"
                }
                .joined(separator: "; ")
        }
    }

    private func expectSame(_ names: [String], _ text: String, _ decoder: JSONDecoder = JSONDecoder()) {
        Members.$names.withValue(names) { expectSame(Members.self, text, decoder) }
    }

    private func permutations(_ names: [String]) -> [[String]] {
        guard names.count > 1 else { return [names] }
        return names.indices.flatMap { index in
            var rest = names
            let name = rest.remove(at: index)
            return permutations(rest).map { [name] + $0 }
        }
    }

    private func object(_ names: [String]) -> String {
        "{" + names.enumerated().map { "\"\($0.element)\":\($0.offset)" }.joined(separator: ",") + "}"
    }

    @Test("members in any order are found in any order, and the first of several with one name")
    func order() {
        let orders = permutations(["a", "b", "a", "cc"])
        for text in orders {
            for names in orders { expectSame(names + ["x"] + names, object(text)) }
        }
    }

    @Test("members of objects and dictionaries of any size are found", arguments: [0, 1, 31, 32, 33, 127, 128, 129])
    func count(_ count: Int) {
        let names = (0..<count).map { "member\($0)" }
        expectSame(names + names.reversed() + ["member", "absent"], object(names))
        expectSame(names, object(names + names.reversed()))
        for decoder in [JSONDecoder(), Self.snakeCase] {
            func expectSameMembers<T: Decodable & Equatable>(_ type: T.Type, _ text: String) {
                let data = Data(text.utf8)
                #expect((try? decoder.fastValue(type, from: data)) == (try? decoder.decode(type, from: data)))
            }
            let text = (names.map { "\"\($0)\":1" } + ["\"a_b\":1", "\"é\":2", "\"a_b\":3", "\"e\u{301}\":4"])
                .joined(separator: ",")
            expectSameMembers([String: Int].self, "{\(text)}")
            expectSameMembers([String: Int?].self, "{\"null\":null,\(text),\"a_b\":null}")
            expectSameMembers([String: [String: Int]].self, "{\"a_b\":{\(text)},\"b\":{},\"c\":{\(text)}}")
            // Only one member is wrong, as of several errors, JSONDecoder throws any.
            for wrong in ["\"7_\":\"x\"", "\"1000\":null", "\"x\":{}", "\"x\":1.5"] {
                expectSame([String: Int].self, "{\(text),\(wrong)}", decoder)
            }
        }
    }

    @Test(
        "names are equal if their characters are, and names that differ in a byte or in their length are told apart",
        arguments: [
            ["é", "e\u{301}"], ["e\u{301}", "é"], ["K", "\u{212A}"], ["\u{212A}"], ["K"], ["\\u0061", "a"], ["\\u00e9"],
            ["a", "\\u0061"], ["é", "a"], ["Å", "\u{212B}", "A\u{30A}"],
            (0..<32).map { String(repeating: "a", count: $0) } + ["b", "aaaaaaab", "aaaaaaaab", "baaaaaaaa"],
        ]
    )
    func equalNames(_ names: [String]) {
        for decoder in [JSONDecoder(), Self.snakeCase] {
            expectSame(names + ["é", "e\u{301}", "K", "\u{212A}", "a", "Å", "\u{212B}"], object(names), decoder)
            Members.$names.withValue(["é", "K", "a"]) {
                expectSame([Members].self, "[\(object(names)),\(object(names.reversed()))]", decoder)
            }
        }
    }

    // MARK: - Options

    private static var snakeCase: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }

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
        let value: JSONValue?
    }

    private static let models = [
        #"{"user_name":"a"}"#, #"{"userName":"a"}"#, #"{"date":0}"#, #"{"date":1.5e3}"#, #"{"date":null}"#,
        #"{"date":"2026-11-23T10:00:00Z"}"#, #"{"date":"yesterday"}"#, #"{"dates":[0,"2026-11-23T10:00:00Z",null]}"#,
        #"{"dates":["x"]}"#, #"{"date":[]}"#, #"{"data":"AQID"}"#, #"{"data":"AQ=="}"#, #"{"data":"\u0041QID"}"#,
        #"{"data":"A Q"}"#, #"{"data":"é"}"#, #"{"data":[1,2,255]}"#, #"{"data":[256]}"#, #"{"data":1}"#,
        #"{"url":"a b"}"#, #"{"url":"https://a.example/é?x#y"}"#, #"{"url":""}"#, #"{"url":1}"#, #"{"url":"http://["}"#,
        #"{"price":1.10}"#, #"{"price":"1"}"#, #"{"price":1e200}"#, #"{"number":"inf"}"#, #"{"number":"-inf"}"#,
        #"{"number":"nan"}"#, #"{"float":"inf"}"#, #"{"number":"\u0069nf"}"#, #"{"number":"other"}"#,
        #"{"number":1e999}"#, #"{"by_name":{"a_b":{"c_d":1}}}"#, #"{"byName":{"a_b":{"c_d":1,"c_d":2}}}"#,
        #"{"byName":{"a_b":1}}"#, #"{"byName":{"a_b":null}}"#, #"{"byName":[]}"#, #"{"optionals":{"a_b":null}}"#,
        #"{"optionals":{"1":"x"}}"#, #"{"value":[null,1,1.0,9007199254740993.0,1.5,1e400,-0.0,"a\n",[],{}]}"#,
        #"{"value":{"a":[1,{"b":null}],"a_b":{"c_d":1e400}}}"#, "{\"value\":{\"é\":1,\"e\u{301}\":2}}",
        #"{"value":\#(String(repeating: "[", count: 64) + String(repeating: "]", count: 64))}"#,
        #"{"value":\#(String(repeating: "[", count: 64) + "1" + String(repeating: "]", count: 64))}"#,
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

    @Test("each strategy has the same outcome", arguments: models)
    func strategies(_ text: String) {
        for decoder in Self.decoders { expectSame([Model].self, "[{},\(text)]", decoder) }
    }

    @Test("a date with more than nine digits in a row is none: where Int has 32 bits, Foundation would trap on it")
    func longDate() {
        let decoder = JSONDecoder.fast
        decoder.dateDecodingStrategy = .iso8601
        for (year, isRead) in [("002026", true), ("000002026", true), ("0000002026", false), ("9999999999", false)] {
            let text = Data("[\"\(year)-01-02T03:04:05Z\"]".utf8)
            #expect(((try? decoder.decode([Date].self, from: text)) != nil) == isRead, "\(year)")
        }
    }

    @Test("each strategy has the same outcome for all operations of containers")
    func operations() {
        let text = #"[{"a_b":1,"date":1,"é":"inf"},{"a_b":null,"date":[1,"2026-11-23T10:00:00Z"],"é":"AQID"}]"#
        for decoder in Self.decoders { expectSame(JSONProbe.self, text, decoder) }
    }

    @Test(
        "names in snake case are converted as by Foundation",
        arguments: [
            "a", "_", "__", "_a", "a_", "__a__", "a_b", "a__b", "_a_b_", "user_name", "USER_NAME", "userName",
            "user_Name", "a_1b", "a1_b2", "a_é", "É_a", "ß_ss", "a_ß", "a_b-c_d", "a_b c", "ab_CD", "_1", "日本_語",
            "a_i\u{307}", "a_b\":1,\"a_b", "a_b\":1,\"aB", "aB\":1,\"a_b",
        ]
    )
    func snakeCase(_ name: String) {
        let object = "{\"\(name)\":1,\"x\":2}"
        expectSame(JSONProbe.self, "[\(object),\(object),{\"x\":2,\"\(name)\":1}]", Self.snakeCase)
        // A dictionary of several members is described in any order.
        if !name.contains(",") { expectSame([String: Int].self, "{\"\(name)\":1}", Self.snakeCase) }
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
        // A slice, which is read from its own beginning.
        let text = Data(#"xx[{"a":"\#(String(repeating: "long ", count: 20))"},{"a":"b"}]"#.utf8).dropFirst(2)
        let kit = try JSONDecoder.fast.decode([Keeper].self, from: text)
        #expect(kit.map(\.later) == (try JSONDecoder().decode([Keeper].self, from: text).map(\.later)))
    }

    // MARK: - Differences

    private struct Items: Decodable {
        struct Item: Decodable { let count: Int8? }

        let items: [Item]
    }

    private enum Level: Int8, Decodable { case low = 1 }

    private enum Ratio: Double, Decodable { case half = 0.5 }

    /// Numbers that their types can't hold: Foundation says that the whole text is not JSON.
    private static var differences: [(type: any Decodable.Type, json: String, place: String)] {
        [
            (Int.self, "123.45", "/ Int"), (Int.self, "9223372036854775808", "/ Int"), (Int8.self, "300", "/ Int8"),
            (Int8.self, "-129", "/ Int8"), (Int16.self, "32768", "/ Int16"), (Int32.self, "-2147483649", "/ Int32"),
            (Int64.self, "1e19", "/ Int64"), (Int128.self, "1e40", "/ Int128"), (UInt.self, "-1", "/ UInt"),
            (UInt.self, "1.5", "/ UInt"), (UInt8.self, "256", "/ UInt8"), (UInt16.self, "65536", "/ UInt16"),
            (UInt32.self, "-0.5", "/ UInt32"), (UInt64.self, "18446744073709551616", "/ UInt64"),
            (UInt128.self, "-1", "/ UInt128"), (Double.self, "1e400", "/ Double"), (Float.self, "1e39", "/ Float"),
            (Decimal.self, "1e400", "/ Decimal"), ([Int].self, "[0,1.5]", "[1] Int"),
            ([String: Int].self, #"{"a":1.5}"#, "a Int"), ([[Double?]].self, "[[null,1e400]]", "[0][1] Double"),
            (Items.self, #"{"items":[{"count":0},{"count":300}]}"#, "items[1].count Int8"),
            ([Level].self, "[1,300]", "[1] Int8"), ([Ratio].self, "[0.5,1e400]", "[1] Double"),
            ([Int: Int].self, #"{"1":1,"1.5":2}"#, "1.5 Int"), ([Int: Int8].self, #"{"1":300}"#, "[1] Int8"),
            ([Date].self, "[1e400]", "[0] Double"),
        ]
    }

    @Test("the error of a number that its type can't hold has its path and its type, at any place")
    func differences() {
        for (type, json, place) in Self.differences {
            do {
                _ = try JSONDecoder.fast.decode(type, from: Data(json.utf8))
                Issue.record("\(type) from \(json)")
            } catch DecodingError.typeMismatch(let type, let context) {
                #expect("\(context.codingPath.place) \(type)" == place, "\(json)")
            } catch {
                Issue.record("\(type) from \(json): \(error)")
            }
        }
    }

    @Test("of a very long number, an error names the length alone")
    func long() {
        let json = Data("[\(String(repeating: "9", count: 100_000))]".utf8)
        let error = #expect(throws: DecodingError.self) { try JSONDecoder.fast.decode([Int].self, from: json) }
        let text = error.map { DecodingError.text(of: $0) }
        #expect(text == "[0] is not a value of type Int: The number of 100000 characters does not fit.")
    }
}
