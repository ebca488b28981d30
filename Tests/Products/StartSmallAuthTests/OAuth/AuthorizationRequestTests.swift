import Foundation
import StartSmall
import StartSmallCore
import StartSmallTesting
import TestSupport
import Testing

@testable import StartSmallAuth

struct AuthorizationRequestTests {
    private let endpoint = Fixture.url("https://server.example.com/authorize?tenant=a+b")

    @Test("the challenge is that of RFC 7636 B")
    func challenge() throws {
        let json = """
            {"clientID": "a", "redirect": "https://a/", "state": "s", "nonce": "n",
            "verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"}
            """
        let request = try JSONDecoder().decode(AuthorizationRequest.self, from: Data(json.utf8))
        #expect(request.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test("the random texts are as long as the RFCs recommend, differ, and survive storage")
    func random() throws {
        let request = AuthorizationRequest(OAuth.client, redirect: OAuth.redirect)
        #expect(request.verifier.utf8.count == 43 && request.state.utf8.count == 22 && request.nonce.utf8.count == 22)
        #expect(request.state != request.nonce)
        #expect(AuthorizationRequest(OAuth.client, redirect: OAuth.redirect).verifier != request.verifier)
        let stored = try JSONDecoder().decode(AuthorizationRequest.self, from: JSONEncoder().encode(request))
        #expect(stored == request)
        #expect(OAuth.authorization().verifier == "AAAAAAAAAAAAAAAAAAAAAQAAAAAAAAACAAAAAAAAAAM")
    }

    @Test("the URL keeps the query of the endpoint, and has the parameters once, encoded")
    func url() throws {
        let request = OAuth.authorization()
        let url = try request.url(at: endpoint, ["scope": "openid a:b", "login_hint": "me+you@x & y"]).get()
        #expect(
            url.absoluteString == "https://server.example.com/authorize?tenant=a+b&client_id=s6BhdRkqt3"
                + "&response_type=code&redirect_uri=https%3A%2F%2Fclient.example.com%2Fcb&state=\(request.state)"
                + "&code_challenge=\(request.challenge)&code_challenge_method=S256&nonce=\(request.nonce)"
                + "&scope=openid+a%3Ab&login_hint=me%2Byou%40x+%26+y"
        )
        #expect(try !request.url(at: endpoint).get().absoluteString.contains("nonce"))
    }

    @Test(
        "an endpoint that can't be opened, and a parameter of its query that the request has, are refused",
        arguments: [
            "http://server.example.com/", "https://a@server.example.com/", "https://server.example.com/#",
            "javascript:1",
            "https://server.example.com/?state=x", "https://server.example.com/?client%5Fid=x",
        ]
    )
    func refused(_ endpoint: String) {
        #expect(OAuth.authorization().url(at: Fixture.url(endpoint)).right == nil)
    }

    @Test("a pushed request has the same parameters, and the browser gets the reference alone (RFC 9126 4)")
    func pushed() async throws {
        let request = OAuth.authorization()
        let at = Fixture.url("https://as/authorize")
        let json =
            #"{"request_uri": "urn:ietf:params:oauth:request_uri:6esc_11ACC5bwc014ltc14eY22c", "expires_in": 60}"#
        for client in [OAuth.client, OAuthClient("s6BhdRkqt3"), OAuthClient("s6BhdRkqt3", .secretInForm("a"))] {
            let pushed = client.url(of: request, pushedTo: OAuth.tokenEndpoint, at: at, ["scope": "openid"])
            let fields = try await OAuth.fields(of: pushed)
            #expect(fields.contains("nonce=\(request.nonce)") && fields.contains("code_challenge_method=S256"))
            #expect(fields.filter { $0.hasPrefix("client_id") } == ["client_id=s6BhdRkqt3"])
            #expect(
                await pushed.fetch(via: .stub(.json(json, status: .created))).right?.absoluteString
                    == "https://as/authorize?client_id=s6BhdRkqt3"
                    + "&request_uri=urn%3Aietf%3Aparams%3Aoauth%3Arequest_uri%3A6esc_11ACC5bwc014ltc14eY22c"
            )
            for json in ["{}", #"{"request_uri": 7}"#, #"{"request_uri": ""}"#, #"{"request_uri": "a\nb"}"#, "[]", ""] {
                guard case .malformedData? = await pushed.fetch(via: .stub(.json(json))).failure else {
                    Issue.record("\(json)")
                    continue
                }
            }
        }
        #expect(OAuth.client.url(of: request, pushedTo: at, at: Fixture.url("http://as/")).input.right == nil)
    }

    @Test("an own parameter of a pushed request or a URL can't be given again")
    func doubled() {
        for name in ["client_id", "state", "code_challenge", "redirect_uri", "response_type", "nonce"] {
            let (request, parameters) = (OAuth.authorization(), ["scope": "openid", name: "x"] as Queries)
            #expect(request.url(at: endpoint, parameters).right == nil, "\(name)")
            let pushed = OAuth.client.url(of: request, pushedTo: endpoint, at: endpoint, parameters)
            #expect(pushed.input.right == nil, "\(name)")
        }
    }
}

