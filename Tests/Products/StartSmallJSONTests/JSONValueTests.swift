import Foundation
import Testing

import StartSmall
@testable import StartSmallJSON

struct JSONValueTests {
    /// Decodes with `JSONDecoder`, as users do, and with the kit's own reader, and expects both to agree.
    private func read(_ json: String) throws -> JSONValue {
        let value = try? JSONValue(json: Data(json.utf8))
        let decoded = try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
        #expect(value == decoded)
        return decoded
    }

    @Test(
        "each kind of value is decoded as its case",
        arguments: [
            ("null", .null), ("true", .bool(true)), ("30", .integer(30)), ("-1", .integer(-1)),
            ("9223372036854775807", .integer(.max)), ("1.5", .number(1.5)), (#""a""#, .string("a")),
            ("1.8446744073709552e+19", .number(18_446_744_073_709_551_616)),
            ("[1,[]]", .array([.integer(1), .array([])])),
            (#"{"a":{"b":null},"c":false}"#, .object(["a": .object(["b": .null]), "c": .bool(false)])),
        ] as [(String, JSONValue)]
    )
    func kinds(_ json: String, _ value: JSONValue) throws {
        #expect(try read(json) == value)
    }

    @Test(
        "a description says the kind and size of a value, and not its content",
        arguments: [
            ("null", "null"), ("true", "true"), ("7", "a number"), ("1.5", "a number"),
            (#""hünter""#, "a string of 7 bytes"), ("[1,[]]", "an array of 2 elements"),
            (#"{"token":"hunter2"}"#, "an object of 1 members"),
        ]
    )
    func description(_ json: String, _ expected: String) throws {
        let value = try read(json)
        #expect("\(value)" == expected)
        var dumped = ""
        dump(value, to: &dumped)
        #expect(dumped.contains(expected) && !dumped.contains("hunter2"))
    }

    @Test(
        "a number beyond Double keeps its digits in a payload that is a JSONValue",
        arguments: ["1e400", "-2E+999", "1.5e309", "1" + String(repeating: "0", count: 400)]
    )
    func beyondDouble(_ digits: String) throws {
        let json = #"{"a":[1,\#(digits)],"b":"\#(digits)"}"#
        let value = try Response(statusCode: .ok, payload: Data(json.utf8)).json(JSONValue.self).get()
        #expect(value["a"] == .array([.integer(1), .decimalString(digits)]))
        #expect(value["b"] == .string(digits))
        #expect(value["a"]?[1]?.number == nil && value["a"]?[1]?.string == nil)
        let decoded = Response(statusCode: .ok, payload: Data(json.utf8)).json([String: JSONValue].self)
        guard case .malformedData(_, let debugInfo)? = decoded.left else { return #expect(decoded.left != nil) }
        #expect(debugInfo.contains("too large for Double"), "\(debugInfo)")
    }

    @Test("the key strategy of a decoder is ignored, since names are data here")
    func strategy() throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let value = try decoder.decode(JSONValue.self, from: Data(#"{"a_b":{"c_d":1}}"#.utf8))
        #expect(value == .object(["a_b": .object(["c_d": .integer(1)])]))
    }

    @Test("depth counts from outside of a custom type, and the depth of one value does not count for the next")
    func depthWithin() throws {
        struct Own: Decodable { let a: [JSONValue] }
        let nested = { (depth: Int) in String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
        let read = { (depth: Int) in
            let json = #"{"a":[\#(nested(depth)),\#(nested(depth)),1]}"#
            return try JSONDecoder().decode(Own.self, from: Data(json.utf8)).a
        }
        #expect(try read(JSONValue.maximumDepth - 1).count == 3)
        #expect(throws: DecodingError.self) { try read(JSONValue.maximumDepth) }
    }

    @Test(
        "a value is nested up to the maximum depth, and no deeper, with either reader",
        arguments: [("", 1), ("1", 0)]
    )
    func depth(_ inner: String, _ further: Int) throws {
        let nested = { (depth: Int) in
            String(repeating: "[", count: depth + further) + inner + String(repeating: "]", count: depth + further)
        }
        let value = try read(nested(JSONValue.maximumDepth))
        #expect(try String(decoding: JSONEncoder().encode(value), as: UTF8.self) == nested(JSONValue.maximumDepth))
        let tooDeep = Data(nested(JSONValue.maximumDepth + 1).utf8)
        #expect(throws: DecodingError.self) { try JSONValue(json: tooDeep) }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(JSONValue.self, from: tooDeep) }
    }

    @Test("elements are accessed by name and index, and a missing element is nil")
    func access() throws {
        let value = try read(#"{"a":[{"b":"c"},2,2.5]}"#)
        #expect(value["a"]?[0]?["b"]?.string == "c")
        #expect(value["a"]?[1]?.number == 2)
        #expect(value["a"]?[2]?.number == 2.5)
        #expect(value["a"]?[3] == nil && value["a"]?[-1] == nil && value["x"] == nil && value[0] == nil)
        #expect(value.string == nil && value.number == nil)
    }
}
