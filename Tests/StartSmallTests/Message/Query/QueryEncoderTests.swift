import Foundation
@testable import StartSmall
import Testing
import ParityTrait

private func written(_ value: some Encodable, _ encoder: QueryEncoder = QueryEncoder()) throws -> String {
    try encoder.items(of: value).map { "\($0.name)=\($0.value ?? "nil")" }.joined(separator: "&")
}

private struct Filter: Encodable {
    struct Range: Encodable {
        var from: Int?
        var upTo = 9
    }

    var text = "a b&c"
    var isOpen = true
    var tags = ["x", "y"]
    var range = Range()
    var author: String?
}

/// A key that is hashed as bytes.
private struct Name: Hashable, Encodable, CodingKeyRepresentable {
    let name: ByteEqualString

    init(_ name: String) {
        self.name = ByteEqualString(name)
    }

    init(codingKey: some CodingKey) {
        self.init(codingKey.stringValue)
    }

    var codingKey: any CodingKey { QueryKey(stringValue: name.text) }

    func encode(to encoder: any Encoder) throws {
        try name.text.encode(to: encoder)
    }
}

private struct One<Value: Encodable>: Encodable {
    var a: Value
}

struct QueryEncoderTests {
    @Test("members are in the order of their declaration, nested ones under the name of the outer one", .parity("D2"))
    func standard() throws {
        #expect(try written(Filter()) == "text=a b&c&isOpen=true&tags[]=x&tags[]=y&range[upTo]=9")
    }

    @Test("keys of a dictionary are sorted and distinguished as bytes, as by a server, in linear time")
    func bytewiseKeys() throws {
        // Swift considers the first two equal: their order would be random, and their lists would become one.
        let keys = [Name("\u{E9}"), Name("e\u{301}"), Name("f")]
        let members = Dictionary(uniqueKeysWithValues: keys.map { ($0, ["1"]) })
        let items = try QueryEncoder(arrays: .commas).items(of: members)
        #expect(items.map { Array($0.name.utf8) } == [keys[1], keys[2], keys[0]].map { Array($0.name.text.utf8) })
        Hostile.expectLinear(Hostile.accents) { text in
            let members = [Name(text): 1, Name(text + "a"): 2]
            #expect((try? QueryEncoder().items(of: members))?.count == 2)
        }
    }