struct AuthorizationCodeTests {
    private let issuer = "https://server.example.com"

    private func read(
        _ redirect: String,
        own: String = "https://client.example.com/cb",
        from issuer: String? = "https://server.example.com",
        promisesIssuer: Bool = false
    ) -> Either<AuthorizationRefusal, AuthorizationCode> {
        let request = OAuth.authorization(Fixture.url(own))
        let url = Fixture.url(redirect.replacing("STATE", with: request.state))
        return request.code(in: url, from: issuer, promisesIssuer: promisesIssuer)
    }

    @Test("the code of RFC 6749 4.1.2 is read, with what the token endpoint needs")
    func example() throws {
        let code = try read("https://client.example.com/cb?code=SplxlOBeZQQYbYS6WxSbIA&state=STATE").get()
        #expect(code.value == OAuth.code && code.redirect == OAuth.redirect)
        #expect(code.verifier == OAuth.authorization().verifier)
    }

    @Test(
        "the redirect URI has to be that of the request",
        arguments: [
            ("https://client.example.com/", "https://client.example.com/?", true),
            ("com.example.app:/cb", "com.example.app:/cb?", true),
            ("com.example.app:/cb", "com.example.app:/c?", false),
            ("com.example.app:/cb", "com.example.app://cb?", false),
            ("com.example.app:/cb", "com.example.ap:/cb?", false),
            ("http://127.0.0.1:7000/cb", "http://127.0.0.1:7000/cb?", true),
            ("http://127.0.0.1:7000/cb", "http://127.0.0.1:7001/cb?", false),
            ("https://client.example.com/cb?a=b", "https://client.example.com/cb?a=b&", true),
            ("https://client.example.com/cb?a=b", "https://client.example.com/cb?", false),
            ("https://client.example.com/cb?a=b", "https://client.example.com/cb?a=c&", false),
            ("https://client.example.com/cb", "http://client.example.com/cb?", false),
            ("https://client.example.com/cb", "https://client.example.com/cb/?", false),
            ("https://client.example.com/cb", "https://client.example.com/CB?", false),
            ("https://client.example.com/cb", "https://client.example.com:444/cb?", false),
            ("https://client.example.com/cb", "https://a@client.example.com/cb?", false),
            ("https://client.example.com/cb", "https://client.example.com.evil.com/cb?", false),
        ]
    )
    func redirects(_ own: String, _ redirect: String, _ isOwn: Bool) {
        let code = read(redirect + "code=a&state=STATE", own: own)
        #expect((code.right != nil) == isOwn)
        if !isOwn { #expect(code.left == .otherRedirect) }
    }

    @Test(
        "state and issuer are checked before anything else is believed",
        arguments: [
            ("code=a", .wrongState), ("code=a&state=", .wrongState), ("code=a&state=STATEx", .wrongState),
            ("error=access_denied", .wrongState), ("error=access_denied&state=x", .wrongState),
            ("code=a&state=\(String(repeating: "s", count: 100_000))", .wrongState),
            ("code=a&state=STATE&iss=https://evil.example.com", .wrongIssuer),
            ("error=access_denied&state=STATE&iss=https://evil.example.com", .wrongIssuer),
            ("code=a&state=STATE&iss=https://server.example.com/", .wrongIssuer),
            ("code=a&state=STATE&iss=", .wrongIssuer), ("state=STATE", .noCode), ("code=&state=STATE", .noCode),
            ("code=%C3%A9&state=STATE", .noCode), ("code=a&state=STATE&code=b", .malformed),
            ("code=a&state=STATE&c%6Fde=a", .malformed), ("code=a&state=STATE&x=1&x=1", .malformed),
            ("code=a&state=STATE&state=STATE", .malformed), ("code=%FF&state=STATE", .malformed),
            ("code=a&state=STATE#a", .otherRedirect), ("code=a&state=STATE#", .otherRedirect),
            (
                "error=access_denied&error_description=No+way&state=STATE",
                .failed(OAuthError(.accessDenied, text: "No way"))
            ),
            ("error=access_denied&code=a&state=STATE", .failed(OAuthError(.accessDenied))),
        ] as [(String, AuthorizationRefusal)]
    )
    func refusals(_ query: String, _ expected: AuthorizationRefusal) {
        #expect(read("https://client.example.com/cb?\(query)").left == expected)
    }

    @Test("an error that can't be shown is an error of the server")
    func strangeError() {
        guard case .failed(let error)? = read("https://client.example.com/cb?error=%0A&state=STATE").left else {
            Issue.record("no failure")
            return
        }
        #expect(error.code == .serverError)
    }

    @Test("a missing issuer is refused where it is promised, and one that nobody can check as well (RFC 9207 2.4)")
    func issuers() {
        let url = "https://client.example.com/cb?code=a&state=STATE"
        let own = "&iss=https%3A%2F%2Fserver.example.com"
        #expect(read(url + own, promisesIssuer: true).right != nil)
        #expect(read(url, promisesIssuer: true).left == .wrongIssuer)
        #expect(read(url, from: nil, promisesIssuer: false).right != nil)
        #expect(read(url + own, from: nil, promisesIssuer: false).right != nil)
        #expect(read(url + own, from: nil, promisesIssuer: true).left == .wrongIssuer)
    }

    @Test("a hostile redirect is read in linear time")
    func linear() {
        for pattern in ["&", "a=b&", "%", "%41", "=", "e\(Hostile.accents)", "state=a&"] {
            Hostile.expectLinear(pattern) { text in
                _ = read("https://client.example.com/cb?state=STATE&\(text)")
            }
        }
    }
}

struct IDTokenTests {
    private let now = Date(timeIntervalSince1970: 1_311_280_970)

