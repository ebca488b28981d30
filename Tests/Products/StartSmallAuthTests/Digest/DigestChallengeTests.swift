import Foundation
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

@testable import StartSmallAuth

struct DigestChallengeTests {
    /// Fields of a response, and the nonce of the challenge that is answered, or nil.
    static let fields: [([String], String?)] = [
        ([#"Digest realm="r", qop="auth", algorithm=SHA-256, nonce="a""#], "a"),
        ([#"DIGEST REALM="r",QOP="AUTH",ALGORITHM=sha-256,NONCE="a""#], "a"),
        ([#"Digest realm=r, qop=auth, algorithm="SHA-256-sess", nonce=a"#], "a"),
        ([#"Digest realm = "r" , qop = "auth-int, auth" , algorithm = SHA-256 , nonce = "a""#], "a"),
        ([#", ,Digest ,realm="r",,qop="other,auth-int",algorithm=SHA-256,nonce="",x=y,"#], ""),
        // MD5 is the default, and needs the option.
        ([#"Digest realm="r", qop="auth", nonce="a""#], nil),
        ([#"Digest realm="r", qop="auth", algorithm=MD5, nonce="a""#], nil),
        // The strongest one, in any order, in one field or in several, beside other schemes.
        (
            [#"Digest realm="r", qop="auth", nonce="m", Digest realm="r", qop="auth", algorithm=SHA-256, nonce="s""#],
            "s"
        ),
        (
            [
                #"Digest realm="r", qop="auth", algorithm=SHA-256, nonce="s""#,
                #"Digest realm="r", qop="auth", algorithm=SHA-512-256, nonce="u""#,
                #"Digest realm="r", qop="auth", algorithm=SHA-256-sess, nonce="t""#,
            ], "s"
        ),
        (
            [#"Negotiate, Negotiate YII+/a==, NTLM TlR=, Newauth realm="apps, Digest", type=1, title="a \"b\"""#]
                + [#"Basic realm="x", Digest realm="r", qop="auth", algorithm=SHA-256, nonce="a", Bearer"#], "a"
        ),
        // Unknown or malformed.
        ([#"Digest realm="r", qop="auth", algorithm=SHA-512-256, nonce="u""#], nil),
        ([#"Digest realm="r", algorithm=SHA-256, nonce="a""#], nil),
        ([#"Digest realm="r", qop="", algorithm=SHA-256, nonce="a""#], nil),
        ([#"Digest realm="r", qop="auth-conf", algorithm=SHA-256, nonce="a""#], nil),
        ([#"Digest realm="r", qop="auth", algorithm=SHA-256"#], nil),
        ([#"Digest qop="auth", algorithm=SHA-256, nonce="a""#], nil),
        ([#"Digest realm="r", qop="auth", algorithm=SHA-256, nonce="a", nonce="b""#], nil),
        ([#"Digest realm="r", qop="auth", algorithm=SHA-256, nonce="a", NONCE="a""#], nil),
        ([#"Digest realm="r", qop="auth", algorithm=SHA-256, nonce="a"#], nil),
        ([#"Digest realm="r" qop="auth", algorithm=SHA-256, nonce="a""#], nil),
        ([#"Digest realm="r", qop="auth", algorithm=SHA-256, nonce="a" b"#], nil),
        ([#"Digest realm="r", qop="auth", algorithm=SHA-256, nonce="a", =b"#], nil),
        ([#"Digest YWJj"#], nil), ([#"Basic realm="Digest""#], nil), ([""], nil), (["Digest"], nil), ([], nil),
    ]

    private static func strongest(_ fields: [String], allowsMD5: Bool = false) -> DigestChallenge? {
        let headers = HTTPHeaders(fields.map { .init(name: "WWW-Authenticate", value: $0) })
        return DigestChallenge.strongest(of: headers, allowsMD5: allowsMD5)
    }

    @Test("the strongest challenge that is whole is answered, in any order, and no other one", arguments: fields)
    func strongest(fields: [String], nonce: String?) {
        #expect(Self.strongest(fields)?.nonce == nonce)
    }

    @Test("MD5 is answered by an option, if there is nothing stronger")
    func md5() {
        let (weak, strong) = (#"Digest realm="r", qop="auth", nonce="m""#, Self.fields[0].0[0])

        #expect(Self.strongest([weak], allowsMD5: true)?.algorithm.name == "MD5")
        #expect(Self.strongest([weak, strong], allowsMD5: true)?.nonce == "a")
        #expect(Self.strongest([strong, weak], allowsMD5: true)?.nonce == "a")
    }

    @Test("escapes are removed, and stale and userhash are read in any case")
    func parameters() {
        let text =
            #"Digest realm="a \"b\" \\", qop="auth", algorithm=SHA-256, nonce="n", opaque="\o", stale=TRUE, userhash=True"#
        let challenge = Self.strongest([text])

        #expect(challenge?.realm == #"a "b" \"#)
        #expect(challenge?.opaque == "o")
        #expect(challenge?.isStale == true)
        #expect(challenge?.hidesUser == true)
    }

    @Test("a nonce of more than 1 KiB, and a field of more than 8 KiB, are refused")
    func limits() {
        func field(nonce: Int, realm: Int = 1) -> String {
            let realm = String(repeating: "r", count: realm)
            return
                #"Digest realm="\#(realm)", qop="auth", algorithm=SHA-256, nonce="\#(String(repeating: "n", count: nonce))""#
        }

        #expect(Self.strongest([field(nonce: 1_024)]) != nil)
        #expect(Self.strongest([field(nonce: 1_025)]) == nil)
        #expect(Self.strongest([field(nonce: 100_000)]) == nil)
        #expect(Self.strongest([field(nonce: 1, realm: 8_000)]) != nil)
        #expect(Self.strongest([field(nonce: 1, realm: 8_192)]) == nil)
    }

    @Test("a challenge that is cut at any byte is another challenge only behind its last quote")
    func cuts() {
        let text = Self.fields[0].0[0]
        for end in text.indices { #expect(Self.strongest([String(text[..<end])]) == nil) }
    }

    @Test("a field is read in linear time")
    func linear() {
        ReaderCost(
            "challenge",
            words: ["Digest ", "nonce=\"a\", ", "a=b", "\\\""],
            frames: ["", "Digest a=\"", "Digest "]
        ) {
            _ = AuthenticationField.challenges(of: $0, upTo: .max)
        }
        .expectLinear()
    }
}

struct DigestCredentialsTests {
    private static let challenge =
        #"realm="http-auth@example.org", qop="auth, auth-int", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", "#
        + #"opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#
    private static let clientNonce = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"

    private static func use(_ challenge: String, _ clientNonce: String = clientNonce) throws -> DigestUse {
        let challenge = try #require(AuthenticationField.challenges(of: "Digest \(challenge)").first)
        var state = DigestState()
        let answered = try #require(DigestChallenge(challenge, allowsMD5: true))
        let use = state.answer(answered, after: nil, clientNonce)
        return try #require(use)
    }

    @Test(
        "the example of RFC 7616 3.9.1 gives its response",
        arguments: [
            ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
            ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
        ]
    )
    func example(algorithm: String, response: String) throws {
        let use = try Self.use("\(Self.challenge), algorithm=\(algorithm)")
        let value = DigestCredentials(user: "Mufasa", password: "Circle of Life")
            .value(for: use, method: "GET", target: "/dir/index.html")

        #expect(
            value == #"Digest username="Mufasa", realm="http-auth@example.org", uri="/dir/index.html", "#
                + #"algorithm=\#(algorithm), nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", nc=00000001, "#
                + #"cnonce="\#(Self.clientNonce)", qop=auth, response="\#(response)", "#
                + #"opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#
        )
    }

    @Test("the example of RFC 2617 3.5 gives its response")
    func olderExample() throws {
        let challenge = #"realm="testrealm@host.com", qop="auth", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093""#
        let value = DigestCredentials(user: "Mufasa", password: "Circle Of Life")
            .value(for: try Self.use(challenge, "0a4f113b"), method: "GET", target: "/dir/index.html")

        #expect(value.contains(#"response="6629fae49393a05397450978507c4ef1""#))
    }

    /// RFC 7616 3.9.2 is of SHA-512-256, which is not built: its form is checked, and not its digests.
    @Test("a user's name that is not ASCII is an extended value for servers of RFC 7616, or a digest if they want one")
    func names() throws {
        let credentials = DigestCredentials(user: "J\u{E4}s\u{F8}n Doe", password: "Secret, or not?")
        let challenge = #"realm="api@example.org", qop="auth", algorithm=SHA-256, nonce="n", charset=UTF-8"#
        func value(_ challenge: String) throws -> String {
            credentials.value(for: try Self.use(challenge), method: "GET", target: "/doe.json")
        }

        #expect(try value(challenge).hasPrefix("Digest username*=UTF-8''J%C3%A4s%C3%B8n%20Doe, realm="))
        let older = challenge.replacing(", charset=UTF-8", with: "")
        #expect(try value(older).hasPrefix("Digest username=\"J\u{E4}s\u{F8}n Doe\", realm="))
        let hashed = try value("\(challenge), userhash=true")
        #expect(hashed.wholeMatch(of: /Digest username="[0-9a-f]{64}", realm=.*, userhash=true/) != nil)
    }

    @Test("quotes and backslashes are escaped in the field, and not in the digest")
    func quoting() throws {
        let use = try Self.use(#"realm="a \"b\" \\", qop="auth", algorithm=SHA-256, nonce="n""#)
        let credentials = DigestCredentials(user: #"a"\b"#, password: "p")
        let value = credentials.value(for: use, method: "GET", target: "/")

        #expect(value.hasPrefix(#"Digest username="a\"\\b", realm="a \"b\" \\", uri="/""#))
        #expect(DigestServer.parameters(value)?["username"] == #"a"\b"#)
    }

    @Test("a control character in a name or a password can't be sent", arguments: [("a\n", "p"), ("a", "p\u{0}")])
    func controlCharacters(user: String, password: String) async {
        let wrapper = Wrapper.digest(user: user, password: password, to: .origin(Fixture.url))
        let app = Connector.stub { _ in .hasResponse(Fixture.ok) }.wrapped(by: wrapper)
        let error = await WebAPI.call(with: Fixture.input, via: app).connectionError

        #expect(error?.name == "missingCredentials")
    }
}
