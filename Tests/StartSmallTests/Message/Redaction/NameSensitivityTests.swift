import Foundation
import Testing

@testable import StartSmall

/// Sparing redaction, for recordings that are played back.
struct NameSensitivityTests {
    private let sparing = Redaction.standard.sparing

    @Test(
        "an ambiguous word may name a secret as a whole name or as one of the names in it, but not as a part of one"
    )
    func ordinary() {
        for name in ["code", "Key", "place[code]", "ac-cess"] {
            #expect(sparing.decision(on: name) == .hiddenIfOdd, "\(name)")
            #expect(Redaction.standard.decision(on: name) == .hidden, "\(name)")
        }
        for name in ["status_code", "login"] { #expect(sparing.decision(on: name) == .shown, "\(name)") }
    }

    @Test(
        "an unambiguous name of a credential hides every value",
        arguments: [
            "password", "access_token", "api_key", "Authorization", "pin", "user[pwd]", "Set-Cookie", "x-sid",
            "oauth_token_secret", "tokenSeed", "token_serial", "tokenSession",
        ]
    )
    func unmistakable(name: String) {
        #expect(sparing.decision(on: name) == .hidden)
    }

    @Test(
        "a page token is no credential in a recording",
        arguments: ["pageToken", "nextPageToken", "next_page_token", "continuationToken", "syncToken", "NextToken"]
    )
    func places(name: String) {
        #expect(sparing.decision(on: name) == .shown)
        #expect(Redaction.standard.decision(on: name) == .hidden)
    }

    @Test("a number of tokens is no credential in a recording", arguments: ["total_tokens", "promptTokenCount"])
    func counts(name: String) {
        #expect(sparing.shown("1024", of: name) == "1024")
        #expect(sparing.shown("1024a", of: name) == Redaction.placeholder)
        #expect(sparing.shown("48210394", of: name) == Redaction.placeholder)
        #expect(Redaction.standard.shown("1024", of: name) == Redaction.placeholder)
    }

    @Test("a value of an ambiguous name is hidden from 20 characters on, whatever their size in bytes")
    func long() {
        #expect(sparing.shown(String(repeating: "ä", count: 19), of: "code") == String(repeating: "ä", count: 19))
        #expect(sparing.shown(String(repeating: "ä", count: 20), of: "code") == Redaction.placeholder)
    }

    @Test(
        "in a URL, everything that may belong to the value counts, and nothing behind it",
        arguments: [
            ("https://a/?code=NRT&page=1", "https://a/?code=NRT&page=1"),
            ("https://a/?code=0123456789abcdefghij&page=1", "https://a/?code=<redacted>&page=1"),
            ("https://a/?code=%61%62%63%64%65%66%67%68%69", "https://a/?code=%61%62%63%64%65%66%67%68%69"),
            ("user=7; key=\"0123456789abcdefghij\"", "user=7; key=\"<redacted>\""),
            ("https://a/?code=abc'defghijklmnopqrstuvw", "https://a/?code=<redacted>"),
            ("https://a/?code=''0123456789abcdefghij", "https://a/?code=<redacted>"),
            (#"key=\"0123456789abcdefghij\""#, #"key=\"<redacted>\""#),
            (#"a; key=\"0123456789abcdefghij\""#, #"a; key=\"<redacted>\""#),
            ("open https://a/verify?code=482103.", "open https://a/verify?code=<redacted>"),
            ("https://a/?code=0123456789;abcdefghij", "https://a/?code=<redacted>"),
            (
                "see <a href=\"/?code=NRT\">the airport of Narita</a>",
                "see <a href=\"/?code=NRT\">the airport of Narita</a>"
            ),
            ("https://a/?max_tokens=7&token=7", "https://a/?max_tokens=7&token=<redacted>"),
            ("https://a/?pageToken=abc", "https://a/?pageToken=abc"),
            ("https://a/?code=<redacted>", "https://a/?code=<redacted>"),
        ]
    )
    func urls(text: String, shown: String) {
        #expect(sparing.shown(text: text) == shown)
    }

    @Test("a form is redacted like a URL")
    func forms() {
        let text = "code=NRT&key=0123456789abcdefghij&max_tokens=7&sign=a b c d e f g h i j k l m&key=-----BEGIN KEY\nM"
        let hidden = sparing.hiding(form: Array(text.utf8)[...])
        #expect(
            String(decoding: hidden, as: UTF8.self)
                == "code=NRT&key=<redacted>&max_tokens=7&sign=<redacted>&key=<redacted>"
        )
    }

    @Test(
        "a short value of an ambiguous name is hidden unless it is a word or a number in everyday form",
        arguments: [
            ("NRT", true), ("apache-2.0", true), ("PROJ-1234", true), ("missing_field", true), ("404", true),
            ("x86_64", true), ("2026-11-21", true), ("bsd-3-clause", true),
            ("h264", true), ("UTF8", true), ("2.0.1", true),
            ("MW9S-E7SL-26DU-VV8V", false), ("123456", false), ("a1b2c3d4", false), ("-----BEGIN", false),
            ("482103.", false), ("G-482103", false), ("4F7K2Q", false),
        ]
    )
    func odd(_ value: String, isShown: Bool) {
        #expect((sparing.shown(value, of: "code") == value) == isShown)
    }

    @Test("a text crafted to be slow is redacted in linear time", arguments: ["&code=;", ";code=a", "&code=%3B"])
    func hostile(piece: String) {
        Hostile.expectLinear(piece) { text in #expect(!sparing.shown(text: "?a=1" + text).isEmpty) }
    }
}
