import Foundation
import Testing

@testable import StartSmall

/// Members are found by their names as in `JSONDecoder`, whatever their order and number.
struct JSONMembersTests {
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
        Members.$names.withValue(names) { JSONDecodingTests.expectSame(Members.self, text, decoder) }
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

    @Test("members of objects of any size are found", arguments: [0, 1, 31, 32, 33, 64, 127, 128, 129, 1000])
    func count(_ count: Int) {
        let names = (0..<count).map { "member\($0)" }
        expectSame(names + names.reversed() + ["member", "absent"], object(names))
        expectSame(names, object(names + names.reversed()))
        JSONDecodingTests.expectSame([String: Int].self, "{\"a\":1,\"b\":\"x\"}")
        let members = try? JSONDecoder.fast.decode([String: Int].self, from: Data(object(names).utf8))
        #expect(members == Dictionary(uniqueKeysWithValues: names.enumerated().map { ($0.element, $0.offset) }))
    }

    @Test("a dictionary of any size has the same members, errors and coding paths", arguments: [0, 1, 32, 33, 200])
    func dictionary(_ count: Int) {
        let names = (0..<count).map { "\($0)" }
        let converting = JSONDecoder()
        converting.keyDecodingStrategy = .convertFromSnakeCase
        for decoder in [JSONDecoder(), converting] {
            func expectSameMembers<T: Decodable & Equatable>(_ type: T.Type, _ text: String) {
                let data = Data(text.utf8)
                #expect((try? decoder.fastValue(type, from: data)) == (try? decoder.decode(type, from: data)))
            }
            let members = names.map { "\"\($0)\":\($0)" } + ["\"a_b\":1", "\"é\":2", "\"a_b\":3", "\"e\u{301}\":4"]
            let text = members.joined(separator: ",")
            expectSameMembers([String: Int].self, "{\(text)}")
            expectSameMembers([String: Int?].self, "{\"null\":null,\(text),\"a_b\":null}")
            expectSameMembers([String: Decimal].self, "{\(text)}")
            expectSameMembers([String: Int].self, "{\(text),\"a_b\":{}}")
            expectSameMembers([String: [String: Int]].self, "{\"a_b\":{\(text)},\"b\":{},\"c\":{\(text)}}")
            // Only one member is wrong, as of several errors, JSONDecoder throws any.
            for wrong in ["\"7_\":\"x\"", "\"1000\":null", "\"x\":{}", "\"x\":1.5"] {
                JSONDecodingTests.expectSame([String: Int].self, "{\(text),\(wrong)}", decoder)
                let arrays = names.map { "\"\($0)\":[1]," }.joined()
                JSONDecodingTests.expectSame([String: [Int]].self, "{\(arrays)\(wrong)}", decoder)
            }
        }
    }

    @Test("names that differ in one byte, or only in their length, are told apart")
    func similar() {
        let names = (0..<32).map { String(repeating: "a", count: $0) } + ["b", "aaaaaaab", "aaaaaaaab", "baaaaaaaa"]
        for count in [4, 16, 32] {
            let some = Array(names.shuffled().prefix(count))
            expectSame(names, object(some))
        }
    }

    @Test(
        "names are equal if their characters are",
        arguments: [
            ["é", "e\u{301}"], ["e\u{301}", "é"], ["K", "\u{212A}"], ["\u{212A}"], ["K"], ["\\u0061", "a"], ["\\u00e9"],
            ["a", "\\u0061"], ["é", "a"], ["Å", "\u{212B}", "A\u{30A}"],
        ]
    )
    func equalNames(_ names: [String]) {
        for strategy in [.useDefaultKeys, .convertFromSnakeCase] as [JSONDecoder.KeyDecodingStrategy] {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = strategy
            expectSame(["é", "e\u{301}", "K", "\u{212A}", "a", "Å", "\u{212B}"], object(names), decoder)
            expectSame(["é", "K", "a"], "[\(object(names)),\(object(names.reversed()))]", decoder)
        }
    }

    @Test(
        "names in snake case are converted as by Foundation",
        arguments: [
            "a", "_", "__", "_a", "a_", "__a__", "a_b", "a__b", "_a_b_", "user_name", "USER_NAME", "userName",
            "user_Name",
            "a_1b", "a1_b2", "a_é", "É_a", "ß_ss", "a_ß", "a_b-c_d", "a_b c", "ab_CD", "_1", "日本_語", "a_i\u{307}",
        ]
    )
    func snakeCase(_ name: String) {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        JSONDecodingTests.expectSame(JSONProbe.self, "{\"\(name)\":1}", decoder)
        JSONDecodingTests.expectSame(JSONProbe.self, "[{\"\(name)\":1,\"x\":2},{\"\(name)\":1,\"x\":2}]", decoder)
        JSONDecodingTests.expectSame([String: Int].self, "{\"\(name)\":1}", decoder)
    }

    @Test("objects with the same names share a conversion, and others do not")
    func shapes() {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let texts = [
            #"{"a_b":1,"c":2}"#, #"{"a_b":1,"c":2}"#, #"{"a_b":1,"d":2}"#, #"{"c":1,"a_b":2}"#, #"{"a_b":1}"#,
            #"{"a_b":1,"a_b":2}"#, #"{"a_b":1,"aB":2}"#, #"{"aB":1,"a_b":2}"#, #"{"a_b":{"a_b":{"a_b":1}}}"#, "{}",
        ]
        JSONDecodingTests.expectSame(
            JSONProbe.self,
            "[" + (texts + texts.reversed()).joined(separator: ",") + "]",
            decoder
        )
        for text in texts { expectSame(["aB", "c", "d", "aB"], text, decoder) }
    }

    /// Decodes two nested containers in turns.
    private struct Turns: Decodable, CustomStringConvertible {
        let description: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: JSONProbe.Name.self)
            let names = ["a", "b", "c"].map { JSONProbe.Name(stringValue: $0) }
            let inner = try names.map { try container.nestedContainer(keyedBy: JSONProbe.Name.self, forKey: $0) }
            description = try names.map { name in
                try inner.map { String(try $0.decode(Int.self, forKey: name)) }.joined(separator: " ")
            }
            .joined(separator: "; ")
        }
    }

    @Test("containers that are used in turns do not disturb each other")
    func turns() {
        let inner = #"{"a":1,"b":2,"c":3}"#
        let text = #"{"a":\#(inner),"b":{"c":1,"b":2,"a":3},"c":\#(inner)}"#
        JSONDecodingTests.expectSame(Turns.self, text)
        JSONDecodingTests.expectSame(Turns.self, text.replacing("\"b\":2", with: "\"x\":2"))
    }
}