    @Test("all style options apply together", .parity("D2"))
    func otherStyle() throws {
        let style = QueryEncoder(nesting: .dots, arrays: .indices, booleans: .numbers, nils: .empty, keys: .snakeCase)
        #expect(
            try written(Filter(), style) == "text=a b&c&is_open=1&tags[0]=x&tags[1]=y&range.from=&range.up_to=9&author="
        )
    }

    @Test(
        "lists are written in four styles",
        arguments: [
            (.brackets, "a[]=1&a[]=2", "a[][a]=1&a[][a]=2"), (.indices, "a[0]=1&a[1]=2", "a[0][a]=1&a[1][a]=2"),
            (.repeated, "a=1&a=2", "a[a]=1&a[a]=2"), (.commas, "a=1,2", nil),
        ] as [(QueryEncoder.Arrays, String, String?)]
    )
    func arrays(_ arrays: QueryEncoder.Arrays, _ texts: String, _ members: String?) throws {
        let style = QueryEncoder(arrays: arrays)
        #expect(try written(One(a: [1, 2]), style) == texts)
        #expect(try written(One(a: [Int]()), style) == "")
        #expect((try? written(One(a: [One(a: 1), One(a: 2)]), style)) == members)
    }

    @Test("lists within lists have a name for each level")
    func nestedArrays() throws {
        let value = One(a: [[1, 2], [3]])
        #expect(try written(value) == "a[][]=1&a[][]=2&a[][]=3")
        #expect(try written(value, QueryEncoder(arrays: .indices)) == "a[0][0]=1&a[0][1]=2&a[1][0]=3")
        #expect(try written(value, QueryEncoder(arrays: .repeated)) == "a=1&a=2&a=3")
    }

    @Test(
        "a value that a list joined by commas can't contain is an error",
        arguments: [[["a"], ["b,c"]], [[","], []]]
    )
    func commas(_ lists: [[String]]) throws {
        let style = QueryEncoder(arrays: .commas)
        #expect(
            throws: QueryEncoder.Failure(
                reason: "A list joined by commas can't contain lists or members.",
                path: "a[0][0]"
            )
        ) {
            try style.items(of: One(a: lists))
        }
        #expect(
            throws: QueryEncoder.Failure(
                reason: "A text in a list joined by commas can't contain a comma.",
                path: "a[1]"
            )
        ) {
            try style.items(of: One(a: ["b", ","]))
        }
    }

    @Test("two lists joined by commas stay separate")
    func twoLists() throws {
        struct Two: Encodable {
            var a = [1, 2]
            var b = [3]
            var c = ["": [4, 5]]
        }
        #expect(try written(Two(), QueryEncoder(arrays: .commas)) == "a=1,2&b=3&c[]=4,5")
    }

    @Test(
        "a nil value is dropped, empty text or null",
        arguments: [
            (.dropped, "", "a[]=1", ""), (.empty, "a=", "a[]=&a[]=1", "a[b]="),
            (.null, "a=null", "a[]=null&a[]=1", "a[b]=null"),
        ] as [(QueryEncoder.Nils, String, String, String)]
    )
    func nils(_ nils: QueryEncoder.Nils, _ member: String, _ list: String, _ dictionary: String) throws {
        struct Members: Encodable {
            var a: Bool?
        }
        let style = QueryEncoder(nils: nils)
        #expect(try written(Members(), style) == member)
        #expect(try written(One(a: Int?.none), style) == member)
        #expect(try written(One(a: [nil, 1]), style) == list)
        #expect(try written(One(a: ["b": Int?.none]), style) == dictionary)
    }

    @Test(
        "a dropped value leaves no gap among indices",
        arguments: [(.dropped, "a[0]=1&a[1]=2"), (.empty, "a[0]=1&a[1]=&a[2]=2")] as [(QueryEncoder.Nils, String)]
    )
    func holes(_ nils: QueryEncoder.Nils, _ list: String) throws {
        let style = QueryEncoder(arrays: .indices, nils: nils)
        #expect(try written(One(a: [1, nil, 2]), style) == list)
        #expect(try written(One(a: [[1], [], [2]]), style) == "a[0][0]=1&a[1][0]=2")
    }

    @Test("an error names the index of a value, even if values before it are dropped")
    func placeBehindHole() {
        #expect(throws: QueryEncoder.Failure(reason: "A number that is not finite.", path: "a[1]")) {
            try written(One(a: [nil, Double.infinity]), QueryEncoder(arrays: .indices))
        }
    }

    @Test("a nil member of each optional type is recognized")
    func optionals() throws {
        struct Members: Encodable {
            var a: Bool?, b: String?, c: Double?, d: Float?, e: Int?, f: Int8?, g: Int16?, h: Int32?, i: Int64?
            var j: UInt?, k: UInt8?, l: UInt16?, m: UInt32?, n: UInt64?, o: Date?, p: [Int]?
        }
        let names = "abcdefghijklmnop".map { "\($0)=null" }.joined(separator: "&")
        #expect(try written(Members(), QueryEncoder(nils: .null)) == names)
        #expect(try written(Members()) == "")
        let some = Members(
            a: true,
            b: "b",
            c: 1,
            d: 1.5,
            e: -1,
            f: 1,
            g: 1,
            h: 1,
            i: 1,
            j: 1,
            k: 1,
            l: 1,
            m: 1,
            n: 1,
            o: Date(timeIntervalSince1970: 0),
            p: []
        )
        #expect(
            try written(some)
                == "a=true&b=b&c=1&d=1.5&e=-1&f=1&g=1&h=1&i=1&j=1&k=1&l=1&m=1&n=1&o=1970-01-01T00:00:00Z"
        )
    }

    @Test(
        "a date is ISO 8601 text, seconds or milliseconds",
        arguments: [
            (.iso8601, 981_173_106.0, "2001-02-03T04:05:06Z"), (.seconds, 981_173_106.0, "981173106"),
            (.seconds, 0.5, "0.5"), (.milliseconds, 981_173_106.25, "981173106250"), (.milliseconds, -1, "-1000"),
            (.milliseconds, 0.0004, "0"), (.iso8601, -12_212_553_600, "1583-01-01T00:00:00Z"),
            (.iso8601, 253_402_300_799, "9999-12-31T23:59:59Z"),
        ] as [(QueryEncoder.Dates, Double, String)]
    )
    func dates(_ dates: QueryEncoder.Dates, _ seconds: Double, _ expected: String) throws {
        #expect(
            try written(One(a: Date(timeIntervalSince1970: seconds)), QueryEncoder(dates: dates)) == "a=\(expected)"
        )
    }

    @Test(
        "a date outside of the supported years is an error, and never crashes the process",
        arguments: [-12_212_553_601.5, 253_402_300_800, .infinity, -.infinity, .nan, .greatestFiniteMagnitude],
        [QueryEncoder.Dates.iso8601, .seconds, .milliseconds]
    )
    func impossibleDates(_ seconds: Double, _ dates: QueryEncoder.Dates) throws {
        #expect(throws: QueryEncoder.Failure(reason: "A date outside of the years 1583 to 9999.", path: "a")) {
            try QueryEncoder(dates: dates).items(of: One(a: Date(timeIntervalSince1970: seconds)))
        }
    }

    @Test("numbers, data, URLs, UUIDs and enums are written as plain text")
    func scalars() throws {
        enum Sort: String, Encodable {
            case newest = "created_desc"
        }
        #expect(try written(One(a: UInt64.max)) == "a=18446744073709551615")
        #expect(try written(One(a: Int.min)) == "a=-9223372036854775808")
        #expect(try written(One(a: 5.0)) == "a=5")
        #expect(try written(One(a: 0.1)) == "a=0.1")
        #expect(try written(One(a: Float(0.1))) == "a=0.1")
        #expect(try written(One(a: 1e300)) == "a=1e+300")
        #expect(try written(One(a: Decimal(string: "12345678901234567890.5")!)) == "a=12345678901234567890.5")
        #expect(try written(One(a: Data([0xFB, 0xFF]))) == "a=+/8=")
        #expect(try written(One(a: URL(string: "https://h/?a=b")!)) == "a=https://h/?a=b")
        #expect(
            try written(One(a: UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!))
                == "a=E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
        )
        #expect(try written(One(a: Sort.newest)) == "a=created_desc")
        #expect(try written(One(a: false), QueryEncoder(booleans: .numbers)) == "a=0")
        #expect(try written(One(a: Optional("b"))) == "a=b")
        #expect(try written(One(a: "")) == "a=")
    }

    @Test("numbers of 128 bits are written in every container")
    func wide() throws {
        struct Members: Encodable {
            var a = Int128.min
            var b = UInt128.max
            var c: Int128? = 1
            var d: UInt128? = 2
            var e: Int128?
            var f: UInt128?
        }
        let both = "a=-170141183460469231731687303715884105728&b=340282366920938463463374607431768211455&c=1&d=2"
        #expect(try written(Members()) == both)
        #expect(try written(Members(), QueryEncoder(nils: .empty)) == both + "&e=&f=")
        #expect(try written(Members(), QueryEncoder(nils: .null)) == both + "&e=null&f=null")
        #expect(try written(One(a: [Int128(1), 2])) == "a[]=1&a[]=2")
        #expect(try written(One(a: [UInt128(1), 2])) == "a[]=1&a[]=2")
        struct Alone<Number: Encodable>: Encodable {
            var number: Number
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(number)
            }
        }
        struct Listed: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                try container.encode(Int128(3))
                try container.encode(UInt128(4))
            }
        }
        struct Single: Encodable {
            var isSigned: Bool
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                if isSigned { try container.encode(Int128(5)) } else { try container.encode(UInt128(6)) }
            }
        }
        #expect(try written(One(a: Alone(number: Int128(1)))) == "a=1")
        #expect(try written(One(a: Alone(number: UInt128(1)))) == "a=1")
        #expect(try written(One(a: Listed())) == "a[]=3&a[]=4")
        #expect(try written(One(a: [Single(isSigned: true), Single(isSigned: false)])) == "a[]=5&a[]=6")
    }

    @Test("a number that is not finite is an error", arguments: [Double.nan, .infinity, -.infinity])
    func notFinite(_ number: Double) throws {
        let failure = QueryEncoder.Failure(reason: "A number that is not finite.", path: "a[0].a")
        #expect(throws: failure) { try QueryEncoder().items(of: One(a: [One(a: number)])) }
        #expect(throws: failure) { try QueryEncoder().items(of: One(a: [One(a: Float(number))])) }
        #expect(throws: QueryEncoder.Failure.self) { try QueryEncoder().items(of: One(a: Decimal.nan)) }
    }

    @Test("dictionaries are sorted by key, numeric keys by value, and sets by text")
    func sorted() throws {
        enum Key: String, CodingKeyRepresentable, Encodable {
            case b, a
            var codingKey: any CodingKey { CodingUserKey(stringValue: rawValue) }
            init?<T: CodingKey>(codingKey: T) { self.init(rawValue: codingKey.stringValue) }
        }
        let names = (0..<50).map { "k\($0)" }
        let many = Dictionary(uniqueKeysWithValues: names.map { ($0, 1) })
        #expect(try written(many) == names.sorted().map { "\($0)=1" }.joined(separator: "&"))
        #expect(try written([10: "x", 9: "y"]) == "9=y&10=x")
        #expect(try written([Key.b: 1, .a: 2]) == "a=2&b=1")
        #expect(try written(One(a: ["b": ["d": 1, "c": 2]])) == "a[b][c]=2&a[b][d]=1")
        #expect(try written(One(a: Set(["c", "a", "b"])), QueryEncoder(arrays: .commas)) == "a=a,b,c")
    }

    @Test("integer keys of any size are names, sorted by value")
    func wholeKeys() throws {
        #expect(try written(["m": [UInt(10): "b", 9: "a"]]) == "m[9]=a&m[10]=b")
        #expect(try written(["m": [Int8(-10): "a", 9: "b", -9: "c"]]) == "m[-10]=a&m[-9]=c&m[9]=b")
        #expect(try written(["m": [Int64(10): 1, 9: 2]]) == "m[9]=2&m[10]=1")
        #expect(try written(["m": [UInt128(10): 1, 9: 2]]) == "m[9]=2&m[10]=1")
    }

    @Test("keys of other types are names if they are encoded as one text, and are sorted by that text")
    func otherKeys() throws {
        enum Name: String, Encodable {
            case b, a
        }
        struct Wrapped: Hashable, Encodable {
            var name: String
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(name)
            }
        }
        #expect(try written(["m": [Name.b: 1, .a: 2]]) == "m[a]=2&m[b]=1")
        #expect(try written(["m": [true: 1, false: 2]]) == "m[false]=2&m[true]=1")
        #expect(try written(["m": [0.5: 1, 0.25: 2]]) == "m[0.25]=2&m[0.5]=1")
        #expect(try written(["m": [Wrapped(name: "y"): 1, Wrapped(name: "x"): 2]]) == "m[x]=2&m[y]=1")
        let ids = ["00000000-0000-0000-0000-00000000000A", "00000000-0000-0000-0000-00000000000B"]
        let (first, second) = (try #require(UUID(uuidString: ids[0])), try #require(UUID(uuidString: ids[1])))
        #expect(try written([second: 1, first: 2]) == "\(first)=2&\(second)=1")
    }

    @Test("keys that are not encoded as one text can't be names, and are an error")
    func noKeys() throws {
        struct Place: Hashable, Encodable {
            var x = 1
            var y = 2
        }
        let failure = QueryEncoder.Failure(reason: "A key of a dictionary is not a single text.", path: "m")
        #expect(throws: failure) { try QueryEncoder().items(of: ["m": [Place(): 1]]) }
        #expect(throws: failure) { try QueryEncoder().items(of: ["m": [[1, 2]: 1]]) }
        #expect(throws: failure) { try QueryEncoder().items(of: ["m": [[1]: 1]]) }
        #expect(throws: QueryEncoder.Failure(reason: "A number that is not finite.", path: "m")) {
            try QueryEncoder().items(of: ["m": [Double.infinity: 1]])
        }
    }

    @Test("keys of dictionaries are unchanged in every style")
    func dictionaryKeys() throws {
        #expect(try written(One(a: ["perPage": 1]), QueryEncoder(keys: .snakeCase)) == "a[perPage]=1")
    }

    @Test(
        "names are converted to snake case",
        arguments: [
            ("perPage", "per_page"), ("pageURL", "page_url"), ("URLPath", "url_path"), ("a", "a"), ("ID", "id"),
            ("", ""),
            ("_id", "_id"), ("_userID", "_user_id"), ("is2FA", "is2_fa"), ("already_snake", "already_snake"),
            ("Capital", "capital"), ("aB", "a_b"), ("größeÜ", "größe_ü"),
        ]
    )
    func snakeCase(_ name: String, _ expected: String) throws {
        struct Named: Encodable {
            var name: String
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingUserKey.self)
                try container.encode(1, forKey: CodingUserKey(stringValue: name))
            }
        }
        #expect(try written(Named(name: name), QueryEncoder(keys: .snakeCase)) == "\(expected)=1")
    }

    @Test("a value without names can't be a query")
    func nameless() {
        let failure = QueryEncoder.Failure(reason: "A query needs names; the top-level value has none.", path: "/")
        #expect(throws: failure) { try QueryEncoder().items(of: "a") }
        #expect(throws: failure) { try QueryEncoder().items(of: Date(timeIntervalSince1970: 0)) }
        #expect(throws: QueryEncoder.Failure(reason: failure.reason, path: "[0]")) { try QueryEncoder().items(of: [1]) }
        #expect(throws: failure) { try QueryEncoder(nils: .null).items(of: Int?.none) }
    }

    @Test("an empty value is a query without items")
    func nothing() throws {
        struct Empty: Encodable {}
        #expect(try written(Empty()) == "")
        #expect(try written([String: Int]()) == "")
    }

    @Test("a value up to the depth limit is written, and a deeper or endless one is an error")
    func depth() throws {
        final class Chain: Encodable {
            var next: Chain?
        }
        #expect(try written(["a": ["b": ["c": 1]]], QueryEncoder(depthLimit: 3)) == "a[b][c]=1")
        #expect(throws: QueryEncoder.Failure(reason: "Nested deeper than 2 values.", path: "a.b.c")) {
            try QueryEncoder(depthLimit: 2).items(of: ["a": ["b": ["c": 1]]])
        }
        let chain = Chain()
        chain.next = chain
        defer { chain.next = nil }
        let path = Array(repeating: "next", count: QueryEncoder.defaultDepthLimit + 1).joined(separator: ".")
        #expect(throws: QueryEncoder.Failure(reason: "Nested deeper than 32 values.", path: path)) {
            try QueryEncoder().items(of: chain)
        }
    }

    @Test("a type that encodes itself endlessly is an error")
    func endless() {
        struct Endless: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(self)
            }
        }
        #expect(throws: QueryEncoder.Failure(reason: "Nested deeper than 32 values.", path: "a")) {
            try QueryEncoder().items(of: One(a: Endless()))
        }
    }

    @Test("an error that a type throws is kept, with its path")
    func ownErrors() {
        struct Refusing: Encodable {
            func encode(to encoder: any Encoder) throws {
                throw EncodingError.invalidValue(
                    "hunter2",
                    EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "Not today.")
                )
            }
        }
        struct Broken: Error, CustomStringConvertible {
            var description: String { "broken" }
        }
        struct Breaking: Encodable {
            func encode(to encoder: any Encoder) throws { throw Broken() }
        }
        #expect(throws: QueryEncoder.Failure(reason: "Not today.", path: "a[0]")) {
            try QueryEncoder().items(of: One(a: [Refusing()]))
        }
        #expect(throws: QueryEncoder.Failure(reason: "broken", path: "/")) { try QueryEncoder().items(of: Breaking()) }
    }

    @Test("containers of every kind, requested manually, produce the same names")
    func containers() throws {
        struct Manual: Encodable {
            func encode(to encoder: any Encoder) throws {
                var outer = encoder.container(keyedBy: CodingUserKey.self)
                var list = outer.nestedUnkeyedContainer(forKey: CodingUserKey(stringValue: "list"))
                try list.encode(1)
                try list.encodeNil()
                var inner = list.nestedContainer(keyedBy: CodingUserKey.self)
                try inner.encode("x", forKey: CodingUserKey(stringValue: "b"))
                var more = list.nestedUnkeyedContainer()
                try more.encode(2)
                try 3.encode(to: list.superEncoder())
                #expect(list.count == 5)
                var nested = outer.nestedContainer(keyedBy: CodingUserKey.self, forKey: CodingUserKey(stringValue: "c"))
                try nested.encodeNil(forKey: CodingUserKey(stringValue: "d"))
                try 4.encode(to: outer.superEncoder())
                try 5.encode(to: outer.superEncoder(forKey: CodingUserKey(stringValue: "e")))
            }
        }
        #expect(
            try written(Manual(), QueryEncoder(arrays: .indices, nils: .null))
                == "list[0]=1&list[1]=null&list[2][b]=x&list[3][0]=2&list[4]=3&c[d]=null&super=4&e=5"
        )
    }

    @Test("an enum with associated values is written as Swift encodes it")
    func enums() throws {
        enum Place: Encodable {
            case at(x: Int, y: Int), nowhere
        }
        #expect(try written(One(a: Place.at(x: 1, y: 2))) == "a[at][x]=1&a[at][y]=2")
        #expect(throws: QueryEncoder.Failure.self) { try written(One(a: Place.nowhere)) }
    }
}

