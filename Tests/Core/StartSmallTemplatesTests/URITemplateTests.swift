import Foundation
import StartSmall
import StartSmallSupport
@testable import StartSmallTemplates
import Testing

private func expanded(
    _ template: String,
    _ variables: [String: any URITemplate.ValueConvertible] = [:]
) throws -> String {
    try URITemplate(template).expand(variables)
}

struct URITemplateTests {
    @Test("every ASCII character in a value but the unreserved ones is percent-encoded", arguments: ["", ".", "/"])
    func values(_ operator: String) throws {
        for byte in UInt8(0)...127 {
            let text = String(UnicodeScalar(byte))
            #expect(try expanded("{\(`operator`)x}", ["x": text]) == `operator` + URIEncoding.encoded(text))
        }
    }

    @Test("reserved and fragment expansion keep each reserved character too", arguments: [("+", ""), ("#", "#")])
    func reservedValues(_ operator: String, _ first: String) throws {
        let kept = Set(":/?#[]@!$&'()*+,;=-._~".utf8)
        for byte in UInt8(0)...127 {
            let text = String(UnicodeScalar(byte))
            let expected = kept.contains(byte) ? text : URIEncoding.encoded(text)
            #expect(try expanded("{\(`operator`)x}", ["x": text]) == first + expected)
        }
    }

    @Test(
        "reserved expansion keeps triplets, and encodes a % that does not begin one",
        arguments: [
            ("%41", "%41"), ("%e3%81%82", "%e3%81%82"), ("%", "%25"), ("%4", "%254"), ("%zz", "%25zz"),
            ("%%41", "%25%41"), ("50%", "50%25"), ("%4\u{301}1", "%254%CC%811"), ("é", "%C3%A9"),
        ]
    )
    func triplets(_ value: String, _ expected: String) throws {
        #expect(try expanded("{+x}", ["x": value]) == expected)
        #expect(try expanded("{#x}", ["x": value]) == "#\(expected)")
        #expect(try expanded("{x}", ["x": value]) == URIEncoding.encoded(value))
    }

