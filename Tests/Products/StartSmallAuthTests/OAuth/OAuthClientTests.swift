import Foundation
import StartSmall
import StartSmallCore
import StartSmallTesting
import TestSupport
import Testing

@testable import StartSmallAuth

struct OAuthClientTests {
    private func endpoint(
        _ authentication: OAuthClient.Authentication,
        id: String = "s6BhdRkqt3",
        at url: URL = OAuth.tokenEndpoint,
        parameters: Queries = []
    ) -> Endpoint<TransformError<OAuthError>, OAuthTokenResponse> {
        OAuthClient(id, authentication).token(by: .clientCredentials, at: url, parameters)
    }

    @Test("the header of RFC 6749 2.3.1 has the secret, and the form has none")
    func header() async throws {
        let endpoint = endpoint(.secretInHeader(OAuth.secret))
        let headers = try endpoint.input.get().headers
        #expect(headers["Authorization"] == "Basic czZCaGRSa3F0Mzo3RmpmcDBaQnIxS3REUmJuZlZkbUl3")
        #expect(headers["Accept"] == "application/json")
        #expect(try await OAuth.fields(of: endpoint) == ["grant_type=client_credentials"])
    }

    @Test("ID and secret are encoded as in a form before they are those of Basic (RFC 6749 2.3.1)")
    func encoded() throws {
        let value = try endpoint(.secretInHeader("a:b c%é"), id: "x:y").input.get().headers["Authorization"]
        #expect(value == "Basic " + Data("x%3Ay:a%3Ab+c%25%C3%A9".utf8).base64EncodedString())
    }

