import Foundation
import StartSmallSupport
@testable import StartSmallForms
import TestSupport
import Testing

private func written(_ value: any Encodable, _ encoder: QueryEncoder = QueryEncoder()) throws -> String {
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

private struct One<Value: Encodable & Sendable>: Encodable {
    var a: Value

    init(_ a: Value) { self.a = a }
}

/// A name that no type has declared.
private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

/// A value that encodes itself by a function.
private struct Manual: Encodable {
    let write: @Sendable (any Encoder) throws -> Void

    func encode(to encoder: any Encoder) throws { try write(encoder) }

    /// A value that is written to a single container.
    static func single(
        _ write: @escaping @Sendable (inout any SingleValueEncodingContainer) throws -> Void
    ) -> Manual {
        Manual { encoder in
            var container = encoder.singleValueContainer()
            try write(&container)
        }
    }
}

struct QueryEncoderTests {
    @Test("members are in the order of their declaration, nested ones under the name of the outer one", .parity("D2"))
    func standard() throws {
        #expect(try written(Filter()) == "text=a b&c&isOpen=true&tags[]=x&tags[]=y&range[upTo]=9")
    }

    @Test("all style options apply together", .parity("D2"))
    func otherStyle() throws {
        let style = QueryEncoder(nesting: .dots, arrays: .indices, booleans: .numbers, nils: .empty, keys: .snakeCase)
        let expected = "text=a b&c&is_open=1&tags[0]=x&tags[1]=y&range.from=&range.up_to=9&author="
        #expect(try written(Filter(), style) == expected)
    }

    @Test(
        "lists are written in four styles",
        arguments: [
            (.brackets, "a[]=1&a[]=2", "a[][a]=1&a[][a]=2", "a[][]=1&a[][]=2&a[][]=3"),
            (.indices, "a[0]=1&a[1]=2", "a[0][a]=1&a[1][a]=2", "a[0][0]=1&a[0][1]=2&a[1][0]=3"),
            (.repeated, "a=1&a=2", "a[a]=1&a[a]=2", "a=1&a=2&a=3"), (.commas, "a=1,2", nil, nil),
        ] as [(QueryEncoder.Arrays, String, String?, String?)]
    )
    func arrays(_ arrays: QueryEncoder.Arrays, _ texts: String, _ members: String?, _ lists: String?) throws {
        let style = QueryEncoder(arrays: arrays)
        #expect(try written(One([1, 2]), style) == texts)
        #expect(try written(One([Int]()), style) == "")
        #expect((try? written(One([One(1), One(2)]), style)) == members)
        #expect((try? written(One([[1, 2], [3]]), style)) == lists)
    }

    @Test("lists joined by commas stay separate")
    func twoLists() throws {
        let lists = ["a": [1, 2], "b": [3]]
        #expect(try written(lists, QueryEncoder(arrays: .commas)) == "a=1,2&b=3")
    }

    @Test(
        "a nil value is dropped without a gap among indices, empty text or null",
        arguments: [
            (.dropped, "", "a[0]=1&a[1]=2", ""), (.empty, "a=", "a[0]=1&a[1]=&a[2]=2", "a[b]="),
            (.null, "a=null", "a[0]=1&a[1]=null&a[2]=2", "a[b]=null"),
        ] as [(QueryEncoder.Nils, String, String, String)]
    )
    func nils(_ nils: QueryEncoder.Nils, _ member: String, _ list: String, _ dictionary: String) throws {
        struct Members: Encodable {
            var a: Bool?
        }
        let style = QueryEncoder(arrays: .indices, nils: nils)
        #expect(try written(Members(), style) == member)
        #expect(try written(One(Int?.none), style) == member)
        #expect(try written(One([1, nil, 2]), style) == list)
        #expect(try written(One(["b": Int?.none]), style) == dictionary)
    }

    @Test("a nil member of each optional type is recognized")
    func optionals() throws {
        struct Members: Encodable {
            var a: Bool?, b: String?, c: Double?, d: Float?, e: Int?, f: Int8?, g: Int16?, h: Int32?, i: Int64?
            var j: UInt?, k: UInt8?, l: UInt16?, m: UInt32?, n: UInt64?, o: Date?, p: [Int]?, q: Int128?, r: UInt128?
        }
        let names = "abcdefghijklmnopqr".map { "\($0)=null" }.joined(separator: "&")
        #expect(try written(Members(), QueryEncoder(nils: .null)) == names)
        #expect(try written(Members()) == "")
        var some = Members(a: true, b: "b", c: 1, d: 1.5, e: -1, f: 1, g: 1, h: 1, i: 1)
        (some.j, some.k, some.l, some.m, some.n, some.q, some.r) = (1, 1, 1, 1, 1, 1, 1)
        (some.o, some.p) = (Date(timeIntervalSince1970: 0), [])
        let expected = "a=true&b=b&c=1&d=1.5&e=-1&f=1&g=1&h=1&i=1&j=1&k=1&l=1&m=1&n=1&o=1970-01-01T00:00:00Z&q=1&r=1"
        #expect(try written(some) == expected)
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
        #expect(try written(One(Date(timeIntervalSince1970: seconds)), QueryEncoder(dates: dates)) == "a=\(expected)")
    }

    @Test(
        "a date outside of the supported years is an error, and never crashes the process",
        arguments: [-12_212_553_601.5, 253_402_300_800, .infinity, -.infinity, .nan, .greatestFiniteMagnitude],
        [QueryEncoder.Dates.iso8601, .seconds, .milliseconds]
    )
    func impossibleDates(_ seconds: Double, _ dates: QueryEncoder.Dates) throws {
        #expect(throws: QueryEncoder.Failure(reason: "A date outside of the years 1583 to 9999.", path: "a")) {
            try QueryEncoder(dates: dates).items(of: One(Date(timeIntervalSince1970: seconds)))
        }
    }

    private enum Sort: String, Encodable {
        case newest = "created_desc"
        case oldest = "created_asc"
    }

    private enum Place: Encodable {
        case at(x: Int, y: Int?), nowhere
    }

    private static let uuid = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!

    @Test(
        "scalars, data, URLs, UUIDs and enums are written as plain text",
        arguments: [
            (UInt64.max, "18446744073709551615"), (Int.min, "-9223372036854775808"), (5.0, "5"), (0.1, "0.1"),
            (Float(0.1), "0.1"), (1e300, "1e+300"), (Optional("b"), "b"), ("", ""), (Sort.newest, "created_desc"),
            (Decimal(string: "12345678901234567890.5")!, "12345678901234567890.5"), (Data([0xFB, 0xFF]), "+/8="),
            (URL(string: "https://h/?a=b")!, "https://h/?a=b"), (uuid, uuid.uuidString),
            (Int128.min, "-170141183460469231731687303715884105728"),
            (UInt128.max, "340282366920938463463374607431768211455"),
            (Manual.single { try $0.encode(Int128(1)) }, "1"), (Manual.single { try $0.encode(UInt128(1)) }, "1"),
        ] as [(any Encodable & Sendable, String)]
    )
    func scalars(value: any Encodable & Sendable, text: String) throws {
        func one(_ value: some Encodable & Sendable) throws -> String {
            #expect(try written(One([value])) == "a[]=\(text)")
            return try written(One(value))
        }
        #expect(try one(value) == "a=\(text)")
    }

    @Test(
        "dictionaries are sorted by key, numeric keys by value, and sets by text",
        arguments: [
            (Dictionary(uniqueKeysWithValues: (10..<60).map { ("k\($0)", 1) }), (10..<60).map { "k\($0)=1" }),
            ([10: "x", 9: "y"], ["9=y", "10=x"]), (["b": ["d": 1, "c": 2]], ["b[c]=2", "b[d]=1"]),
            (One(Set(["c", "a", "b"])), ["a[]=a", "a[]=b", "a[]=c"]),
            (["m": [UInt(10): "b", 9: "a"]], ["m[9]=a", "m[10]=b"]),
            (["m": [Int8(-10): "a", 9: "b", -9: "c"]], ["m[-10]=a", "m[-9]=c", "m[9]=b"]),
            (["m": [Int64(10): 1, 9: 2]], ["m[9]=2", "m[10]=1"]),
            (["m": [UInt128(10): 1, 9: 2]], ["m[9]=2", "m[10]=1"]),
            // Keys of other types are names if they are encoded as one text.
            (["m": [Sort.newest: 1, .oldest: 2]], ["m[created_asc]=2", "m[created_desc]=1"]),
            (["m": [true: 1, false: 2]], ["m[false]=2", "m[true]=1"]),
            (["m": [0.5: 1, 0.25: 2]], ["m[0.25]=2", "m[0.5]=1"]), ([uuid: 1], ["\(uuid)=1"]),
        ] as [(any Encodable & Sendable, [String])]
    )
    func sorted(value: any Encodable & Sendable, items: [String]) throws {
        #expect(try written(value) == items.joined(separator: "&"))
    }

    /// A key that is hashed as bytes.
    private struct ByteKey: Hashable, Encodable, CodingKeyRepresentable {
        let name: ByteEqualString

        init(_ name: String) { self.name = ByteEqualString(name) }
        init(codingKey: some CodingKey) { self.init(codingKey.stringValue) }

        var codingKey: any CodingKey { name.text.codingKey }

        func encode(to encoder: any Encoder) throws { try name.text.encode(to: encoder) }
    }

    @Test("keys of a dictionary are sorted and distinguished as bytes, as by a server, in linear time")
    func bytewiseKeys() throws {
        // Swift considers the first two equal: their order would be random, and their lists would become one.
        let keys = [ByteKey("\u{E9}"), ByteKey("e\u{301}"), ByteKey("f")]
        let members = Dictionary(uniqueKeysWithValues: keys.map { ($0, ["1"]) })
        let items = try QueryEncoder(arrays: .commas).items(of: members)
        #expect(items.map { Array($0.name.utf8) } == [keys[1], keys[2], keys[0]].map { Array($0.name.text.utf8) })
        Hostile.expectLinear(Hostile.accents) { text in
            let members = [ByteKey(text): 1, ByteKey(text + "a"): 2]
            #expect((try? QueryEncoder().items(of: members))?.count == 2)
        }
    }

    @Test(
        "names are converted to snake case, and keys of dictionaries are not",
        arguments: [
            ("perPage", "per_page"), ("pageURL", "page_url"), ("URLPath", "url_path"), ("a", "a"), ("ID", "id"),
            ("", ""), ("_id", "_id"), ("_userID", "_user_id"), ("is2FA", "is2_fa"),
            ("already_snake", "already_snake"), ("Capital", "capital"), ("aB", "a_b"), ("größeÜ", "größe_ü"),
        ]
    )
    func snakeCase(_ name: String, _ expected: String) throws {
        let named = Manual { encoder in
            var container = encoder.container(keyedBy: Name.self)
            try container.encode([name: 1], forKey: Name(name))
        }
        #expect(try written(named, QueryEncoder(keys: .snakeCase)) == "\(expected)[\(name)]=1")
    }

    @Test("containers of every kind, requested manually, produce the same names, and know their coding paths")
    func containers() throws {
        let manual = Manual { encoder in
            var outer = encoder.container(keyedBy: Name.self)
            var list = outer.nestedUnkeyedContainer(forKey: Name("list"))
            try list.encode(1)
            try list.encodeNil()
            var inner = list.nestedContainer(keyedBy: Name.self)
            try inner.encode("x", forKey: Name("b"))
            var more = list.nestedUnkeyedContainer()
            try more.encode(Int128(2))
            try more.encode(UInt128(2))
            try 3.encode(to: list.superEncoder())
            #expect(list.count == 5)
            var nested = outer.nestedContainer(keyedBy: Name.self, forKey: Name("c"))
            try nested.encodeNil(forKey: Name("d"))
            try 4.encode(to: outer.superEncoder())
            let member = outer.superEncoder(forKey: Name("e"))
            try 5.encode(to: member)
            try outer.encode(Int128(6), forKey: Name("f"))
            try outer.encode(UInt128(7), forKey: Name("g"))
            let single = member.singleValueContainer()
            let paths = [outer.codingPath, nested.codingPath, list.codingPath, single.codingPath]
            #expect(paths.map { $0.map(\.stringValue) } == [[], ["c"], ["list"], ["e"]])
        }
        #expect(
            try written(manual, QueryEncoder(arrays: .indices, nils: .null))
                == "list[0]=1&list[1]=null&list[2][b]=x&list[3][0]=2&list[3][1]=2&list[4]=3&c[d]=null&super=4&e=5&f=6&g=7"
        )
    }

    @Test("a case with associated values is written as Swift encodes it, and nil values are left out")
    func enumerations() throws {
        #expect(try written(One(Place.at(x: 1, y: 2))) == "a[at][x]=1&a[at][y]=2")
        #expect(try written(One(Place.at(x: 1, y: nil))) == "a[at][x]=1")
    }

    // MARK: - Failures

    private struct Point: Hashable, Encodable {
        var x = 1
        var y = 2
    }

    private final class Chain: Encodable, Sendable {
        let next: Chain?

        init(_ count: Int) { next = count > 1 ? Chain(count - 1) : nil }
    }

    private struct Endless: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(self)
        }
    }

    private static let refusing = Manual { encoder in
        let context = EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "Not today.")
        throw EncodingError.invalidValue("hunter2", context)
    }

    private static let refused:
        [(value: any Encodable & Sendable, encoder: QueryEncoder, reason: String, path: String)] = {
            let plain = QueryEncoder()
            let commas = QueryEncoder(arrays: .commas)
            let notFinite = "A number that is not finite."
            let nameless = "A query needs names; the top-level value has none."
            let noValues =
                "A member without values has no text, such as a case of an enumeration without associated values."
            let noKey = "A key of a dictionary is not a single text."
            let noText = "A list joined by commas can't contain lists or members."
            let chain = Array(repeating: "next", count: QueryEncoder.maximumDepth + 1).joined(separator: ".")
            return [
                (One([nil, Double.infinity]), QueryEncoder(arrays: .indices), notFinite, "a[1]"),
                (One([One(Double.nan)]), plain, notFinite, "a[0].a"),
                (One([One(Float.nan)]), plain, notFinite, "a[0].a"),
                (["m": [Double.infinity: 1]], plain, notFinite, "m"), ("a", plain, nameless, "/"),
                (Date(timeIntervalSince1970: 0), plain, nameless, "/"), ([1], plain, nameless, "[0]"),
                (Int?.none, QueryEncoder(nils: .null), nameless, "/"),
                (One([["a"], ["b,c"]]), commas, noText, "a[0][0]"), (One([[","], []]), commas, noText, "a[0][0]"),
                (One(["b", ","]), commas, "A text in a list joined by commas can't contain a comma.", "a[1]"),
                (["m": [Point(): 1]], plain, noKey, "m"), (["m": [[1, 2]: 1]], plain, noKey, "m"),
                (["m": [[1]: 1]], plain, noKey, "m"), (One(Place.nowhere), plain, noValues, "a[nowhere]"),
                (One([Place.at(x: 1, y: 1), .nowhere]), plain, noValues, "a[][nowhere]"),
                (Place.nowhere, plain, noValues, "nowhere"),
                (Chain(33), plain, "Nested deeper than 32 values.", chain),
                (One(Endless()), plain, "Nested deeper than 32 values.", "a"),
                (One([refusing]), plain, "Not today.", "a[0]"),
                (Manual { _ in throw CancellationError() }, plain, "CancellationError()", "/"),
            ]
        }()

    // No arguments, which Swift Testing would encode.
    @Test(
        "a value that can't be written is an error with a reason and a path, and one up to the depth limit is written"
    )
    func failures() throws {
        for (value, encoder, reason, path) in Self.refused {
            let failure = QueryEncoder.Failure(reason: reason, path: path)
            #expect(throws: failure, "\(path)") { try encoder.items(of: value) }
        }
        #expect(try written(Chain(32), QueryEncoder(nils: .null)).hasSuffix("[next]=null"))
        #expect(try written([String: Int]()) == "")
    }
}
