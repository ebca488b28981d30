import Testing

@testable import StartSmall

struct StructuredItemTests {
    private static let digits12 = "123456789012"
    private static let digits15 = "123456789012345"

    private func list(_ text: String) -> [StructuredItem]? { StructuredItem.list(text, atMost: 16) }

    private func dictionary(_ text: String) -> [String: StructuredItem]? { StructuredItem.dictionary(text, atMost: 16) }

    private func value(_ text: String) -> StructuredItem.Value? {
        guard let members = list(text), members.count == 1, members[0].parameters.isEmpty else { return nil }
        return members[0].value
    }

    @Test(
        "an integer has up to 15 digits (RFC 9651 3.3.1)",
        arguments: [
            ("0", 0), ("-0", 0), ("00", 0), ("0042", 42), ("42", 42), ("-42", -42), (digits15, 123_456_789_012_345),
            ("-" + digits15, -123_456_789_012_345), ("000000000000000", 0),
        ] as [(String, Int64)]
    )
    func integers(_ text: String, _ number: Int64) {
        #expect(value(text) == .number(number))
    }

    @Test(
        "a string has the characters of ASCII, and a backslash before a quote or another one (RFC 9651 3.3.3)",
        arguments: [
            (#""""#, ""), (#""a b""#, "a b"), (#""a\"b\\c""#, #"a"b\c"#), ("\"~!#[]^\"", "~!#[]^"),
            (#""a,b;c=1""#, "a,b;c=1"), (#""'%41""#, "'%41"),
        ]
    )
    func strings(_ text: String, _ string: String) {
        #expect(value(text) == .text(string))
    }

    @Test(
        "a token begins with a letter or an asterisk, and may have colons and slashes (RFC 9651 3.3.4)",
        arguments: [
            "a", "A", "*", "*a", "a:b", "https://a.example/b", "text/html", "a_-.:%*/", "a!#$&'+^`|~9", "per-second:10",
        ]
    )
    func tokens(_ text: String) {
        #expect(value(text) == .text(text))
    }

    @Test(
        "values of other types are read, but not kept",
        arguments: [
            // Decimals (RFC 9651 3.3.2).
            "0.0", "-0.5", "1.5", "1.125", digits12 + ".123", "-" + digits12 + ".1", "00.100",
            // Byte sequences (RFC 9651 3.3.5), also without padding.
            "::", ":aGVsbG8=:", ":aGVsbG8:", ":cHJldGVuZCB0aGlz:", ":iZ==:", ":/+Ah:",
            // Booleans, dates and display strings (RFC 9651 3.3.6, 3.3.7 and 3.3.8).
            "?0", "?1", "@0", "@1659578233", "@-1659578233", "@" + digits15, "%\"\"", "%\"f%c3%bc%c3%bc\"",
            "%\"a b 100%25\"", "%\"'\"", "%\"%f0%9f%98%80\"",
            // Inner lists (RFC 9651 3.1.1).
            "()", "( )", "(1)", "(a b)", "( a  b )", "(\"a)\" :aa: ?1 1.5)", "(a;b=1;c d)", "(1 2)",
        ]
    )
    func others(_ text: String) {
        #expect(value(text) == .other)
        #expect(list("a;b=1, \(text) ,c")?.map(\.value) == [.text("a"), .other, .text("c")])
    }

    @Test(
        "a malformed value makes the whole field malformed",
        arguments: [
            // Numbers.
            "-", "--1", "- 1", "+1", "1-", "-a", digits15 + "6", "-" + digits15 + "6", "1.", ".1", "-.1", "1.1234",
            "1..2", "1.2.3", digits12 + "3.1", digits15 + ".1", "1. 2", "1e3", "0x1", "1,2,", "1_000", "1 2", "٣", "１",
            // Strings.
            "\"", "\"a", "a\"", "\"\\", "\"\\\"", "\"\\a\"", "\"a\\\nb\"", "\"a\tb\"", "\"a\u{0}b\"", "\"a\u{1F}b\"",
            "\"a\u{7F}b\"", "\"é\"", "\"\u{301}\"", "\"日\"", "\"\u{80}\"", "\"a\"b", "\"a\"\"b\"", "'a'", "\"a\" \"b\"",
            // Tokens.
            ":a", "/a", "!a", "a@b", "a(b)", "a{b}", "a\\b", "é", "a\u{301}", "a b", "_a", "-a", ".a", "=", "a=1",
            // Byte sequences.
            ":", ":aGVsbG8=", "aGVsbG8=:", ":=aGVsbG8:", ":a=GVsbG8=:", ":aGVsb G8=:", ":aGVsbG8!=:", ":_-Ah:", ":a:",
            ":=:", ":aGVsbG8==:", ":aGVs=:", ":    :", ":é:", ":a\nGVs:",
            // Booleans, dates, display strings.
            "?", "?2", "?true", "?T", "?10", "? 1", "@", "@a", "@1.5", "@\"1\"", "@-", "@" + digits15 + "6", "%", "%a",
            "%\"", "%\"a", "%\"%\"", "%\"%c\"", "%\"%C3%BC\"", "%\"%c3\"", "%\"%ff\"", "%\"é\"", "%\"%zz\"",
            "%\"%ed%a0%80\"", "%\"a\tb\"", "%\"%00", "% \"a\"",
            // Inner lists.
            "(", ")", "(a", "a)", "(a,b)", "(a\tb)", "(ab\"c\")", "(a)b", "((a))", "(a)(b)", "(1;)", "(\"a\"\"b\")",
            "(,)",
            "(é)", "( ",
            // Parameters.
            "a;", "a; ", "a;;b", "a;=1", "a;B", "a;1", "a;b=", "a;b=;c", "a;b= 1", "a;b =1", "a;\tb", "a ;b", "a;b;",
            "a;b=(1)", "a;é", "a;b=é", "a;b\"c\"", "a;b==1", "a;-b", "a;b=1.", "a;b=\"",
            // Lists.
            ",", ", ", "a,", "a, ", ",a", "a,,b", "a, ,b", "\na", "a\n", "a;b,", "a b, c", "\u{A0}a", "\u{FEFF}a",
        ]
    )
    func malformed(_ text: String) {
        #expect(list(text) == nil)
        #expect(list("x;a=1, \(text)") == nil)
    }

    @Test(
        "spaces around the field, and spaces and tabs around commas, are skipped",
        arguments: ["a,b", " a,b ", "a , b", "a\t,\tb", "  a \t , \t b  ", "a,b\t"]
    )
    func blanks(_ text: String) {
        #expect(list(text)?.map(\.value) == [.text("a"), .text("b")])
    }

    @Test("a tab before the field is malformed")
    func tab() {
        #expect(list("\ta") == nil)
    }

    @Test("an empty field is a list, or a dictionary, without members", arguments: ["", " ", "   "])
    func empty(_ text: String) {
        #expect(list(text) == [])
        #expect(dictionary(text) == [:])
    }

    @Test("of two parameters, or two members, of one name, the last counts")
    func duplicates() {
        #expect(list("a;b=1;c;b=x;c=2")?.first?.parameters == ["b": .text("x"), "c": .number(2)])
        #expect(dictionary("a=1;x=1, b=2, a=3;y=2")?["a"] == .init(value: .number(3), parameters: ["y": .number(2)]))
        #expect(dictionary("a=1,a;b")?["a"] == .init(value: .other, parameters: ["b": .other]))
    }

    @Test(
        "a key has small letters, digits and some marks (RFC 9651 3.1.2)",
        arguments: ["a", "*", "*a", "a1", "a_b-c.d*e"]
    )
    func keys(_ key: String) {
        #expect(list("x;\(key)=1")?.first?.parameters == [key: .number(1)])
        #expect(list("x;  \(key)")?.first?.parameters == [key: .other])
        #expect(dictionary("\(key)=1")?[key]?.value == .number(1))
        #expect(dictionary("b=1 , \(key);p=?0")?[key]?.parameters == ["p": .other])
    }

    @Test("a member of a dictionary can be of any type, or have none")
    func dictionaries() {
        let members = dictionary("a=1.5, b=(1 2);x=1,\tc;y=2 ,d=\"e\",f=*g, h")
        #expect(members?.keys.sorted() == ["a", "b", "c", "d", "f", "h"])
        #expect(members?["b"] == .init(value: .other, parameters: ["x": .number(1)]))
        #expect(members?["d"]?.value == .text("e"))
        #expect(members?["f"]?.value == .text("*g"))
    }

    @Test(
        "a malformed dictionary is none",
        arguments: [
            "A=1", "1=1", "-a=1", "a=", "a= 1", "a =1", "a=1,", ",a=1", "a=1,,b=2", "a=1 b=2", "a=1;", "\"a\"=1",
            "a==1",
            "a=é", "é=1", "a=1\u{301}", "a=(1", "=1", "a=1;b=", "a\tb", "\ta=1", "a=1, B", "a;", "a\"b\"",
        ]
    )
    func malformedDictionaries(_ text: String) {
        #expect(dictionary(text) == nil)
    }

    @Test("more members or parameters than a limit are malformed")
    func limits() {
        let members = Array(repeating: "a;b", count: 16).joined(separator: ",")
        #expect(list(members)?.count == 16)
        #expect(list(members + ",a") == nil)
        #expect(dictionary(members)?.count == 1)
        #expect(dictionary(members + ",a") == nil)
        #expect(list("a" + String(repeating: ";b=1", count: 16))?.first?.parameters.count == 1)
        #expect(list("a" + String(repeating: ";b=1", count: 17)) == nil)
    }

    @Test("a field that is cut within a member is malformed")
    func cut() {
        let members = ["\"a\\\"b\";r=1;t=-2.5", "(a 1);x=?1", ":aGk=:;y=@1", "%\"%c3%bc\";z=*:/"]
        let text = members.joined(separator: ", ")
        #expect(list(text)?.count == members.count)
        // The members, each parameter, and each digit and character of a value at the end.
        let legal = [
            "\"a\\\"b\"", "\"a\\\"b\";r", "\"a\\\"b\";r=1", "\"a\\\"b\";r=1;t", "\"a\\\"b\";r=1;t=-2", members[0],
            "(a 1)", "(a 1);x", members[1], ":aGk=:", ":aGk=:;y", members[2], "%\"%c3%bc\"", "%\"%c3%bc\";z",
            "%\"%c3%bc\";z=*", "%\"%c3%bc\";z=*:", members[3],
        ]
        for length in 1...text.utf8.count {
            let cut = String(decoding: text.utf8.prefix(length), as: UTF8.self)
            #expect((list(cut) != nil) == legal.contains { cut.hasSuffix($0) }, "\(cut)")
        }
    }

    @Test(
        "anything is read in linear time",
        arguments: [
            "\"", "\\", "\\\"", "a", "1", "a,", "a;", ";b=1", "(", "()", "a ", ":", "%c3%bc", "a=1,", " ",
            Hostile.accents,
        ]
    )
    func hostile(_ pattern: String) {
        Hostile.expectLinear(pattern) { text in
            for start in ["", "\"", "a;", "(", ":", "%\"", "a;b=\"", "a=\""] {
                _ = list(start + text)
                _ = dictionary(start + text)
                _ = list(start + text + "\"")
            }
        }
    }
}