/// A key that no type has declared.
private struct CodingUserKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) {
        nil
    }
}

/// Enumerations as Swift encodes them.
struct QueryEnumerationTests {
    private enum Filter: Encodable {
        case all
        case named(name: String?)
    }

    private struct Search: Encodable {
        var filter: Filter
        var page = 1
    }

    private struct Searches: Encodable {
        var list: [Filter]
    }

    @Test("a case without associated values is an error, and not left out")
    func withoutValues() {
        let expected =
            "A member without values has no text, such as a case of an enumeration without associated values."
        for (value, path): (any Encodable, String) in [
            (Search(filter: .all), "filter[all]"), (Searches(list: [.named(name: "a"), .all]), "list[][all]"),
            (Filter.all, "all"),
            (["x": Filter.all], "x[all]"),
        ] {
            let failure = #expect(throws: QueryEncoder.Failure.self) { try QueryEncoder().items(of: value) }
            #expect(failure?.reason == expected && failure?.path == path)
        }
    }

    @Test("a case with associated values is written, and one whose values are nil is left out")
    func withValues() throws {
        let items = try QueryEncoder().items(of: Search(filter: .named(name: "a")))
        #expect(
            items == [URLQueryItem(name: "filter[named][name]", value: "a"), URLQueryItem(name: "page", value: "1")]
        )
        let none = try QueryEncoder().items(of: Search(filter: .named(name: nil)))
        #expect(none == [URLQueryItem(name: "page", value: "1")])
    }
}
