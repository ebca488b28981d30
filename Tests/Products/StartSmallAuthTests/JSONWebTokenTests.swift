import Foundation
import StartSmallCore
import Testing

@testable import StartSmallAuth

struct JSONWebTokenTests {
    /// Returns a token of claims in JSON, with a signature that is none.
    private func token(_ claims: String) -> String { "e30.\(Data(claims.utf8).base64URL).c2ln" }

    @Test("the claims of RFC 7519 3.1 are read")
    func example() throws {
        let text = """
            eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9\
            .eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ\
            .dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk
            """
        let token = try #require(JSONWebToken(unverified: text))
        #expect(token.issuer == "joe")
        #expect(token.expires == Date(timeIntervalSince1970: 1_300_819_380))
        #expect(token.subject == nil && token.audience == [] && token.notBefore == nil)
        #expect(String(decoding: token.claims, as: UTF8.self).contains("is_root"))
    }

    @Test("an audience is a text or a list, and a date may have a fraction")
    func forms() throws {
        let one = try #require(
            JSONWebToken(unverified: token(#"{"aud":"a","iat":1.5,"nbf":-1,"nonce":"n","azp":"c"}"#))
        )
        #expect(one.audience == ["a"] && one.nonce == "n" && one.authorizedParty == "c")
        #expect(one.issued == Date(timeIntervalSince1970: 1.5) && one.notBefore == Date(timeIntervalSince1970: -1))
        #expect(JSONWebToken(unverified: token(#"{"aud":["a","b"],"sub":"u"}"#))?.audience == ["a", "b"])
    }

    @Test(
        "a text that is no signed token has no claims",
        arguments: [
            "", "a", "a.b", "..", "e30.e30", "e30.e30.a.b.c", "e30.!.a", "e30.W10.a", "e30.IjEi.a",
            "e30.e30=.a", "e30.\(String(repeating: "e", count: 70_000)).a",
        ]
    )
    func none(text: String) {
        #expect(JSONWebToken(unverified: text) == nil)
    }

    @Test(
        "a known claim of a wrong type makes no token",
        arguments: [
            #"{"iss":1}"#, #"{"exp":"1"}"#, #"{"exp":true}"#, #"{"aud":{}}"#, #"{"aud":[1]}"#, #"{"exp":1e400}"#,
            #"{"exp":253402300800}"#, #"{"nbf":-1e300}"#,
            String(repeating: #"{"a":"#, count: 5_000),
        ]
    )
    func wrongTypes(claims: String) {
        #expect(JSONWebToken(unverified: token(claims)) == nil)
    }

    @Test("a description names nobody")
    func description() throws {
        let token = try #require(JSONWebToken(unverified: token(#"{"sub":"alice","exp":1300819380}"#)))
        for text in ["\(token)", String(reflecting: token), "\(Mirror(reflecting: token).children.map(\.value))"] {
            #expect(!text.contains("alice"))
        }
        #expect("\(token)" == "an unverified JSON Web Token, expires 2011-03-22T18:43:00Z")
    }
}
