import Foundation
import ParityTrait
import Testing

@testable import StartSmall
import StartSmallTesting

/// `JSONDecoder.fast` has the results of `JSONDecoder`: equal values, and errors with the same case, path and text.
struct JSONDecodingTests {
    /// Expects one outcome of both decoders.
    static func expectSame<T: Decodable>(
        _ type: T.Type,
        _ text: String,
        _ decoder: JSONDecoder = JSONDecoder(),
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        expectSame(type, Data(text.utf8), decoder, sourceLocation: sourceLocation)
    }

    static func expectSame<T: Decodable>(
        _ type: T.Type,
        _ data: Data,
        _ decoder: JSONDecoder = JSONDecoder(),
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let text = String(decoding: data.prefix(200), as: UTF8.self)
        let kit = JSONOutcome.kit(type, data, decoder)
        #expect(kit == .foundation(type, data, decoder), "\(type) from \(text)", sourceLocation: sourceLocation)
    }

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
        "1.e1",
        "1e", "1e+", "0x1", "NaN", "Infinity", "-", "--1", "\"a", "\"\n\"", "\"\u{0}\"", #""\x""#, #""\u12"#,
        #""\u12g4""#,
        "'a'", "// a\n1", "/* a */1", "\u{A0}1", "\u{FEFF}", #""\ud83d""#, #""\udc00\ud83d""#, #"{"\ud83d":1}"#,
        #"{"a":"\ud83d","b":1}"#, "\u{0}", "1\u{0}",
    ]

    @Test("each rule of the grammar has the same outcome for all operations of containers", arguments: validTexts)
    func valid(_ text: String) {
        #expect(JSONTape.offsetOfError(in: Data(text.utf8)) == nil)
        Self.expectSame(JSONProbe.self, text)
        Self.expectSame(JSONProbe.self, "[\(text.replacing("\u{FEFF}", with: ""))]")
        Self.expectSame(JSONProbe.self, "{\"a\":\(text.replacing("\u{FEFF}", with: ""))}")
    }

    @Test("text that is not JSON, and half of a surrogate pair, have the same outcome", arguments: otherTexts)
    func invalid(_ text: String) {
        for type in [JSONProbe.self, Int.self, String.self, [Int].self, [String: Int].self] as [any Decodable.Type] {
            Self.expectSame(type, text)
        }
    }

    @Test("a text that is cut or changed at any byte has the same outcome")
    func everyByte() {
        let text = Data(#"{"a":[1,-2.5e3,"\u00e9\n",true,null,{"b":"é"}],"date":0,"c":{}}"#.utf8)
        for index in text.indices where isExhaustive || index.isMultiple(of: 4) {
            Self.expectSame(JSONProbe.self, text[..<index])
            for byte in UInt8.min...UInt8.max {
                var changed = text
                changed[index] = byte
                // All operations take long.
                let isMark = [0x20, 0x22, 0x5C, 0x2C, 0x30, 0x5D, 0x7D, 0x80, 0xFF].contains(byte)
                if isMark || isExhaustive { Self.expectSame(Int.self, changed) }
                if isMark { Self.expectSame(JSONProbe.self, changed) }
            }
        }
    }

    @Test("a text with any byte inserted has the same outcome")
    func insertedBytes() {
        for text in ["[1,tru,{\"a\":-1.5e3}]", "{\"a\" : [ ] , \"b\":null}", " 12 ", "\"a\"", "[1,]", "{\"a\":1,}"] {
            for (place, byte) in (0...text.utf8.count).flatMap({ place in (0...255).map { (place, UInt8($0)) } }) {
                var changed = Data(text.utf8)
                changed.insert(byte, at: place)
                Self.expectSame([String].self, changed)
            }
        }
    }

    @Test(
        "a text in another encoding has the same outcome",
        arguments: [.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf16] as [String.Encoding]
    )
    func encodings(_ encoding: String.Encoding) throws {
        for text in ["1", "[1]", #"{"a":"é"}"#, "\"😀\"", "[", "{\"a\":x}"] {
            Self.expectSame(JSONProbe.self, try #require(text.data(using: encoding)))
        }
    }

    @Test("a slice of a payload is read from its own beginning")
    func slice() throws {
        let data = Data("xx[1,2]yy".utf8)[2..<7]
        #expect(try JSONDecoder.fast.decode([Int].self, from: data) == [1, 2])
    }

    private static let numbers =
        [
            "0", "-0", "1", "-1", "127", "128", "-128", "-129", "255", "256", "32768", "65536", "2147483648",
            "4294967296", "9007199254740991", "9007199254740992", "9007199254740993", "-9007199254740993",
            "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
            "18446744073709551615", "18446744073709551616", "170141183460469231731687303715884105728",
            "-170141183460469231731687303715884105728", "340282366920938463463374607431768211456",
            String(repeating: "9", count: 40), "1" + String(repeating: "0", count: 400),
        ] + [
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
            Self.expectSame(type, number)
            Self.expectSame(type, "[\(number)]")
            Self.expectSame([Int].self, "[1,\(number),2]")
        }
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
        Self.expectSame([Double].self, list)
        Self.expectSame([Float].self, list)
        for text in texts.prefix(500) { Self.expectSame(Decimal.self, text) }
    }

    @Test("deep nesting is left to Foundation where Foundation rejects it", arguments: [510, 511, 512, 513, 5000])
    func depth(_ depth: Int) {
        Self.expectSame(Int.self, String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
        let objects = String(repeating: "{\"a\":", count: depth) + "1" + String(repeating: "}", count: depth)
        Self.expectSame([String: Int].self, objects)
    }
}
