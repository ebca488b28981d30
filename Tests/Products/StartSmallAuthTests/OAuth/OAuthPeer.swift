import Foundation
import StartSmall
import StartSmallForms
import StartSmallSupport
import TestSupport
import Testing

@testable import StartSmallAuth

/// An authorization server of others, which Tests/OAuthPeers/run.sh starts, with a user and several clients.
enum OAuthPeer: String, CaseIterable {
    /// authlib with Flask, from PyPI.
    case authlib = "STARTSMALL_AUTHLIB"

    /// Glewlwyd, from Debian.
    case glewlwyd = "STARTSMALL_GLEWLWYD"

    private static let environment = ProcessInfo.processInfo.environment

    /// The servers that run.
    static let running = allCases.filter { environment[$0.rawValue] != nil }

    /// Whether Glewlwyd runs, which has more than the other one.
    static let hasGlewlwyd = running.contains(.glewlwyd)

    /// The issuer: its address, and for Glewlwyd one of its two issuers.
    func issuer(requiringNonces: Bool = false) -> String {
        let address = Self.environment[rawValue] ?? ""
        return self == .authlib ? address : address + (requiringNonces ? "/api/nonce" : "/api/oidc")
    }

    /// Reads the metadata of the server.
    func metadata(requiringNonces: Bool = false) async throws -> OAuthServerMetadata {
        let place: OAuthServerMetadata.WellKnown = self == .authlib ? .oauth : .openID
        let issuer = issuer(requiringNonces: requiringNonces)
        return try await OAuthServerMetadata.endpoint(of: issuer, place, allowsLoopback: true).value(via: .patient)
    }

    /// An API that needs a token.
    func resource(requiringNonces: Bool = false) -> URL {
        Fixture.url(issuer(requiringNonces: requiringNonces) + (self == .authlib ? "/api" : "/userinfo"))
    }
}

/// The clients that both servers know.
extension OAuthPeer {
    static let redirect = Fixture.url("https://client.example.com/cb?a=b")

    private static let secret = "a:b%2Bc+d&e=f"

    static let inForm = OAuthClient("form", .secretInForm(secret))
    static let inHeader = OAuthClient("header", .secretInHeader("a-secret_1.2"))
    static let isPublic = OAuthClient("public")

    /// The clients of the same secret, and of one with a space, that send it in a header.
    static let escapedInHeader = [
        OAuthClient("header:1", .secretInHeader(secret)), OAuthClient("header 1", .secretInHeader("a b")),
    ]

    /// The audience of an assertion: for Glewlwyd the token endpoint, as RFC 7523 3 allows, and its successor does not.
    var audience: String { self == .authlib ? issuer() : issuer() + "/token" }

    /// The client that proves who it is by its key.
    var withKey: OAuthClient { OAuthClient("key", .privateKey(Self.assertion(to: audience))) }

    static func assertion(
        to audience: String,
        sign: @escaping @Sendable (Data) async throws -> Data = { try await signature(of: $0) }
    ) -> ClientAssertion {
        ClientAssertion(to: audience, algorithm: "RS256", keyID: "rsa", signatureLength: 256, sign: sign)
    }

    private static func file(_ key: String) -> String { "\(environment["STARTSMALL_CLIENT_KEYS"] ?? "")/\(key).pem" }

    /// Returns the signature of `RS256` by the key of a client: the kit has no asymmetric keys.
    static func signature(of text: Data, by key: String = "rsa") async throws -> Data {
        try await Program.output(of: ["openssl", "dgst", "-sha256", "-sign", file(key)], input: text)
    }

    /// Returns the key of proofs from a file.
    static func proofs(by key: String = "rsa") async throws -> DPoPKey {
        let printed = try await Program.output(of: ["openssl", "rsa", "-noout", "-modulus", "-in", file(key)])
        let digits = Array(String(decoding: printed, as: UTF8.self).trimmingPrefix("Modulus=").prefix { $0.isHexDigit })
        let modulus = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(digits[$0...($0 + 1)]), radix: 16)
        }
        return DPoPKey(
            algorithm: "RS256",
            publicKey: ["kty": "RSA", "n": Data(modulus).base64URL, "e": "AQAB"],
            sign: { try await signature(of: $0, by: key) }
        )
    }
}

/// The user, who is signed in at the server, and whose browser comes back to the app.
extension OAuthPeer {
    /// Returns the request of the browser by which the user says yes on a page.
    private func approval(on page: URL, _ form: Queries) -> Either<ConnectionError, Input> {
        switch self {
        case .authlib: .post(page, payload: .form(form))
        case .glewlwyd:
            // The user has agreed before, as Tests/OAuthPeers/glewlwyd_setup.py says; the page goes on by this.
            .get(
                Fixture.url(page.absoluteString + "&g_continue"),
                headers: ["Cookie": Self.environment["STARTSMALL_GLEWLWYD_COOKIE"] ?? ""]
            )
        }
    }

    /// Opens the page of a request, says yes, and reads where the browser is sent.
    func code(
        for request: AuthorizationRequest,
        on page: URL,
        of server: OAuthServerMetadata
    ) async throws -> AuthorizationCode {
        let answer = try await Endpoint.response(approval(on: page, ["user": "anna"])).value(via: .patient)
        let redirected = try #require(answer.headers["Location"].flatMap { URL(string: $0) })
        return try request.code(in: redirected, from: server.issuer, promisesIssuer: server.promisesIssuer).get()
    }

    /// Types the code of a device on its page, and says yes or, at authlib, no.
    func answer(_ device: DeviceAuthorization, yes: Bool = true) async throws {
        let page = try #require(self == .authlib ? device.page : device.completePage)
        let form: Queries = ["user_code": device.userCode, "user": "anna", "approves": yes ? "yes" : "no"]
        _ = try await Endpoint.response(approval(on: page, form)).value(via: .patient)
    }

    /// Signs the user in by a browser.
    func signIn(_ client: OAuthClient) async throws -> (code: AuthorizationCode, OAuthTokenResponse) {
        let server = try await metadata()
        let request = AuthorizationRequest(client, redirect: Self.redirect)
        let endpoint = try #require(server.authorizationEndpoint)
        let page = try request.url(at: endpoint, ["scope": "openid read"]).get()
        let code = try await code(for: request, on: page, of: server)
        return (code, try await client.token(by: .code(code), at: server.tokenEndpoint).value(via: .patient))
    }
}
