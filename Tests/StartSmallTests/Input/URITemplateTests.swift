import Foundation
@testable import StartSmall
import Testing

private func expanded(_ template: String, _ variables: [String: String] = [:]) throws -> String {
    try URITemplate(template).expand(variables)
}

struct URITemplateTests {
    @Test(
        "the examples of RFC 6570 level 1",
        arguments: [
            ("{var}", "value"), ("{hello}", "Hello%20World%21"), ("O{empty}X", "OX"), ("O{undef}X", "OX"),
            ("map?{x}", "map?1024"), ("{half}", "50%25"), ("{x}{hello}", "1024Hello%20World%21"),
            ("{var}{var}", "valuevalue"),
            ("", ""), ("no variable", "no%20variable"),
        ]
    )
    func examples(_ template: String, _ expected: String) throws {
        let variables = ["var": "value", "hello": "Hello World!", "half": "50%", "x": "1024", "empty": ""]
        #expect(try expanded(template, variables) == expected)
    }

    @Test("every ASCII character in a value but the unreserved ones is percent-encoded")
    func values() throws {
        for byte in UInt8(0)...127 {
            let text = String(UnicodeScalar(byte))
            #expect(try expanded("/{x}/", ["x": text]) == "/\(RFC3986.encoded(text))/")
        }
    }

    @Test("every ASCII character in a literal is kept if a URI may contain it, and else encoded; braces are refused")
    func literals() throws {
        let kept = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!#$&'()*+,/:;=?@[]".utf8)
        for byte in UInt8(0)...127 {
            let text = String(UnicodeScalar(byte))
            if "{}".utf8.contains(byte) {
                #expect(throws: URITemplate.ParseError.self) { try URITemplate(text) }
            } else {
                #expect(try expanded(text) == (kept.contains(byte) ? text : String(format: "%%%02X", byte)))
            }
        }
    }

    @Test(
        "a literal beyond ASCII is encoded as UTF-8, and its percent-encoded triplets are kept",
        arguments: [
            ("é", "%C3%A9"), ("%41", "%41"), ("%e3", "%e3"), ("%", "%25"), ("%4", "%254"), ("%zz", "%25zz"),
            ("%%41", "%25%41"),
            ("100%", "100%25"), ("%4g", "%254g"), ("%4\u{301}1", "%254%CC%811"),
        ]
    )
    func triplets(_ literal: String, _ expected: String) throws {
        #expect(try expanded(literal) == expected)
    }

    @Test(
        "a value never completes a percent-encoded triplet of the literal before it",
        arguments: [
            ("%{x}", "2F", "%252F"), ("%2{x}", "F", "%252F"), ("%{x}F", "2", "%252F"),
        ]
    )
    func splitTriplets(_ template: String, _ value: String, _ expected: String) throws {
        #expect(try expanded(template, ["x": value]) == expected)
    }

    @Test(
        "a text that is no template tells what is wrong and where",
        arguments: [
            ("{", "{ without }", 0), ("a{b", "{ without }", 1), ("a}", "unexpected }", 1), ("{a}}", "unexpected }", 3),
            ("{}", "not a variable name", 1), ("{{a}}", "not a variable name", 1), ("é{ }", "not a variable name", 3),
            ("{a b}", "not a variable name", 1), ("{+a}", "not a variable name", 1), ("{?a}", "not a variable name", 1),
            ("{a*}", "not a variable name", 1), ("{a:3}", "not a variable name", 1),
            ("{a,b}", "not a variable name", 1),
            ("{.a}", "not a variable name", 1), ("{a.}", "not a variable name", 1),
            ("{a..b}", "not a variable name", 1),
            ("{a%}", "not a variable name", 1), ("{a%4}", "not a variable name", 1), ("{é}", "not a variable name", 1),
            ("{a-b}", "not a variable name", 1), ("{a~}", "not a variable name", 1),
            ("{a/b}", "not a variable name", 1),
            ("{a\u{301}}", "not a variable name", 1), ("{a\r\n}", "not a variable name", 1),
            ("{a\0}", "not a variable name", 1),
        ]
    )
    func errors(_ template: String, _ reason: String, _ offset: Int) {
        #expect(throws: URITemplate.ParseError(reason: reason, offset: offset)) { try URITemplate(template) }
    }

    @Test(
        "a variable's name is letters, digits, _ and triplets, with dots between",
        arguments: [
            "a", "A1_", "1", "_", "a.b.c", "%41", "a%C3%A9",
        ]
    )
    func names(_ name: String) throws {
        #expect(try expanded("{\(name)}", [name: "v"]) == "v")
    }

    @Test("a brace with an accent on it is a brace still")
    func combining() {
        #expect(throws: URITemplate.ParseError(reason: "{ without }", offset: 0)) { try URITemplate("{\u{301}") }
    }

    @Test(
        "a path segment that values turn into none, . or .. is found",
        arguments: [
            ("/{x}", ""), ("/{x}", "."), ("/{x}", ".."), ("/{x}/a", ""), ("/a/{x}?b", ".."), ("/{x}#b", ""),
            ("/{x}{x}", "."),
            ("/.{x}", "."), ("/{x}.", "."), ("/.{x}", ""), ("/%2e{x}", "."), ("/%2E{x}", ""), ("https://h/{x}", ".."),
            ("{x}", ""),
        ]
    )
    func vanishing(_ template: String, _ value: String) throws {
        #expect(try URITemplate(template).vanishingSegment(["x": value]) != nil)
    }

    @Test(
        "any other segment, and whatever is in the query, is let be",
        arguments: [
            ("/{x}", "..."), ("/{x}", "%2e"), ("/{x}", "%2E%2E"), ("/{x}", " "), ("/{x}", "/"), ("/a{x}", ""),
            ("/a{x}", ".."),
            ("/?{x}", ""), ("/?a=/{x}/", ".."), ("/#{x}", "."), ("/../{x}", "a"), ("//{x}", "a"), ("/./a?{x}", ""),
            ("/{x}", "\u{2024}"),
        ]
    )
    func staying(_ template: String, _ value: String) throws {
        #expect(try URITemplate(template).vanishingSegment(["x": value]) == nil)
    }

    @Test("a template is described by its own text")
    func description() throws {
        #expect(try URITemplate("https://h/{a}/b?c={d}").description == "https://h/{a}/b?c={d}")
    }
}