    @Test("an ASCII character of a literal is allowed by RFC 6570 2.1, or refused with its offset")
    func literals() throws {
        let kept = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!#$&'()*+,/:;=?@[]".utf8)
        for byte in UInt8(0)...127 where !"{%".utf8.contains(byte) {
            let text = "é" + String(UnicodeScalar(byte))
            if kept.contains(byte) {
                #expect(try expanded(text) == "%C3%A9" + text.dropFirst())
            } else {
                let shown = (0x21...0x7E).contains(byte) ? "\(UnicodeScalar(byte))" : String(format: "U+%X", byte)
                #expect(throws: URITemplate.ParseError(reason: "\(shown) is not allowed in a URI", offset: 2)) {
                    try URITemplate(text)
                }
            }
        }
    }

    @Test(
        "a literal beyond ASCII is encoded as UTF-8, and its triplets are kept",
        arguments: [
            ("é", "%C3%A9"), ("日本", "%E6%97%A5%E6%9C%AC"), ("👩‍🚀", "%F0%9F%91%A9%E2%80%8D%F0%9F%9A%80"), ("%41", "%41"),
            ("%e3", "%e3"), ("a%2Fb", "a%2Fb"), ("\u{A0}", "%C2%A0"), ("\u{E000}", "%EE%80%80"),
            ("\u{10FFFD}", "%F4%8F%BF%BD"),
        ]
    )
    func encodedLiterals(_ literal: String, _ expected: String) throws {
        #expect(try expanded(literal) == expected)
    }

    @Test(
        "controls and noncharacters beyond ASCII are refused in a literal, and their neighbours are kept",
        arguments: [
            (0x9F, 0xA0), (0xFDD0, 0xFDCF), (0xFDEF, 0xFDF0), (0xFFF0, 0xFFEF), (0xFFFF, 0x10000), (0x1FFFE, 0x1FFFD),
            (0xE0FFF, 0xE1000), (0xE0000, 0xDFFFD), (0x10FFFE, 0x10FFFD),
        ] as [(UInt32, UInt32)]
    )
    func noncharacters(_ refused: UInt32, _ kept: UInt32) throws {
        let texts = try [refused, kept].map { String(try #require(Unicode.Scalar($0))) }
        #expect(throws: URITemplate.ParseError.self) { try URITemplate(texts[0]) }
        #expect(try expanded(texts[1]) == URIEncoding.encoded(texts[1]))
    }

    @Test(
        "the error of an invalid template names the reason and the offset",
        arguments: [
            ("{", "{ without }", 0), ("a{b", "{ without }", 1), ("a{b,", "{ without }", 1), ("é{+", "{ without }", 2),
            ("{a*", "{ without }", 0), ("{a:3", "{ without }", 0), ("a}", "} is not allowed in a URI", 1),
            ("{a}}", "} is not allowed in a URI", 3), ("a b", "U+20 is not allowed in a URI", 1),
            ("a\r\nb", "U+D is not allowed in a URI", 1), ("100%", "% without two hexadecimal digits", 3),
            ("%4g", "% without two hexadecimal digits", 0), ("%4{x}", "% without two hexadecimal digits", 0),
            ("%{x}F", "% without two hexadecimal digits", 0), ("{}", "} instead of a variable's name", 1),
            ("{{a}}", "{ instead of a variable's name", 1), ("é{ }", "U+20 instead of a variable's name", 3),
            ("{a b}", "U+20 instead of , or }", 2), ("{a,}", "} instead of a variable's name", 3),
            ("{,a}", ", is reserved for future operators", 1), ("{a,,b}", ", instead of a variable's name", 3),
            ("{+}", "} instead of a variable's name", 2), ("{++a}", "+ instead of a variable's name", 2),
            ("{/?a}", "? instead of a variable's name", 2), ("{a-b}", "- instead of , or }", 2),
            ("{a~}", "~ instead of , or }", 2), ("{a/b}", "/ instead of , or }", 2), ("{a+}", "+ instead of , or }", 2),
            ("{a?}", "? instead of , or }", 2), ("{a{b}}", "{ instead of , or }", 2),
            ("{.a.}", "} instead of a variable's name", 4), ("{a..b}", ". instead of a variable's name", 3),
            ("{a%}", "% without two hexadecimal digits", 2), ("{a%4}", "% without two hexadecimal digits", 2),
            ("{é}", "U+E9 instead of a variable's name", 1), ("{a\u{301}}", "U+301 instead of , or }", 2),
            ("{a\r\n}", "U+D instead of , or }", 2), ("{a\0}", "U+0 instead of , or }", 2),
            ("{\0}", "U+0 instead of a variable's name", 1), ("{\0a}", "U+0 instead of a variable's name", 1),
            ("{=a}", "= is reserved for future operators", 1), ("{!a}", "! is reserved for future operators", 1),
            ("{@a}", "@ is reserved for future operators", 1), ("{|a}", "| is reserved for future operators", 1),
            ("{$a}", "$ instead of a variable's name", 1), ("{a:}", "a prefix is 1 to 9999 characters long", 3),
            ("{a:0}", "a prefix is 1 to 9999 characters long", 3),
            ("{a:03}", "a prefix is 1 to 9999 characters long", 3),
            ("{a:10000}", "a prefix is 1 to 9999 characters long", 3),
            ("{a:99999999999999999999}", "a prefix is 1 to 9999 characters long", 3),
            ("{a:-1}", "a prefix is 1 to 9999 characters long", 3),
            ("{a:b}", "a prefix is 1 to 9999 characters long", 3),
            ("{a:٣}", "a prefix is 1 to 9999 characters long", 3), ("{a:3*}", "* instead of , or }", 4),
            ("{a*:3}", ": instead of , or }", 3), ("{a**}", "* instead of , or }", 3),
            ("{*a}", "* instead of a variable's name", 1), ("{:3}", ": instead of a variable's name", 1),
            ("{\u{301}", "U+301 instead of a variable's name", 1),
        ]
    )
    func errors(_ template: String, _ reason: String, _ offset: Int) {
        #expect(throws: URITemplate.ParseError(reason: reason, offset: offset)) { try URITemplate(template) }
    }

    @Test(
        "a variable's name consists of letters, digits, _ and triplets, with dots between, and is compared as it is",
        arguments: ["a", "A1_", "1", "_", "a.b.c", "%41", "a%C3%A9", "%41.b"]
    )
    func names(_ name: String) throws {
        #expect(try expanded("{\(name)}", [name: "v"]) == "v")
        #expect(try expanded("{?\(name)}", [name: "v"]) == "?\(name)=v")
        #expect(try expanded("{a}{A}{%41}", ["a": "1", "A": "2", "%41": "3"]) == "123")
    }

    @Test(
        "a prefix counts Unicode scalars, before they are encoded",
        arguments: [
            ("{x:1}", "日本", "%E6%97%A5"), ("{x:1}", "e\u{301}", "e"), ("{x:2}", "e\u{301}", "e%CC%81"),
            ("{x:1}", "\r\n", "%0D"), ("{x:1}", "", ""), ("{x:9999}", "a", "a"), ("{x:1}", "%20", "%25"),
            ("{+x:1}", "日本", "%E6%97%A5"), ("{?x:2}", "a&b", "?x=a%26"),
        ]
    )
    func prefixes(_ template: String, _ value: String, _ expected: String) throws {
        #expect(try expanded(template, ["x": value]) == expected)
    }

    @Test(
        "where triplets are kept, a prefix never cuts the character that they encode",
        arguments: [
            (1, "%20a", "%20"), (2, "%20a", "%20a"), (1, "%E3%81%82%41", "%E3%81%82"),
            (2, "%E3%81%82%41", "%E3%81%82%41"),
            (1, "%F0%9F%9A%80a", "%F0%9F%9A%80"), (1, "%E3%81", "%E3"), (1, "%81%82", "%81"), (1, "%", "%25"),
            (1, "%2", "%25"), (2, "%2", "%252"), (1, "%FF%80%80%80%80", "%FF"), (1, "%C3a%A9", "%C3"),
        ]
    )
    func tripletPrefixes(_ count: Int, _ value: String, _ expected: String) throws {
        #expect(try expanded("{+x:\(count)}", ["x": value]) == expected)
        #expect(try expanded("{#x:\(count)}", ["x": value]) == "#\(expected)")
    }

    @Test("a prefix of a list or of pairs is an error that names the expression", arguments: ["", "+", "?", "/"])
    func compositePrefixes(_ operator: String) throws {
        let source = "{\(`operator`)y,x:1}"
        let values: [URITemplate.Value] = [["a"], ["a": "b"]]
        for value in values {
            let error = URITemplate.ExpansionError(
                reason: "applies a prefix to a list or dictionary",
                expression: source
            )
            #expect(throws: error) { try URITemplate("a\(source)").expand(["x": value]) }
        }
    }

    @Test("the name of a pair from outside adds no separator", arguments: ["?", "&", ";"])
    func pairNames(_ operator: String) throws {
        let value: URITemplate.Value = ["a&b;c=d": "", "%41": "e"]
        let empty = `operator` == ";" ? "" : "="
        let separator = `operator` == ";" ? ";" : "&"
        #expect(
            try expanded("{\(`operator`)x*}", ["x": value])
                == "\(`operator`)a%26b%3Bc%3Dd\(empty)\(separator)%2541=e"
        )
    }

    @Test("templates with equal texts are equal, and are described by their text without credentials")
    func description() throws {
        #expect(try URITemplate("https://h/{a}/b?c={d}").description == "https://h/{a}/b?c={d}")
        #expect(try URITemplate("{a}") == URITemplate("{a}"))
        #expect(try URITemplate("{a}") != URITemplate("{b}"))
        #expect(try !"\(URITemplate("https://joe:hunter2@h/{a}?token=hunter2"))".contains("hunter2"))
    }
}
