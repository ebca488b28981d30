import Foundation
import StartSmall
import Testing

@testable import StartSmallCaching

struct VaryTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var why: String
        var vary: HTTPHeaders
        var original: HTTPHeaders
        var presented: HTTPHeaders
        var isMatch: Bool
        var testDescription: String { why }
    }

    private static let foo: HTTPHeaders = ["Vary": "Foo"]
    private static let language: HTTPHeaders = ["Vary": "Accept-Language"]

    private static let rows: [Row] = [
        Row(why: "equal", vary: foo, original: ["Foo": "1"], presented: ["foo": "1"], isMatch: true),
        Row(why: "different", vary: foo, original: ["Foo": "1"], presented: ["Foo": "2"], isMatch: false),
        Row(
            why: "values are case-sensitive",
            vary: foo,
            original: ["Foo": "a"],
            presented: ["Foo": "A"],
            isMatch: false
        ),
        Row(why: "absent in both", vary: foo, original: [:], presented: ["Bar": "1"], isMatch: true),
        Row(why: "absent in the original", vary: foo, original: [:], presented: ["Foo": "1"], isMatch: false),
        Row(why: "absent in the presented", vary: foo, original: ["Foo": "1"], presented: [:], isMatch: false),
        Row(why: "empty is not absent", vary: foo, original: ["Foo": ""], presented: [:], isMatch: false),
        Row(
            why: "blanks around commas",
            vary: foo,
            original: ["Foo": "1, 2"],
            presented: ["Foo": "1 ,\t2 "],
            isMatch: true
        ),
        Row(why: "blanks inside", vary: foo, original: ["Foo": "1 2"], presented: ["Foo": "12"], isMatch: false),
        Row(
            why: "lines joined",
            vary: foo,
            original: ["Foo": "1", "Foo": "2"],
            presented: ["Foo": "1, 2"],
            isMatch: true
        ),
        Row(why: "order", vary: foo, original: ["Foo": "1, 2"], presented: ["Foo": "2, 1"], isMatch: false),
        Row(
            why: "quoted comma",
            vary: foo,
            original: ["Foo": "\"a, b\""],
            presented: ["Foo": "\"a,b\""],
            isMatch: false
        ),
        Row(
            why: "language case",
            vary: language,
            original: ["Accept-Language": "EN, de"],
            presented: ["Accept-Language": "en,DE"],
            isMatch: true
        ),
        Row(
            why: "two fields",
            vary: ["Vary": "Foo, Bar"],
            original: ["Foo": "1", "Bar": "2"],
            presented: ["Bar": "2", "Foo": "1"],
            isMatch: true
        ),
        Row(
            why: "two lines",
            vary: ["Vary": "Foo", "Vary": "Bar"],
            original: ["Foo": "1", "Bar": "2"],
            presented: ["Foo": "1", "Bar": "3"],
            isMatch: false
        ),
        Row(
            why: "other fields do not matter",
            vary: foo,
            original: ["Foo": "1", "Bar": "2"],
            presented: ["Foo": "1"],
            isMatch: true
        ),
        Row(why: "no Vary", vary: [:], original: ["Foo": "1"], presented: ["Foo": "2"], isMatch: true),
        Row(why: "empty Vary", vary: ["Vary": " , "], original: ["Foo": "1"], presented: ["Foo": "2"], isMatch: true),
        Row(why: "*", vary: ["Vary": "*"], original: [:], presented: [:], isMatch: false),
        Row(why: ", *", vary: ["Vary": ", *"], original: [:], presented: [:], isMatch: false),
        Row(why: "Foo, *", vary: ["Vary": "Foo, *"], original: [:], presented: [:], isMatch: false),
        Row(
            why: "* on another line",
            vary: ["Vary": "Foo", "Vary": "*"],
            original: [:],
            presented: [:],
            isMatch: false
        ),
        Row(why: "not a name", vary: ["Vary": "Foo Bar"], original: [:], presented: [:], isMatch: false),
        Row(why: "not in ASCII", vary: ["Vary": "A, \u{E9}"], original: [:], presented: [:], isMatch: false),
    ]

    @Test(
        "a stored response matches if the fields that Vary names are equal in normal form (RFC 9111 4.1)",
        arguments: rows
    )
    func matching(_ row: Row) throws {
        let stored = try StoredResponse.at(row.vary).selected(by: Input.get(row.original).cacheable)
        #expect(try stored.isSelected(by: Input.get(row.presented).cacheable) == row.isMatch)
    }

    @Test("matching is symmetric", arguments: rows)
    func symmetric(_ row: Row) throws {
        let stored = try StoredResponse.at(row.vary).selected(by: Input.get(row.presented).cacheable)
        #expect(try stored.isSelected(by: Input.get(row.original).cacheable) == row.isMatch)
    }

    @Test("a list of more than 100 names matches no request")
    func limit() throws {
        let names = (1...Vary.maximumNames).map { "a\($0)" }.joined(separator: ",")
        let request = try Input.get().cacheable
        #expect(StoredResponse.at(["Vary": names]).isSelected(by: request))
        #expect(!StoredResponse.at(["Vary": names + ",b"]).isSelected(by: request))
    }

    @Test("the values of credentials are stored as digests only", arguments: ["Authorization", "Cookie", "X-API-Key"])
    func credentials(_ name: String) {
        let vary = Vary(["Vary": "\(name), Accept"])
        let request = HTTPHeaders([.init(name: name, value: "secret-1234"), .init(name: "Accept", value: "a")])
        let variant = vary.variant(of: request, RequestIdentity([:]))
        #expect(variant["Accept"] == "a" && variant[name] != nil)
        #expect(!variant.fields.contains { $0.value.contains("secret") || $0.value.contains("1234") })
        #expect(
            variant
                != vary.variant(
                    of: HTTPHeaders([.init(name: name, value: "other"), .init(name: "Accept", value: "a")]),
                    RequestIdentity([:])
                )
        )
    }
}
