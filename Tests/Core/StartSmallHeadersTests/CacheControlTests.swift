import StartSmall
import StartSmallTesting
import Testing

struct CacheControlTests {
    private func read(_ fields: String...) -> CacheControl {
        Response(
            statusCode: .ok,
            headers: HTTPHeaders(fields.map { .init(name: "cache-control", value: $0) })
        ).cacheControl
    }

    @Test("each directive of a response is read by its name")
    func response() {
        let read = read(#"max-age=60, s-maxage=120, no-cache="Set-Cookie, X-A", private, must-revalidate"#)
        #expect(read.maxAge == .seconds(60))
        #expect(read.seconds(of: "s-maxage") == .seconds(120))
        #expect(read.contains("no-cache"))
        #expect(read.fields(of: "no-cache") == ["Set-Cookie", "X-A"])
        #expect(read.contains("private") && read.contains("must-revalidate"))
        #expect(read.fields(of: "private").isEmpty)
        for absent in ["no-store", "public", "immutable", "only-if-cached"] {
            #expect(!read.contains(absent))
        }
    }

    @Test("directives of RFC 5861, of RFC 8246 and of requests are read")
    func others() {
        let read = read("public, immutable, stale-while-revalidate=30", "stale-if-error=86400")
        #expect(read.contains("public") && read.contains("immutable"))
        #expect(read.seconds(of: "stale-while-revalidate") == .seconds(30))
        #expect(read.seconds(of: "stale-if-error") == .seconds(86400))
        let asked = CacheControl("no-store, only-if-cached, min-fresh=5, max-stale")
        #expect(asked.contains("no-store") && asked.contains("only-if-cached"))
        #expect(asked.seconds(of: "min-fresh") == .seconds(5))
        #expect(asked.maxStale == .seconds(2_147_483_648))
        #expect(CacheControl("max-stale=7").maxStale == .seconds(7))
        #expect(CacheControl("max-stale=x").maxStale == .zero)
    }

    @Test(
        "seconds are digits, in quotes or not; an invalid number is zero, and one that is too large is 68 years",
        arguments: [
            ("0", 0), ("1", 1), ("007", 7), ("\"60\"", 60), ("2147483648", 2_147_483_648),
            ("2147483649", 2_147_483_648), ("9223372036854775807", 2_147_483_648),
            ("99999999999999999999999", 2_147_483_648), ("", 0), ("-1", 0), ("+1", 0), ("1.5", 0), ("x", 0),
            ("\"\"", 0), ("\u{663}", 0), ("60s", 0), ("\"6 0\"", 0),
        ] as [(String, Int64)]
    )
    func seconds(_ text: String, _ expected: Int64) {
        #expect(read("max-age=\(text)").maxAge == .seconds(expected))
    }

    @Test("names are case-insensitive, and of two the first counts and the other is kept")
    func twice() {
        let read = read("Max-Age=1, MAX-AGE=2", "max-age=3")
        #expect(read.maxAge == .seconds(1))
        #expect(read.directives.map(\.value) == ["1", "2", "3"])
        #expect(read.contains("MAX-age"))
    }

    @Test("unknown directives are kept, with their values, and written so that they are parsed back unchanged")
    func extensions() {
        let read = read(#"community="UCI, \"x\"", Foo=bar, baz"#)
        #expect(read["community"] == #"UCI, "x""# && read["foo"] == "bar")
        #expect(read.contains("baz") && read["baz"] == nil)
        #expect(read.description == #"community="UCI, \"x\"", foo=bar, baz"#)
        #expect(CacheControl(read.description) == read)
    }

    @Test(
        "a malformed directive never makes a response more cacheable: it has no time and no fields, and hides no other",
        arguments: [
            #"max-age=60, a="b, no-store"#, #"max-age=60, "b, no-store"#, #"a="b\", c=d, no-store"#,
            #"private="a, no-store"#, #""\", no-store"#, #"a="b"c, no-store"#, #"a="b" "c, no-store"#,
            "NO-STORE", " , no-store ,", "@, no-store", "\"no, max-age=1\", no-store", "no-store :-)",
            "a=b c, no-store", "no-store; x", "é, no-store",
        ]
    )
    func hidesNone(_ field: String) {
        #expect(read(field).contains("no-store"), "\(read(field).directives)")
    }

    @Test(
        "a directive with more text after it is malformed, and so is one without its number",
        arguments: [
            "max-age=60; public", "max-age=60 x", "max-age=\"60\"x", "max-age=\"60", "max-age=60=60", "max-age 60",
            "max-age;60", "max-age = 60",
        ]
    )
    func withMoreText(_ field: String) {
        #expect(read(field).maxAge == .zero)
        #expect(CacheControl(field.replacing("age", with: "stale")).maxStale == .zero)
        #expect(read(field).directives.count == 1)
        #expect(read("max-age").maxAge == .zero)
        for empty in ["", " \t", ",,"] { #expect(read(empty) == CacheControl()) }
        for malformed in ["=", "=1", "\"a\"", "@"] { #expect(read(malformed) == CacheControl([.init("", "")])) }
    }

    /// The directives that can be written: those with a name.
    private func named(_ read: CacheControl) -> CacheControl {
        CacheControl(read.directives.filter { !$0.name.isEmpty })
    }

    @Test("a directive without a name that a field can have is not written")
    func unwritten() {
        for field in ["=", "@", "\"a\"; x", "=1, =2"] { #expect("\(read(field))" == "", "\(field)") }
        #expect("\(read("@, no-store, =1"))" == "no-store" && "\(read("@ no-store"))" == "no-store=\"\"")
        for name in ["", "a b", "a,b", "a\r\nb", "é", "a="] {
            for value in [nil, "", "1"] { #expect("\(CacheControl([.init(name, value), .init("b")]))" == "b") }
        }
    }

    @Test(
        "the age is the first member of the field, in seconds",
        arguments: [
            (["5"], 5), ([" 5\t"], 5), (["5, 100"], 5), (["5", "100"], 5), ([",, 5"], 5), (["007"], 7),
            (["99999999999999999999999"], 2_147_483_648), ([""], nil), ([], nil), (["x"], nil), (["-5"], nil),
            (["5.5"], nil), (["5 6"], nil), (["5;6"], nil), (["x, 5"], nil), (["\u{665}"], nil), ([","], nil),
        ] as [([String], Int64?)]
    )
    func age(_ values: [String], _ seconds: Int64?) {
        let headers = HTTPHeaders(values.map { .init(name: "age", value: $0) })
        #expect(headers.age == seconds.map { .seconds($0) })
    }

    private static let restrictions = ["no-store", "no-cache", "private", "must-revalidate", "must-understand"]
    private static let permissions = [
        "public", "immutable", "must-understand", "stale-if-error=9", "stale-while-revalidate=9",
    ]

    @Test(
        "the rest of a malformed directive has restrictions after any separator, and no permissions",
        arguments: [
            "private; max-age=0; no-store", "private max-age=0 no-store", "private;max-age: 0;NO-STORE.",
            "private|max-age=0|no-store", "@private\"max-age\"0\"no-store", "x=private/max-age=0/no-store",
            "max-age=0|no-store|private", "x=\"a\" private,max-age=60,\"max-age=0 no-store\"",
            "private\u{E9}max-age=00\u{E9}no-store", "max-age=9, x y;private;max-age=0;no-store",
        ]
    )
    func rest(_ field: String) {
        let read = read(field)
        #expect(read.contains("private") && read.contains("no-store") && read.maxAge == .zero, "\(read)")
        #expect(CacheControl("\(read)") == named(read))
        for permission in Self.permissions {
            let name = permission.prefix { $0 != "=" }
            let found = self.read("\(field); \(permission)")
            #expect(!found.directives.contains { $0.name == name && $0.value != "" }, "\(found)")
        }
    }

    @Test("a value in quotes, and a name that only contains that of a restriction, restrict nothing")
    func noRest() {
        for field in ["x=\"a; no-store\"", "xno-store", "no-storex", "x-no-store", "community=\"private\"", "x=a|b"] {
            #expect(read(field).directives.count == 1, "\(field)")
            #expect(!read(field).contains("no-store") && !read(field).contains("private"), "\(field)")
        }
        #expect(read("max-age=9, max-age=3").maxAge == .seconds(9))
    }

    @Test("no bytes between the restrictions of a field hide one, but those of a value", arguments: 0..<200)
    func law(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let junk = Array(";, \t:/@()<>{}[]?|.'*!\\\"\u{E9}\u{301}")
        var (field, least) = ("", Int64.max)
        func separate() {
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                field.append(junk.randomElement(using: &random) ?? ";")
            }
        }
        let restrictions = Self.restrictions.shuffled(using: &random)
        for restriction in restrictions {
            separate()
            if Bool.random(using: &random) { field += "x" + String(junk.randomElement(using: &random) ?? ";") }
            field += restriction
            separate()
            let age = Int64.random(in: 0...99, using: &random)
            least = min(least, age)
            field += "max-age=\(age)"
        }
        separate()
        let read = read(field)
        #expect(restrictions.allSatisfy(read.contains), "\(field)")
        #expect(try #require(read.maxAge) <= .seconds(least) || !field.contains { ";:/@".contains($0) }, "\(field)")
        #expect(CacheControl("\(read)") == named(read), "\(field)")
    }

    @Test("a qualified directive with more text after it applies to the whole message")
    func qualified() {
        for field in [#"no-cache="a" b"#, #"no-cache="a"#, "no-cache=a;b"] {
            #expect(read(field).contains("no-cache") && read(field).fields(of: "no-cache").isEmpty, "\(field)")
        }
    }
}
