import Foundation
import StartSmall
import StartSmallCore
import StartSmallTesting
import TestSupport
import Testing

@testable import StartSmallAuth

struct OAuthGrantTests {
    private func fields(of grant: OAuthGrant) async throws -> [String] {
        try await OAuth.fields(of: OAuth.client.token(by: grant, at: OAuth.tokenEndpoint))
    }

    @Test("each grant has the parameters of its RFC")
    func grants() async throws {
        #expect(try await fields(of: .clientCredentials) == ["grant_type=client_credentials"])
        #expect(
            try await fields(of: .refresh("tGzv3JOkF0XG5Qx2TlKWIA"))
                == ["grant_type=refresh_token", "refresh_token=tGzv3JOkF0XG5Qx2TlKWIA"]
        )
        let code = AuthorizationCode(value: OAuth.code, redirect: OAuth.redirect, verifier: "v")
        #expect(
            try await fields(of: .code(code)) == [
                "grant_type=authorization_code", "code=SplxlOBeZQQYbYS6WxSbIA",
                "redirect_uri=https://client.example.com/cb", "code_verifier=v",
            ]
        )
        #expect(
            try await fields(of: .deviceCode("GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS"))
                == [
                    "grant_type=urn:ietf:params:oauth:grant-type:device_code",
                    "device_code=GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS",
                ]
        )
        #expect(
            try await fields(of: .jwtBearer("eyJhbGciOiJFUzI1NiIsImtpZCI6IjE2In0."))
                == [
                    "grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer",
                    "assertion=eyJhbGciOiJFUzI1NiIsImtpZCI6IjE2In0.",
                ]
        )
        #expect(
            try await fields(
                of: .tokenExchange("s", .accessToken, actor: ("a", .jwt))
            ) == [
                "grant_type=urn:ietf:params:oauth:grant-type:token-exchange", "subject_token=s",
                "subject_token_type=urn:ietf:params:oauth:token-type:access_token", "actor_token=a",
                "actor_token_type=urn:ietf:params:oauth:token-type:jwt",
            ]
        )
    }

    @Test("scope, resources and parameters of a server follow, in their order (RFC 8707 2.2)")
    func common() async throws {
        let parameters: Queries = [
            "scope": "calendar contacts", "resource": "https://cal.example.com/",
            "resource": "https://contacts.example.com/", "organization": "o",
        ]
        let token = OAuth.client.token(by: .refresh("r"), at: OAuth.tokenEndpoint, parameters)
        #expect(
            try await OAuth.fields(of: token).dropFirst(2) == [
                "scope=calendar contacts", "resource=https://cal.example.com/",
                "resource=https://contacts.example.com/", "organization=o",
            ]
        )
    }

    private func fetched(
        _ output: Output,
        by grant: OAuthGrant = .clientCredentials,
        tokenType: String = "Bearer"
    ) async -> Fetched<TransformError<OAuthError>, OAuthTokenResponse> {
        await OAuth.client.token(by: grant, at: OAuth.tokenEndpoint, tokenType: tokenType).fetch(via: .stub(output))
    }

    @Test("the members of a token response are kept, and its description shows none of them")
    func members() async throws {
        let json = """
            {"access_token": "a", "token_type": "bearer", "expires_in": 3600, "refresh_token": "r", "scope": "x y",
            "id_token": "i", "issued_token_type": "urn:ietf:params:oauth:token-type:access_token", "other": {}}
            """
        for grant in [OAuthGrant.clientCredentials, .tokenExchange("s", .jwt)] {
            let token = try #require(await fetched(.json(json), by: grant).right)
            #expect(
                token
                    == OAuthTokenResponse(
                        accessToken: "a",
                        refreshToken: "r",
                        expiresIn: .seconds(3600),
                        tokenType: "bearer",
                        scope: "x y",
                        idToken: "i",
                        issuedTokenType: .accessToken
                    )
            )
            #expect("\(token)" == "<redacted>, expires in 3600.0 seconds")
        }
    }

    @Test("an error is the problem with any status, also 200 and with a token beside it")
    func errors() async {
        let json = #"{"error": "invalid_grant", "access_token": "a", "token_type": "Bearer"}"#
        for status in [HTTPStatus.ok, .badRequest, .unauthorized, .internalServerError] {
            #expect(await fetched(.json(json, status: status)).failure?.problem?.code == .invalidGrant)
        }
    }

    @Test(
        "a response that is no token is a typed refusal, which does not show it",
        arguments: [
            "no JSON hunter2", "[]", "{}", #"{"token_type": "Bearer"}"#,
            #"{"access_token": 7, "token_type": "Bearer"}"#,
            #"{"access_token": "hunter2", "token_type": "Bearer", "refresh_token": {}}"#,
            #"{"access_token": "hunter2\n", "token_type": "Bearer"}"#, "",
            #"{"access_token": ["hunter2"], "token_type": "Bearer"}"#, #"{"access_token": {"hunter2": "hunter2"}}"#,
            #"{"access_token": "hunter2", "refresh_token": 7}"#, #""hunter2""#, "<html>hunter2</html>",
            #"{"access_token": "hunter2"#, #"{"access_token": "\ud800hunter2"}"#,
            String(repeating: "[", count: 100_000),
        ]
    )
    func malformed(_ json: String) async {
        let failure = await fetched(.json(json)).failure
        guard case .malformedData? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(!"\(String(describing: failure))".contains("hunter2"))
    }

    @Test(
        "a lifetime that is negative or huge is within limits",
        arguments: [
            ("-7", Duration.zero), ("1e300", .seconds(3_153_600_000)), (#""60""#, .seconds(60)), ("-1e300", .zero),
            (#""1e999""#, .seconds(3_153_600_000)), (#""-1e999""#, .zero), (#""-0""#, .zero),
        ]
    )
    func lifetimes(_ number: String, _ expected: Duration) async {
        let json = #"{"access_token": "a", "token_type": "Bearer", "expires_in": \#(number)}"#
        #expect(await fetched(.json(json)).right?.expiresIn == expected)
    }

    @Test(
        "a type of the token that was not asked for is refused; without one, it is a bearer token",
        arguments: [
            ("Bearer", #""bearer""#, true), ("Bearer", #""DPoP""#, false), ("DPoP", #""DPoP""#, true),
            ("DPoP", #""Bearer""#, false), ("Bearer", #""mac""#, false), ("Bearer", "7", true),
            ("Bearer", "null", true), ("DPoP", "null", false), ("bearer", "null", true), ("mac", "null", false),
            ("Bearer", #""N_A""#, false),
        ]
    )
    func tokenTypes(_ asked: String, _ sent: String, _ isTaken: Bool) async {
        let fetched = await fetched(.json(#"{"access_token": "a", "token_type": \#(sent)}"#), tokenType: asked)
        if case .invalid? = fetched.failure { #expect(!isTaken) } else { #expect(isTaken && fetched.right != nil) }
    }

    @Test(
        "an exchanged token has the type of what was issued; one that is no access token needs no type (RFC 8693 2.2.1)"
    )
    func exchanged() async {
        func fetched(_ issued: String, _ type: String) async -> OAuthTokenResponse? {
            let json = #"{"access_token": "a", "token_type": "\#(type)", "issued_token_type": \#(issued)}"#
            return await self.fetched(.json(json), by: .tokenExchange("s", .jwt)).right
        }
        let refresh = #""urn:ietf:params:oauth:token-type:refresh_token""#
        #expect(await fetched(refresh, "N_A")?.issuedTokenType == .refreshToken)
        #expect(await fetched(#""urn:ietf:params:oauth:token-type:access_token""#, "N_A") == nil)
        #expect(await fetched("null", "Bearer") == nil)
        #expect(await fetched(#""urn:x""#, "Bearer")?.issuedTokenType?.rawValue == "urn:x")
    }

    @Test("a response from another origin, to which a redirect led, is no token")
    func redirected() async {
        let sent = Recorder<Input>()
        let server = Connector.stub(recording: sent) { input in
            input.url.host() == "server.example.com"
                ? .status(.found, headers: ["Location": "https://evil.example.com/"]) : .json(OAuth.token)
        }
        for wrappers in [Wrapper.redirect(), .redirect(RedirectPolicy(sendsPayloadToOtherOrigins: true))] {
            let token = OAuth.client.token(by: .clientCredentials, at: OAuth.tokenEndpoint)
            #expect(await token.fetch(via: server.wrapped(by: wrappers)).right == nil)
        }
    }

    @Test(
        "no redirect takes a form with credentials to another origin",
        arguments: [HTTPStatus.temporaryRedirect, .permanentRedirect]
    )
    func neverElsewhere(_ status: HTTPStatus) async throws {
        let sent = Recorder<Input>()
        let server = Connector.stub(
            .status(status, headers: ["Location": "https://evil.example.com/"]),
            recording: sent
        )
        let connector = server.wrapped(by: .redirect(RedirectPolicy(sendsPayloadToOtherOrigins: true)))
        let client = OAuthClient("s6BhdRkqt3", .secretInForm("b"))
        _ = await client.token(by: .clientCredentials, at: OAuth.tokenEndpoint).fetch(via: connector)
        _ = await client.revocation(of: "t", at: OAuth.tokenEndpoint).fetch(via: connector)
        _ = await client.introspection(of: "t", at: OAuth.tokenEndpoint).fetch(via: connector)
        _ = await client.deviceAuthorization(at: OAuth.tokenEndpoint).fetch(via: connector)
        _ = await client.url(of: OAuth.authorization(), pushedTo: OAuth.tokenEndpoint, at: OAuth.tokenEndpoint)
            .fetch(via: connector)
        #expect(sent.elements.map { $0.url.host() } == Array(repeating: "server.example.com", count: 5))
    }
}
