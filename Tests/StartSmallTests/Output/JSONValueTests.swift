import Foundation
import StartSmall
import Testing

struct JSONValueTests {
    private func read(_ json: String) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
    }

    @Test(
        "each kind of value is read as itself, and written as it was",
        arguments: [
            ("null", .null), ("true", .bool(true)), ("30", .integer(30)), ("-1", .integer(-1)),
            ("9223372036854775807", .integer(.max)), ("1.5", .number(1.5)), (#""a""#, .string("a")),
            ("[1,[]]", .array([.integer(1), .array([])])),
            (#"{"a":{"b":null},"c":false}"#, .object(["a": .object(["b": .null]), "c": .bool(false)])),
        ] as [(String, JSONValue)]
    )
    func kinds(_ json: String, _ value: JSONValue) throws {
        #expect(try read(json) == value)
        #expect("\(value)" == json)
    }

    @Test("a number that Int can't hold is as near as Double comes to it")
    func large() throws {
        #expect(try read("18446744073709551616") == .number(18_446_744_073_709_551_616))
        #expect(try read("30.0") == .integer(30))
    }

    @Test("values lie as deep as is allowed, and no deeper")
    func depth() throws {
        let nested = { (depth: Int) in String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
        #expect(try "\(read(nested(JSONValue.deepest + 1)))" == nested(JSONValue.deepest + 1))
        #expect(throws: DecodingError.self) { try read(nested(JSONValue.deepest + 2)) }
    }

    @Test("what is inside is reached by name and place, and nothing where there is none")
    func access() throws {
        let value = try read(#"{"a":[{"b":"c"},2,2.5]}"#)
        #expect(value["a"]?[0]?["b"]?.string == "c")
        #expect(value["a"]?[1]?.number == 2)
        #expect(value["a"]?[2]?.number == 2.5)
        #expect(value["a"]?[3] == nil && value["a"]?[-1] == nil && value["x"] == nil && value[0] == nil)
        #expect(value.string == nil && value.number == nil)
    }

    @Test("a description hides credentials and stays on one line")
    func description() {
        let value = JSONValue.object(["token": .string("hunter2"), "a": .string("b\nc")])
        #expect("\(value)" == #"{"a":"b\nc","token":"<redacted>"}"#)
        #expect("\(JSONValue.number(.nan))" == "a number that is not finite")
        #expect(String(reflecting: value) == "\(value)")
        var dumped = ""
        dump(value, to: &dumped)
        #expect(!dumped.contains("hunter2"))
    }
}
