import Foundation
import StartSmall
import Testing

struct AccessTokenTests {
    private let token = AccessToken(
        "hunter2",
        refreshToken: "hunter3",
        expires: Date(timeIntervalSince1970: 1_700_000_000)
    )

    @Test("no description of any kind shows a token")
    func redacted() {
        var dumped = ""
        dump(token, to: &dumped)
        #expect(!"\(token) \(dumped) \(String(reflecting: token))".contains("hunter"))
        #expect("\(token)" == "<redacted>, expires 2023-11-14T22:13:20Z")
        #expect("\(AccessToken("hunter2"))" == "<redacted>")
    }

    @Test("a token can be encoded and decoded without loss")
    func stored() throws {
        let data = try JSONEncoder().encode(token)
        #expect(try JSONDecoder().decode(AccessToken.self, from: data) == token)
    }
}
