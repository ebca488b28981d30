import Foundation
import StartSmall
import StartSmallCore
import StartSmallTesting
import TestSupport
import Testing

@testable import StartSmallAuth

struct OAuthDiscoveryTests {
    /// A part of the response of RFC 8414 3.2.
    private static let example = """
        {"issuer": "https://server.example.com", "authorization_endpoint": "https://server.example.com/authorize",
        "token_endpoint": "https://server.example.com/token",
        "token_endpoint_auth_methods_supported": ["client_secret_basic", "private_key_jwt"],
        "registration_endpoint": "https://server.example.com/register", "scopes_supported": ["openid"],
        "authorization_response_iss_parameter_supported": true}
        """

    private func fetch(
        _ json: String,
        of issuer: String = "https://server.example.com",
        allowsLoopback: Bool = false
    ) async -> Fetched<TransformError<Never>, OAuthServerMetadata> {
        await OAuthServerMetadata.endpoint(of: issuer, allowsLoopback: allowsLoopback).fetch(via: .stub(.json(json)))
    }

    @Test(
        "the metadata of an issuer is before its path, and that of OpenID behind it (RFC 8414 3.1, 5)",
        arguments: [
            ("https://example.com", "https://example.com/.well-known/X", "https://example.com/.well-known/Y"),
            ("https://example.com/", "https://example.com/.well-known/X", "https://example.com/.well-known/Y"),
            (
                "https://example.com/issuer1", "https://example.com/.well-known/X/issuer1",
                "https://example.com/issuer1/.well-known/Y"
            ),
            (
                "https://example.com:8443/a/b/", "https://example.com:8443/.well-known/X/a/b",
                "https://example.com:8443/a/b/.well-known/Y"
            ),
        ]
    )
    func places(_ issuer: String, _ oauth: String, _ openID: String) throws {
        let oauthURL = try OAuthServerMetadata.endpoint(of: issuer).input.get().url.absoluteString
        #expect(oauthURL == oauth.replacing("X", with: "oauth-authorization-server"))
        let openIDURL = try OAuthServerMetadata.endpoint(of: issuer, .openID).input.get().url.absoluteString
        #expect(openIDURL == openID.replacing("Y", with: "openid-configuration"))
    }

    @Test(
        "a text that can't be an issuer is asked nothing",
        arguments: [
            "http://example.com", "https://example.com?a", "https://example.com#a", "https://a@example.com",
            "example.com",
            "", "https://", "https://exämple.com", "https://example.com/a b",
        ]
    )
    func noIssuer(_ issuer: String) {
        guard case .malformedURL? = OAuthServerMetadata.endpoint(of: issuer).input.left else {
            Issue.record("\(issuer)")
            return
        }
    }

    @Test("the example of RFC 8414 3.2 is read, with its other members as JSON")
    func example() async throws {
        let server = try #require(await fetch(Self.example).right)
        #expect(server.tokenEndpoint == OAuth.tokenEndpoint && server.promisesIssuer)
        #expect(
            server.authorizationEndpoint?.path() == "/authorize" && server.registrationEndpoint?.path() == "/register"
        )
        #expect(server.members == Data(Self.example.utf8) && server.revocationEndpoint == nil)
    }

    @Test("metadata of another origin, to which a redirect led, does not count, whatever its issuer is")
    func redirected() async {
        let server = Connector.stub(sequence: [
            .status(.found, headers: ["Location": "https://other.example/"]),
            .json(#"{"issuer": "https://server.example.com", "token_endpoint": "https://other.example/token"}"#),
        ])
        let endpoint = OAuthServerMetadata.endpoint(of: "https://server.example.com")
        #expect(
            await "\(endpoint.fetch(via: server.wrapped(by: .redirect())))".contains("the response of another origin")
        )
    }

    @Test("an issuer that differs in one byte is refused (RFC 8414 3.3)")
    func lies() async {
        for issuer in ["https://server.example.com/", "https://Server.example.com", "https://evil.example.com", ""] {
            let json = Self.example.replacing(
                #""issuer": "https://server.example.com""#,
                with: #""issuer": "\#(issuer)""#
            )
            guard case .invalid? = await fetch(json).failure else {
                Issue.record("\(issuer)")
                continue
            }
        }
    }

    @Test(
        "metadata with any endpoint that must not be called is refused",
        arguments: [
            "authorization_endpoint", "token_endpoint", "pushed_authorization_request_endpoint", "revocation_endpoint",
            "device_authorization_endpoint", "introspection_endpoint", "registration_endpoint",
        ]
    )
    func endpoints(_ name: String) async {
        let token = #""token_endpoint": "https://server.example.com/token""#
        func json(_ url: String) -> String {
            let entry = #""\#(name)": "\#(url)""#
            return #"{"issuer": "https://server.example.com", "#
                + (name == "token_endpoint" ? entry : "\(entry), \(token)")
                + "}"
        }
        for url in ["http://server.example.com/", "https://a:b@server.example.com/", "http://127.0.0.1/", "x", "/a"] {
            guard case .invalid? = await fetch(json(url)).failure else {
                Issue.record("\(url)")
                continue
            }
        }
        #expect(await fetch(json("https://other.example.com/a?b")).right != nil)
        #expect(await fetch(json("http://127.0.0.1/"), allowsLoopback: true).right != nil)
    }

    @Test("metadata without an issuer or a token endpoint, or with a wrong type, is malformed")
    func malformed() async {
        let token = #""issuer": "https://server.example.com", "token_endpoint": "https://a/""#
        for json in [
            "", "[]", "{}", #"{"issuer": 7}"#, #"{"issuer": "https://server.example.com"}"#,
            #"{\#(token), "authorization_endpoint": 7}"#,
            #"{\#(token), "authorization_response_iss_parameter_supported": "yes"}"#,
        ] {
            guard case .malformedData? = await fetch(json).failure else {
                Issue.record("\(json)")
                continue
            }
        }
    }
}
