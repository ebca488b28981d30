import StartSmall
import Testing

struct AuthenticationChallengeTests {
    private static func text(_ challenges: [AuthenticationChallenge]) -> [String] {
        challenges.map { challenge in
            let parameters = challenge.parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            return ([challenge.scheme] + [challenge.token68].compactMap(\.self) + parameters).joined(separator: "|")
        }
    }

    @Test(
        "a list is parsed as RFC 9110 11.3 defines",
        arguments: [
            ("", []),
            (" , ,", []),
            ("Basic", ["Basic"]),
            ("Negotiate,Basic realm=\"a, b\"", ["Negotiate", "Basic|realm=a, b"]),
            ("Negotiate YWJj==", ["Negotiate|YWJj=="]),
            ("Negotiate YWJj== , NTLM", ["Negotiate|YWJj==", "NTLM"]),
            ("Bearer realm=api", ["Bearer|realm=api"]),
            ("Bearer realm=\"\"", ["Bearer|realm="]),
            ("Bearer REALM = \"a\\\"b\"", ["Bearer|realm=a\"b"]),
            ("Bearer realm=a,,error=invalid_token", ["Bearer|error=invalid_token|realm=a"]),
            ("Bearer realm=a, realm=b", ["Bearer|realm=a"]),
            ("Bearer realm=a, Basic realm=b, charset=\"UTF-8\"", ["Bearer|realm=a", "Basic|charset=UTF-8|realm=b"]),
            ("Bearer realm=a, Negotiate", ["Bearer|realm=a", "Negotiate"]),
            (
                "Newauth realm=\"apps\", type=1, title=\"Login to \\\"apps\\\"\", Basic realm=\"simple\"",
                ["Newauth|realm=apps|title=Login to \"apps\"|type=1", "Basic|realm=simple"]
            ),
        ]
    )
    func reads(text: String, expected: [String]) {
        #expect(Self.text(AuthenticationChallenge.list(text)) == expected)
    }

    @Test(
        "a challenge without a scheme is left out, and so is a malformed parameter; the other parts are kept",
        arguments: [
            ("Basic realm=a, =b, Bearer", ["Basic|realm=a", "Bearer"]),
            ("Basic realm=a, Bearer realm=\"open", ["Basic|realm=a", "Bearer"]),
            ("Bearer realm=\"b\"c, error=d, Basic", ["Bearer|error=d", "Basic"]),
            ("Basic realm=a, \"Bearer\", Digest", ["Basic|realm=a", "Digest"]),
            ("Bearer a b, Basic realm=a", ["Bearer", "Basic|realm=a"]),
            ("Bearer realm=b c=d, error=e", ["Bearer|error=e"]),
            ("Bearer realm=\"a\u{1}\", error=e", ["Bearer|error=e"]),
            ("Bearer error=, scope=a", ["Bearer|scope=a"]),
            ("Bad/x realm=a, charset=b, title = c, Basic realm=d", ["Basic|realm=d"]),
            ("Bearer realm=\"open, Basic realm=d", ["Bearer", "Basic|realm=d"]),
            ("@, Basic", ["Basic"]),
        ]
    )
    func malformed(text: String, expected: [String]) {
        #expect(Self.text(AuthenticationChallenge.list(text)) == expected)
    }

    @Test("a list that is cut at any byte has the same challenges before its last one")
    func cut() {
        let text = "Newauth realm=\"apps\", type=1, Negotiate YWJj==, Bearer error=\"invalid_token\", Basic"
        let whole = AuthenticationChallenge.list(text).map(\.scheme)
        for end in text.indices {
            let schemes = AuthenticationChallenge.list(String(text[..<end])).map(\.scheme).dropLast()
            #expect(Array(schemes) == Array(whole.prefix(schemes.count)))
        }
    }

    @Test("schemes and names are compared case-insensitively")
    func caseInsensitive() throws {
        let challenge = try #require(AuthenticationChallenge.list("BEARER Realm=a, Error=b").first)
        #expect(challenge.isOf(scheme: "bearer") && !challenge.isOf(scheme: "basic"))
        #expect(challenge["realm"] == "a" && challenge["ERROR"] == "b" && challenge["scope"] == nil)
    }

    @Test("the challenges of a response are those of all its fields, in order")
    func response() {
        let headers: HTTPHeaders = ["WWW-Authenticate": "Negotiate", "www-authenticate": "Basic realm=a, Bearer"]
        let response = Response(statusCode: .unauthorized, headers: headers)
        #expect(response.challenges.map(\.scheme) == ["Negotiate", "Basic", "Bearer"])
    }
}
