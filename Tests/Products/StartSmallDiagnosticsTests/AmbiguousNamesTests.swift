import Foundation
import Testing

import StartSmallDiagnostics
@testable import StartSmallCore

/// Ordinary words such as `code` and `key`: credentials in forms, queries and messages of OAuth, and other data in JSON.
struct AmbiguousNamesTests {
    private let redaction = Redaction.standard

    private func log(_ text: String, _ mediaType: MediaType? = .json) -> String {
        redaction.shown(payload: Data(text.utf8), mediaType: mediaType, limit: .max)
    }

    @Test(
        "JSON shows the code of an error, and the key of a setting",
        arguments: [
            #"{"code":"rate_limit_exceeded","message":"Slow down."}"#, #"{"error":{"code":"card_declined"}}"#,
            #"{"code":42}"#, #"{"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}"#, #"{"code": -32601 }"#,
            #"{"errors":[{"code":"missing_field"},{"code":"insufficient_permissions"}]}"#,
            #"{"code":"InvalidAuthenticationToken"}"#, #"{"code":"SignatureDoesNotMatch"}"#, #"{"code":"ERR_42"}"#,
            #"{"code":"THE_LIMIT_OF_REQUESTS_IS_REACHED"}"#, #"{"code":"model_is_currently_not_available"}"#,
            #"{"issues":[{"key":"PROJ-1234"}],"settings":[{"key":"theme","value":"dark"}]}"#,
            #"{"key":{"id":5,"name":"bug"},"sign":"virgo","ticket":{"id":12,"subject":"help"},"access":["read","write"]}"#,
            #"{"code":null,"key":true,"refresh":30,"body":"{\"code\":\"card_declined\"}"}"#, #"{"code":""}"#,
        ]
    )
    func shown(_ text: String) {
        #expect(redaction.hiding(json: text) == text)
        #expect(log(text) == text)
        #expect(log(text, nil) == text)
    }

    @Test(
        "a value of such a name that looks like a credential is hidden in JSON, too",
        arguments: [
            (#"{"code":"SplxlOBeZQQYbYS6WxSbIA"}"#, #"{"code":"<redacted>"}"#),
            (#"{"code":"482103"}"#, #"{"code":"<redacted>"}"#),
            (#"{"key":"kqjwhefkqjwhefkqjwhefk"}"#, #"{"key":"<redacted>"}"#),
            (#"{"key":"KQzJwHeFxKqYjWhGfKqPjW"}"#, #"{"key":"<redacted>"}"#),
            (#"{"key":"a b c d e f g h i j k l m"}"#, #"{"key":"<redacted>"}"#),
            (#"{"key":["dark","0123456789abcdef0123"]}"#, #"{"key":["dark","<redacted>"]}"#),
            (#"{"key":{"private":"0123456789abcdef0123"}}"#, #"{"key":{"private":"<redacted>"}}"#),
            (#"{"key":{"password":"a","pin":1234}}"#, #"{"key":{"password":"<redacted>","pin":"<redacted>"}}"#),
            (#"{"access":{"title":"0123456789abcdefghij"},"b":[1]}"#, #"{"access":{"title":"<redacted>"},"b":[1]}"#),
            (#"{"access":"eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl"}"#, #"{"access":"<redacted>"}"#),
            (#"{"code":"see https://h/?token=a"}"#, #"{"code":"see https://h/?token=<redacted>"}"#),
        ]
    )
    func odd(_ text: String, _ expected: String) {
        #expect(redaction.hiding(json: text) == expected)
    }

    @Test(
        "in a message of OAuth 2.0, every such value is hidden in JSON",
        arguments: [
            #"{"grant_type":"authorization_code","code":"secret"}"#, #"{"code":"secret","client_id":"app"}"#,
            #"{"code":"secret","grantType":"authorization_code"}"#, #"{"code":["secret"],"clientId":"app"}"#,
            #"{"body":"{\"code\":\"secret\",\"client_id\":\"app\"}"}"#, #"[{"key":"secret"},{"client_id":1}]"#,
        ]
    )
    func oauth(_ text: String) {
        #expect(!redaction.hiding(json: text).contains("secret"))
        #expect(!log(text).contains("secret"))
    }

    @Test("a form, a query and a header field hide every such value")
    func forms() {
        #expect(log("code=secret&key=secret", .form) == "code=<redacted>&key=<redacted>")
        #expect(redaction.shown(url: "https://h/?code=secret&key=a") == "https://h/?code=<redacted>&key=<redacted>")
        #expect(redaction.shown("secret", of: "Code") == "<redacted>")
    }

    @Test(
        "a value of an ordinary name is hidden unless it is a word or a number in everyday form",
        arguments: [
            ("NRT", true), ("apache-2.0", true), ("PROJ-1234", true), ("missing_field", true), ("404", true),
            ("x86_64", true), ("2026-11-21", true), ("bsd-3-clause", true), ("h264", true), ("UTF8", true),
            ("2.0.1", true), ("äääääääääääääääääää", true), ("ääääääääääääääääääää", false),
            ("MW9S-E7SL-26DU-VV8V", false), ("123456", false), ("a1b2c3d4", false), ("-----BEGIN", false),
            ("482103.", false), ("G-482103", false), ("4F7K2Q", false), ("kqjwhefkqjwhefkqjwhefk", false),
            ("KQzJwHeFxKqYjWhGfKqPjW", false), ("a b c d e f g h i j k l m", false),
        ]
    )
    func odd(_ value: String, isShown: Bool) {
        #expect(NameSensitivity.ordinary.hides(value.utf8) == !isShown)
        #expect(NameSensitivity.ordinary.hides(value.utf8, unlessWords: true) == !isShown)
    }

    @Test(
        "a long value of words is hidden, except in JSON",
        arguments: ["insufficient_permissions", "TheAuthenticationToken"]
    )
    func longWords(_ value: String) {
        #expect(NameSensitivity.ordinary.hides(value.utf8))
        #expect(!NameSensitivity.ordinary.hides(value.utf8, unlessWords: true))
    }

    @Test(
        "a code in a plain text, or in the value of a form, is not shown, and a word is",
        arguments: [
            ("text/plain", "Your code: 482103", false), ("text/plain", "key = AbCd1234EfGh", false),
            ("text/plain", "code: rate limited", true),
            ("application/x-www-form-urlencoded", "Body=Your+code%3A+482103", false),
            ("application/x-www-form-urlencoded", "a=%7B%22code%22%3A%22SplxlOBeZQQYbYS6WxSbIA%22%7D", false),
        ] as [(MediaType, String, Bool)]
    )
    func plain(_ mediaType: MediaType, _ text: String, _ isShown: Bool) {
        let shown = log(text, mediaType)
        #expect(shown.contains("limited") == isShown, "\(shown)")
        for secret in ["482103", "AbCd1234EfGh", "Splx"] { #expect(!shown.contains(secret), "\(shown)") }
    }
}