    private func read(_ change: (inout [String: Any]) -> Void = { _ in }) throws -> Either<IDTokenRefusal, JSONWebToken>
    {
        // The claims of OpenID Connect Core 2.
        var claims: [String: Any] = [
            "iss": "https://server.example.com", "sub": "24400320", "aud": "s6BhdRkqt3", "nonce": "n-0S6_WzA2Mj",
            "exp": 1_311_281_970, "iat": 1_311_280_970,
        ]
        change(&claims)
        let text = "e30.\(try JSONSerialization.data(withJSONObject: claims).base64URL).c2ln"
        let issuer = "https://server.example.com"
        return JSONWebToken.idToken(text, from: issuer, to: OAuth.client, nonce: "n-0S6_WzA2Mj", now: now)
    }

    @Test("the claims of OpenID Connect Core 2 pass, and those of several audiences with an own azp")
    func passes() throws {
        #expect(try read().right?.subject == "24400320")
        #expect(try read { ($0["aud"], $0["azp"]) = (["x", "s6BhdRkqt3"], "s6BhdRkqt3") }.right != nil)
        #expect(try read { $0["exp"] = 1_311_280_851 }.right != nil)
        #expect(try read { $0["iat"] = 1_311_281_090 }.right != nil)
    }

    @Test("each claim that is not that of the sign-in is refused, also by clocks that are hours off")
    func refused() throws {
        let day = 86_400
        let table: [(IDTokenRefusal, String, Any?)] = [
            (.wrongIssuer, "iss", "https://server.example.com/"), (.wrongIssuer, "iss", "https://SERVER.example.com"),
            (.malformed, "iss", nil), (.malformed, "sub", nil), (.malformed, "sub", ""), (.malformed, "exp", nil),
            (.malformed, "iat", nil), (.malformed, "exp", "soon"), (.wrongAudience, "aud", "other"),
            (.wrongAudience, "aud", [String]()), (.wrongAudience, "aud", nil),
            (.wrongAudience, "aud", ["s6BhdRkqt3", "x"]),
            (.wrongAudience, "azp", "other"), (.expired, "exp", 1_311_280_850), (.expired, "exp", 0),
            (.malformed, "exp", -1e300), (.issuedInFuture, "iat", 1_311_281_091), (.malformed, "iat", 1e300),
            (.issuedInFuture, "iat", 1_311_280_970 + day), (.wrongNonce, "nonce", nil), (.wrongNonce, "nonce", "n"),
            (.expired, "exp", 1_311_280_970 - 3 * 3600), (.issuedInFuture, "iat", 1_311_280_970 + 3 * 3600),
            (.wrongNonce, "nonce", String(repeating: "n", count: 10_000)), (.malformed, "nonce", 7),
            // Longer than any token.
            (.malformed, "nonce", String(repeating: "n", count: 100_000)),
        ]
        for (refusal, name, value) in table {
            #expect(try read { $0[name] = value }.left == refusal, "\(name): \(String(describing: value))")
        }
        let claims = "e30.e30"
        #expect(JSONWebToken.idToken(claims, from: "a", to: OAuth.client, nonce: nil, now: now).left == .malformed)
    }
}
