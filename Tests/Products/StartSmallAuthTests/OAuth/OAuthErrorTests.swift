import Foundation
import StartSmall
import StartSmallCore
import Testing

@testable import StartSmallAuth

struct OAuthErrorTests {
    private func read(_ json: String) -> OAuthError? {
        try? JSONDecoder().decode(OAuthError.self, from: Data(json.utf8))
    }

    @Test(
        "an error keeps its code, known or not, and the texts that RFC 6749 5.2 allows",
        arguments: [
            (#"{"error": "invalid_request"}"#, OAuthError(.invalidRequest)),
            (#"{"error": "x_own", "error_description": "Why"}"#, OAuthError(.init(rawValue: "x_own"), text: "Why")),
            (
                #"{"error": "invalid_grant", "error_uri": "https://as/e#1"}"#,
                OAuthError(.invalidGrant, page: URL(string: "https://as/e#1"))
            ),
            (#"{"error": "invalid_grant", "error_description": "a\nb"}"#, OAuthError(.invalidGrant)),
            (#"{"error": "invalid_grant", "error_description": "é"}"#, OAuthError(.invalidGrant)),
            (#"{"error": "invalid_grant", "error_description": 7, "error_uri": []}"#, OAuthError(.invalidGrant)),
            (#"{"error": "invalid_grant", "error_uri": "a b"}"#, OAuthError(.invalidGrant)),
            (#"{"error": ""}"#, nil), (#"{"error": "a\u0000"}"#, nil), (#"{"error": {}}"#, nil), ("{}", nil),
            ("[]", nil), (#"{"error": null}"#, nil),
        ] as [(String, OAuthError?)]
    )
    func table(_ json: String, _ expected: OAuthError?) {
        #expect(read(json) == expected)
    }

    @Test(
        "a secret that a server repeats is hidden, as it is, encoded as in the request, or in Base64",
        arguments: [
            "4/0Ab+C", "4%2F0Ab%2BC", "4%2f0Ab%2bC", "%34/0Ab%2BC", "a+code=4%2F0Ab%2BC", "YTo0JTJGMEFiJTJCQw==",
        ]
    )
    func secrets(_ repeated: String) throws {
        let hidden = ["4/0Ab+C"] + OAuthClient("a", .secretInHeader("4/0Ab+C")).secrets
        let error = try #require(OAuthError(["error": "e", "error_description": "no \(repeated)"], hiding: hidden))
        #expect(error.text?.contains(repeated) == false && error.text?.contains(Redaction.placeholder) == true)
    }

    @Test(
        "a part of a web token, and a secret in JSON or in Base64, hide the text in which they are",
        arguments: [
            ("eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJqb2UifQ.c2lnbmF0dXJlLTE2", "eyJzdWIiOiJqb2UifQ"),
            ("eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJqb2UifQ.c2lnbmF0dXJlLTE2", "c2lnbmF0dXJlLTE2"),
            (#"pa"ss/wo\rd"#, #"pa\"ss\/wo\\rd"#), ("a+?>b~~", "YSs/PmJ+fg=="), ("a+?>b~~", "YSs_PmJ-fg"),
        ]
    )
    func partsAndForms(_ secret: String, _ repeated: String) throws {
        let members = ["error": "e", "error_description": "no \(repeated) here"]
        #expect(try #require(OAuthError(members, hiding: [secret])).text == Redaction.placeholder)
        #expect(OAuthError(members, hiding: ["another secret"])?.text == "no \(repeated) here")
    }

    @Test("a text of more than 256 bytes is left out, and a code of more is no error")
    func long() {
        let long = String(repeating: "a", count: 257)
        #expect(read(#"{"error": "e", "error_description": "\#(long)"}"#) == OAuthError(.init(rawValue: "e")))
        #expect(read(#"{"error": "\#(long)"}"#) == nil)
    }

    @Test("the texts that a server repeats from the request are hidden")
    func hidden() throws {
        let members = [
            "error": "invalid_grant", "error_description": "code c0de of s3cret", "error_uri": "https://as/c0de",
        ]
        let error = try #require(OAuthError(members, hiding: ["c0de", "", "s3cret"]))
        #expect(error == OAuthError(.invalidGrant, text: "code <redacted> of <redacted>"))
        #expect("\(error)" == "invalid_grant: code <redacted> of <redacted>")
    }

    @Test(
        "a short secret, and one of backslashes alone, hide no other text",
        arguments: ["a.b", "z", #"\\"#, "==", "Y"]
    )
    func shortSecrets(_ secret: String) {
        let members = ["error": "e", "error_description": "the x-request is not valid"]
        let text = OAuthError(members, hiding: [secret])?.text
        #expect(text == "the x-request is not valid".replacing(secret, with: Redaction.placeholder))
    }

    @Test("an error is the problem of any endpoint of an API")
    func problem() {
        let response = Response(statusCode: .unauthorized, payload: Data(#"{"error": "invalid_token"}"#.utf8))
        let read: Either<TransformError<OAuthError>, [Int]> = response.json(problem: OAuthError.self)
        #expect(read.left?.problem?.code == .init(rawValue: "invalid_token"))
    }
}
