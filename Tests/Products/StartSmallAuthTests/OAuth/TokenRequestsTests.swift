import Foundation
import StartSmall
import StartSmallCore
import StartSmallTesting
import TestSupport
import Testing

@testable import StartSmallAuth

struct TokenRequestsTests {
    private let endpoint = Fixture.url("https://server.example.com/revoke")

    @Test("the request of RFC 7009 2.1 is sent, and 200 is a success for any token")
    func revocation() async throws {
        let revocation = OAuth.client.revocation(
            of: "45ghiukldjahdnhzdauz",
            at: endpoint,
            ["token_type_hint": "refresh_token"]
        )
        #expect(
            try await OAuth.fields(of: revocation) == ["token=45ghiukldjahdnhzdauz", "token_type_hint=refresh_token"]
        )
        #expect(await revocation.fetch(via: .stub(.status(.ok))).right != nil)
        let error = Output.json(
            #"{"error": "unsupported_token_type", "error_description": "45ghiukldjahdnhzdauz"}"#,
            status: .badRequest
        )
        #expect(
            await revocation.fetch(via: .stub(error)).failure?.problem
                == OAuthError(.unsupportedTokenType, text: "<redacted>")
        )
        #expect(
            await revocation.fetch(via: .stub(.status(.serviceUnavailable))).failure?.response.statusCode.code == 503
        )
    }

    @Test("the answer of RFC 7662 2.2 is read, with its other members as JSON")
    func introspection() async throws {
        let json = """
            {"active": true, "client_id": "l238j323ds-23ij4", "username": "jdoe", "scope": "read write dolphin",
            "sub": "Z5O3upPC88QrAjx00dis", "aud": "https://protected.example.net/resource",
            "iss": "https://server.example.com/", "exp": 1419356238, "iat": 1419350238, "extension_field": "twenty-seven"}
            """
        let introspection = OAuth.client.introspection(of: "2YotnFZFEjr1zCsicMWpAA", at: endpoint)
        #expect(try await OAuth.fields(of: introspection) == ["token=2YotnFZFEjr1zCsicMWpAA"])
        let token = try #require(await introspection.fetch(via: .stub(.json(json))).right)
        #expect(token.isActive && token.clientID == "l238j323ds-23ij4")
        #expect(token.scope == "read write dolphin" && token.subject == "Z5O3upPC88QrAjx00dis")
        #expect(token.audience == ["https://protected.example.net/resource"])
        #expect(token.expires == Date(timeIntervalSince1970: 1_419_356_238))
        #expect(token.members == Data(json.utf8) && "\(token)" == "active token")
    }

    @Test("a token that is not active has nothing else, and an answer without `active` is none")
    func inactive() async throws {
        let introspection = OAuth.client.introspection(of: "a", at: endpoint)
        #expect(await introspection.fetch(via: .stub(.json(#"{"active": false}"#))).right?.isActive == false)
        for json in ["{}", #"{"active": "true"}"#, #"{"active": 1}"#, #"{"active": true, "exp": "x"}"#, "[]"]
            + [#"{"active": true, "exp": 1e300}"#, #"{"active": true, "aud": 7}"#, #"{"active": null}"#, "active"]
        {
            guard case .malformedData? = await introspection.fetch(via: .stub(.json(json))).failure else {
                Issue.record("\(json)")
                continue
            }
        }
    }
}
