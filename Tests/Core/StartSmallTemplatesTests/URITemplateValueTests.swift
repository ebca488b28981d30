import Foundation
public import StartSmall
import Testing

struct URITemplateValueTests {
    private enum Sort: String, URITemplate.ValueConvertible {
        case newestFirst = "created_desc"
    }

    private func value(_ convertible: some URITemplate.ValueConvertible) -> URITemplate.Value {
        convertible.templateValue
    }

    @Test("strings, numbers, Booleans and UUIDs convert to their text")
    func texts() throws {
        let uuid = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        #expect(value("a") == .string("a"))
        #expect(value("ab".dropFirst()) == .string("b"))
        #expect(value(Int.min) == .string("-9223372036854775808"))
        #expect(value(UInt64.max) == .string("18446744073709551615"))
        #expect(value(Int32(1)) == .string("1"))
        #expect(value(1.5) == .string("1.5"))
        #expect(value(true) == .string("true"))
        #expect(value(uuid) == .string("E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        #expect(value(Sort.newestFirst) == .string("created_desc"))
    }

    @Test("lists keep their order, dictionaries are sorted by name, and nil is undefined")
    func composites() {
        #expect(value([2, 1]) == .list(["2", "1"]))
        #expect(value(["b": 1, "a": 2]) == .pairs([.init("a", "2"), .init("b", "1")]))
        #expect(value(Optional("a")) == .string("a"))
        #expect(value(Optional<[Int]>.none) == .undefined)
    }

    @Test(
        "an empty value expands to nothing, unless it is a text or contains one",
        arguments: [
            (.undefined, "", ""), (.list([]), "", ""), (.pairs([]), "", ""), (.string(""), "?x=", ";x"),
            (.list([""]), "?x=", ";x"), (.list(["", ""]), "?x=&x=", ";x;x"), (.pairs([.init("", "")]), "?=", ";"),
        ] as [(URITemplate.Value, String, String)]
    )
    func empties(_ value: URITemplate.Value, _ query: String, _ parameter: String) throws {
        #expect(try URITemplate("{?x*}").expand(["x": value]) == query)
        #expect(try URITemplate("{;x*}").expand(["x": value]) == parameter)
        #expect(
            try URITemplate("{?y,x*,y}").expand(["x": value, "y": "1"]) == "?y=1"
                + (query.isEmpty ? "" : "&" + query.dropFirst()) + "&y=1"
        )
    }
}

/// Literals of template values, for tables of tests; pairs keep their order.
extension URITemplate.Value: ExpressibleByNilLiteral, ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) {
        self = .undefined
    }

    public init(stringLiteral value: String) {
        self = .string(value)
    }

    public init(integerLiteral value: Int) {
        self = .string("\(value)")
    }

    public init(arrayLiteral elements: String...) {
        self = .list(elements)
    }

    public init(dictionaryLiteral elements: (String, String)...) {
        self = .pairs(elements.map(URITemplate.Pair.init))
    }
}
