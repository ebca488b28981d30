import Foundation
import StartSmall
import Testing

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
        arguments: [("-1", Duration.zero), ("0.5", .milliseconds(500)), ("1e300", .seconds(3_153_600_000))]
    )
    func clamped(_ number: String, _ expected: Duration) throws {
        let answer = try read(#"{"access_token": "new", "expires_in": \#(number)}"#)
        #expect(answer.expiresIn == expected)
    }

    @Test("a response without a token is an error, and so is one with an expiry that is no number")
    func malformed() {
        for json in ["{}", #"{"access_token": null}"#, #"{"access_token": "new", "expires_in": "soon"}"#] {
            #expect(throws: DecodingError.self) { try read(json) }
        }
    }

    @Test("no description shows a token")
    func redacted() {
        let answer = OAuthTokenResponse(accessToken: "hunter2", refreshToken: "hunter2", expiresIn: .seconds(60))
        var dumped = ""
        dump(answer, to: &dumped)
        #expect(!"\(answer) \(dumped) \(String(reflecting: answer))".contains("hunter2"))
        #expect("\(answer)" == "<redacted>, expires in 60.0 seconds")
    }
}
