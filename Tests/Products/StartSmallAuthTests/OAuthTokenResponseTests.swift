import Foundation
import Testing

import StartSmall
@testable import StartSmallAuth

struct OAuthTokenResponseTests {
    private let time = Date(timeIntervalSince1970: 1_000)

    private func read(_ json: String) throws -> OAuthTokenResponse {
        try JSONDecoder().decode(OAuthTokenResponse.self, from: Data(json.utf8))
    }

    @Test("the example of RFC 6749 5.1 is decoded")
    func example() throws {
        let json = """
            {"access_token": "2YotnFZFEjr1zCsicMWpAA", "token_type": "example", "expires_in": 3600,
            "refresh_token": "tGzv3JOkF0XG5Qx2TlKWIA", "example_parameter": "example_value"}
            """
        let token = try read(json).accessToken(receivedAt: time)
        let expires = Date(timeIntervalSince1970: 4_600)
        #expect(
            token == AccessToken("2YotnFZFEjr1zCsicMWpAA", refreshToken: "tGzv3JOkF0XG5Qx2TlKWIA", expires: expires)
        )
    }

    @Test("without a new refresh token the old one is kept, and a new one replaces it")
    func refreshToken() throws {
        let old = AccessToken("old", refreshToken: "r1", expires: time)
        let kept = try read(#"{"access_token": "new"}"#).accessToken(receivedAt: time, inPlaceOf: old)
        #expect(kept == AccessToken("new", refreshToken: "r1"))
        let taken = try read(#"{"access_token": "new", "refresh_token": "r2"}"#)
        #expect(taken.accessToken(receivedAt: time, inPlaceOf: old) == AccessToken("new", refreshToken: "r2"))
    }

    @Test(
        "any number of seconds is accepted, within limits",
        arguments: [
            ("-1", Duration.zero), ("0.5", .milliseconds(500)), ("1e300", .seconds(3_153_600_000)),
            ("3600", .seconds(3_600)), ("36e2", .seconds(3_600)), ("0", .zero),
        ]
    )
    func clamped(_ number: String, _ expected: Duration) throws {
        for number in [number, "\"\(number)\"", "\" \(number) \""] {
            let answer = try read(#"{"access_token": "new", "expires_in": \#(number)}"#)
            #expect(answer.expiresIn == expected, "\(number)")
        }
    }

    @Test(
        "a lifetime that is null, empty or no number is unknown, and a type of the token that is no text counts as missing",
        arguments: [
            "", #", "expires_in": null"#, #", "expires_in": """#, #", "expires_in": " ""#, #", "token_type": 7"#,
            #", "expires_in": "soon""#, #", "expires_in": "0x10""#, #", "expires_in": "inf""#,
            #", "expires_in": "nan""#, #", "expires_in": "3 600""#, #", "expires_in": "1,5""#,
            #", "expires_in": "٣""#, #", "expires_in": true"#, #", "expires_in": [[1]]"#, #", "expires_in": {}"#,
        ]
    )
    func otherMembers(_ member: String) throws {
        let response = try read(#"{"access_token": "new", "refresh_token": "r2"\#(member)}"#)
        #expect(response == OAuthTokenResponse(accessToken: "new", refreshToken: "r2"))
    }

    @Test("an empty refresh token keeps the old one", arguments: [#""""#, #"" ""#, "null"])
    func emptyRefreshToken(_ value: String) throws {
        let old = AccessToken("old", refreshToken: "r1")
        let answer = try read(#"{"access_token": "new", "refresh_token": \#(value)}"#)
        #expect(answer.accessToken(receivedAt: time, inPlaceOf: old).refreshToken == "r1")
    }

    @Test(
        "an access token that is blank or can't be sent is an error that says so without the token",
        arguments: [
            ("", "empty"), (" ", "empty"), (#"\t\n"#, "empty"), (#"hunter2\n"#, "not visible"),
            (#"hunter2\r\nX: y"#, "not visible"), (#"hunter2\u0000"#, "not visible"), ("hünter2", "not visible"),
            (#"hunter2\u007f"#, "not visible"),
        ]
    )
    func unusable(_ token: String, _ reason: String) {
        let response = Response(statusCode: .ok, payload: Data(#"{"access_token": "\#(token)"}"#.utf8))
        let read: Either<TransformError<Never>, OAuthTokenResponse> = response.json()
        guard case .left(.malformedData(_, let debugInfo)) = read else {
            Issue.record("\(read)")
            return
        }
        #expect(debugInfo.contains("access_token is \(reason)") && !debugInfo.contains("nter2"), "\(debugInfo)")
        // An empty one counts as none.
        if reason == "empty" { return }
        let refresh = Response(
            statusCode: .ok,
            payload: Data(#"{"access_token":"a","refresh_token":"\#(token)"}"#.utf8)
        )
        let refused: Either<TransformError<Never>, OAuthTokenResponse> = refresh.json()
        guard case .left(.malformedData(_, let debugInfo)) = refused else {
            Issue.record("\(refused)")
            return
        }
        #expect(debugInfo.contains("refresh_token is \(reason)") && !debugInfo.contains("nter2"), "\(debugInfo)")
    }

    @Test("a response without a token is an error")
    func malformed() {
        for json in ["{}", #"{"access_token": null}"#, "access_token=new"] {
            #expect(throws: DecodingError.self, "\(json)") { try read(json) }
        }
    }

    @Test("no description shows a token")
    func redacted() {
        let answer = OAuthTokenResponse(accessToken: "hunter2", refreshToken: "hunter2", expiresIn: .seconds(60))
        let expires = Date(timeIntervalSince1970: 1_700_000_000)
        let token = AccessToken("hunter2", refreshToken: "hunter3", expires: expires)
        for (value, shown) in [
            (answer, "<redacted>, expires in 60.0 seconds"), (token, "<redacted>, expires 2023-11-14T22:13:20Z"),
        ] as [(Any, String)] {
            var dumped = ""
            dump(value, to: &dumped)
            #expect(!"\(value) \(dumped) \(String(reflecting: value))".contains("hunter"))
            #expect("\(value)" == shown)
        }
    }
}

/// The error of a failed token request (RFC 6749 5.2), in the text of an error.
struct OAuthErrorTextTests {
    private func text(_ payload: String) -> String? {
        let response = Response(statusCode: .badRequest, payload: Data(payload.utf8))
        return OAuthError.text(of: response, hiding: ["", "9f8e7d6c5b4a"])
    }

    @Test(
        "the error and its description are shown, without the tokens that they repeat",
        arguments: [
            (#"{"error": "invalid_grant"}"#, "invalid_grant"),
            (
                #"{"error": "invalid_grant", "error_description": "The refresh token 9f8e7d6c5b4a has expired"}"#,
                "invalid_grant: The refresh token <redacted> has expired"
            ),
            (#"{"error": "invalid_grant", "error_description": 7}"#, "invalid_grant"),
            (#"{"error": "invalid_grant", "error_description": "a\u001b[2Jb"}"#, "invalid_grant"),
            (#"{"error": "\u202e"}"#, nil), (#"{"error": ""}"#, nil), (#"{"error": {"code": 7}}"#, nil),
            ("no JSON", nil),
        ] as [(String, String?)]
    )
    func json(_ payload: String, _ expected: String?) {
        #expect(text(payload) == expected)
    }

    @Test(
        "a form is named as what it is, or its error is shown, without its tokens",
        arguments: [
            (
                "access_token=9f8e7d6c5b4a&scope=repo%2Cgist&token_type=bearer",
                "the response is a form, not JSON (RFC 6749 5.1), which some servers only send for Accept: "
                    + "application/json"
            ),
            (
                "error=bad_verification_code&error_description=The+code+9f8e7d6c5b4a+is%20incorrect",
                "bad_verification_code: The code <redacted> is incorrect"
            ),
            ("error", nil), ("error=a%0Ab", nil), ("error=%zz", nil), ("a=b&&=&access", nil),
            (#"<a href="?access_token=9f8e7d6c5b4a">"#, nil),
            (#"{"message": "no access_token&access_token=9f8e7d6c5b4a"}"#, nil),
        ] as [(String, String?)]
    )
    func form(_ payload: String, _ expected: String?) {
        #expect(text(payload) == expected)
    }

    @Test("a large payload is not read")
    func large() {
        #expect(text(#"{"error": "invalid_grant", "x": "\#(String(repeating: "x", count: 20_000))"}"#) == nil)
    }
}