    @Test("a secret in the form, and a public client, send the ID there (RFC 6749 2.3.1, 3.2.1)")
    func form() async throws {
        let secret = endpoint(.secretInForm(OAuth.secret))
        #expect(
            try await OAuth.fields(of: secret)
                == ["grant_type=client_credentials", "client_id=s6BhdRkqt3", "client_secret=\(OAuth.secret)"]
        )
        let none = endpoint(.none)
        #expect(try await OAuth.fields(of: none) == ["grant_type=client_credentials", "client_id=s6BhdRkqt3"])
        for input in [secret.input, none.input] {
            #expect(try input.get().headers.contains("Authorization") == false)
            #expect(try input.get().sentPayload?.mediaType == .form)
        }
    }

    @Test(
        "a URL that is not https, or not on this machine, gets nothing",
        arguments: [
            ("http://server.example.com/token", false), ("ftp://server.example.com/token", false), ("/token", false),
            ("https://user:pw@server.example.com/token", false), ("https://user@server.example.com/token", false),
            ("https://server.example.com/token#a", false), ("http://127.0.0.1.example.com/token", false),
            ("http://localhost.example.com/token", false), ("http://0.0.0.0/token", false),
            ("http://[::2]/token", false), ("http://127.0.0.1:8080/token", true), ("http://[::1]/token", true),
            ("http://localhost/token", true), ("http://127.1.2.3/token", true), ("https://server/token?a=b", true),
        ]
    )
    func urls(_ url: String, _ isAllowed: Bool) {
        let input = endpoint(.none, at: Fixture.url(url)).input
        #expect((input.right != nil) == isAllowed)
        if case .malformedURL? = input.left {} else { #expect(isAllowed) }
    }

    @Test("a parameter that is given twice is refused, and an audience may be given twice")
    func doubled() async throws {
        for name in ["grant_type", "client_id", "client_secret", "client_assertion", "client_assertion_type"] {
            let input = endpoint(.secretInForm("x"), parameters: [name: "other"]).input
            guard case .malformedPayload? = input.left else {
                Issue.record("\(name)")
                continue
            }
        }
        let audiences = endpoint(.none, parameters: ["audience": "a", "audience": "b"])
        #expect(try await OAuth.fields(of: audiences).suffix(3).prefix(2) == ["audience=a", "audience=b"])
    }

    @Test("an empty ID or secret is refused", arguments: [("", "a"), ("a", "")])
    func empty(_ id: String, _ secret: String) {
        for authentication in [OAuthClient.Authentication.secretInHeader(secret), .secretInForm(secret)] {
            guard case .missingCredentials? = endpoint(authentication, id: id).input.left else {
                Issue.record("\(authentication)")
                continue
            }
        }
    }

    @Test("each attempt has a new assertion for the issuer alone (RFC 7523 3, OpenID Connect Core 9)")
    func assertion() async throws {
        let key = ClientAssertion(
            to: "https://server.example.com",
            algorithm: "ES256",
            keyID: "16",
            now: { Date(timeIntervalSince1970: 1_700_000_000.5) },
            random: OAuth.counting(),
            sign: { Data($0.reversed().prefix(64)) }
        )
        let endpoint = endpoint(.privateKey(key))
        var ids: Set<String> = []
        for attempt in 0..<3 {
            let fields = try await OAuth.fields(of: endpoint)
            #expect(
                fields.prefix(3) == [
                    "grant_type=client_credentials", "client_id=s6BhdRkqt3",
                    "client_assertion_type=urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
                ],
                "\(attempt)"
            )
            let text = try #require(fields.last?.split(separator: "=").last.map(String.init))
            let parts = text.split(separator: ".")
            #expect(
                parts.first.flatMap { Data(base64URL: $0) } == Data(#"{"alg":"ES256","kid":"16","typ":"JWT"}"#.utf8)
            )
            #expect(
                parts.last.flatMap { Data(base64URL: $0) } == Data("\(parts[0]).\(parts[1])".utf8.reversed().prefix(64))
            )
            let token = try #require(JSONWebToken(unverified: text))
            #expect(token.audience == ["https://server.example.com"])
            #expect([token.issuer, token.subject] == ["s6BhdRkqt3", "s6BhdRkqt3"])
            #expect(token.issued == Date(timeIntervalSince1970: 1_700_000_000))
            #expect(token.expires == Date(timeIntervalSince1970: 1_700_000_060))
            let claims = try JSONDecoder().decode([String: Claim].self, from: token.claims)
            ids.insert(claims["jti"]?.text ?? "")
        }
        #expect(ids.count == 3 && !ids.contains(""))
    }

    private struct Claim: Decodable {
        let text: String?

        init(from decoder: any Decoder) throws { text = try? decoder.singleValueContainer().decode(String.self) }
    }

    @Test(
        "the length of a request is known before the signature, if the algorithm or the app states it",
        arguments: [
            ("ES256", 64, nil), ("ES384", 96, nil), ("ES512", 132, nil), ("EdDSA", 64, nil), ("RS256", 256, 256),
            ("RS256", 256, nil), ("PS512", 512, 512),
        ] as [(String, Int, Int?)]
    )
    func length(_ algorithm: String, _ bytes: Int, _ stated: Int?) async throws {
        let key = ClientAssertion(to: "https://as", algorithm: algorithm, signatureLength: stated) { _ in
            Data(repeating: 0xFB, count: bytes)
        }
        guard case .stream(let stream)? = try endpoint(.privateKey(key)).input.get().methodAndPayload.payload?.content
        else {
            Issue.record("no stream")
            return
        }
        #expect((stream.length != nil) == (stated != nil || algorithm != "RS256"))
        let (chunks, error) = await stream.produced()
        #expect(error == nil)
        let sent = chunks.reduce(0) { $0 + $1.count }
        #expect(stream.length.map { $0 == sent } ?? true)
    }

    @Test("a signer that fails ends the call before the request is complete, and a wrong length does")
    func signerFails() async throws {
        struct Locked: Error {}
        let failing = ClientAssertion(to: "https://as", algorithm: "ES256") { _ in throw Locked() }
        let short = ClientAssertion(to: "https://as", algorithm: "ES256") { _ in Data([1]) }
        let refusing = ClientAssertion(to: "https://as", algorithm: "ES256") { _ in
            throw ConnectionError.missingCredentials(debugInfo: "locked")
        }
        for (key, isRefusal) in [(failing, false), (short, false), (refusing, true)] {
            let (_, error) = await (try endpoint(.privateKey(key)).input.get()).form()
            switch error {
            case .malformedPayload: #expect(!isRefusal)
            case .missingCredentials: #expect(isRefusal)
            default: Issue.record("\(String(describing: error))")
            }
        }
    }

    @Test("a clock at the ends of time, and a hostile lifetime, end no process")
    func times() async throws {
        for seconds in [-Double.infinity, .infinity, .nan, 1e300] {
            let key = ClientAssertion(
                to: "https://as",
                algorithm: "ES256",
                lifetime: .seconds(Int64.max),
                signatureLength: .max,
                now: { Date(timeIntervalSince1970: seconds) },
                sign: { _ in Data() }
            )
            #expect(try await OAuth.fields(of: endpoint(.privateKey(key))).count == 4)
        }
    }

    @Test("no description of a client, a grant or a request shows a secret")
    func hidden() throws {
        let key = ClientAssertion(to: "https://as", algorithm: "ES256") { _ in Data("hunter2".utf8) }
        let code = AuthorizationCode(value: "hunter2", redirect: OAuth.redirect, verifier: "hunter2")
        let request = OAuth.authorization()
        let clients = [.secretInHeader("hunter2"), .secretInForm("hunter2"), .privateKey(key)]
            .map { OAuthClient("s6BhdRkqt3", $0) }
        let grants: [OAuthGrant] = [
            .refresh("hunter2"), .code(code), .deviceCode("hunter2"), .jwtBearer("hunter2"),
            .tokenExchange("hunter2", .jwt, actor: ("hunter2", .jwt)),
        ]
        var values: [Any] = [code, request, key] + clients + clients.map(\.authentication) + grants
        for client in clients {
            values += try grants.map { try client.token(by: $0, at: OAuth.tokenEndpoint).input.get() }
            values.append(try client.revocation(of: "hunter2", at: OAuth.tokenEndpoint).input.get())
            values.append(
                try client.url(of: request, pushedTo: OAuth.tokenEndpoint, at: OAuth.tokenEndpoint).input.get()
            )
        }
        let basic = Data("s6BhdRkqt3:hunter2".utf8).base64EncodedString()
        for value in values {
            var dumped = ""
            dump(value, to: &dumped)
            let shown = "\(value) \(dumped) \(String(reflecting: value))"
            for secret in ["hunter2", basic, request.verifier, request.state, request.challenge] {
                #expect(!shown.contains(secret), "\(type(of: value))")
            }
        }
    }
}
