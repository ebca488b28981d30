import Crypto
import Foundation
import StartSmall
import StartSmallAuth
import StartSmallTesting
import Testing

/// The recipes of Sources/StartSmall/StartSmall.docc/SigningIn.md.
struct SwiftCryptoTests {
    private func client(_ id: String, to issuer: String, pem: String) throws -> OAuthClient {
        let key = try P256.Signing.PrivateKey(pemRepresentation: pem)
        let assertion = ClientAssertion(to: issuer, algorithm: "ES256", keyID: "ec") { text in
            try key.signature(for: text).rawRepresentation
        }
        return OAuthClient(id, .privateKey(assertion))
    }

    private func proofs() -> (DPoPKey, P256.Signing.PublicKey) {
        let key = P256.Signing.PrivateKey()
        let proofs = DPoPKey(p256: key.publicKey.rawRepresentation) { message in
            try key.signature(for: message).rawRepresentation
        }
        return (proofs, key.publicKey)
    }

    /// A JSON Web Token that is signed by ES256.
    private struct SignedToken {
        struct Header: Decodable {
            struct Key: Decodable {
                let kty, crv, x, y: String
            }

            let alg, typ: String
            let jwk: Key?
        }

        let header: Header
        private let message: Data
        private let signature: P256.Signing.ECDSASignature

        init(_ text: String) throws {
            let parts = text.split(separator: ".").map(String.init)
            try #require(parts.count == 3)
            header = try JSONDecoder().decode(Header.self, from: Self.data(parts[0]))
            message = Data("\(parts[0]).\(parts[1])".utf8)
            signature = try P256.Signing.ECDSASignature(rawRepresentation: Self.data(parts[2]))
        }

        func isSigned(by key: P256.Signing.PublicKey) -> Bool { key.isValidSignature(signature, for: message) }

        /// The key that the header has.
        var key: P256.Signing.PublicKey {
            get throws {
                let jwk = try #require(header.jwk)
                try #require(jwk.kty == "EC" && jwk.crv == "P-256")
                return try P256.Signing.PublicKey(rawRepresentation: Self.data(jwk.x) + Self.data(jwk.y))
            }
        }

        private static func data(_ base64URL: String) throws -> Data {
            let base64 = base64URL.replacing("-", with: "+").replacing("_", with: "/")
            return try #require(Data(base64Encoded: base64 + String(repeating: "=", count: (4 - base64.count % 4) % 4)))
        }
    }

    @Test("proof and assertion are verified by the public keys, of which the proof carries its own")
    func signatures() async throws {
        let (proofs, publicKey) = proofs()
        let clientKey = P256.Signing.PrivateKey()
        let client = try client("a", to: "https://server.example.com", pem: clientKey.pemRepresentation)
        let sent = Recorder<Input>()
        let answers = Connector.stub(recording: sent) { _ in .json(#"{"access_token": "a", "token_type": "DPoP"}"#) }
        try await LoopbackServer.serving(answers) { server in
            let token = client.token(by: .clientCredentials, at: server.url, tokenType: "DPoP")
            _ = try await token.value(via: .standard.wrapped(by: .dpop(proofs)))
        }

        let input = try #require(sent.elements.first)
        let proof = try SignedToken(try #require(input.headers["DPoP"]))
        #expect(try proof.isSigned(by: proof.key) && proof.isSigned(by: publicKey))
        #expect(proof.header.alg == "ES256" && proof.header.typ == "dpop+jwt")
        #expect(!proof.isSigned(by: clientKey.publicKey))

        guard case .data(let form)? = input.methodAndPayload.payload?.content else {
            Issue.record("no form")
            return
        }
        let fields = String(decoding: form, as: UTF8.self).split(separator: "&")
        let assertion = try #require(fields.first { $0.hasPrefix("client_assertion=") }?.split(separator: "=").last)
        #expect(try SignedToken(String(assertion)).isSigned(by: clientKey.publicKey))
    }

    private static let environment = ProcessInfo.processInfo.environment

    @Test(
        "servers of others accept both, for each attempt a new one, which Glewlwyd asks for by its nonces",
        .enabled(if: environment["STARTSMALL_GLEWLWYD"] != nil, "Tests/OAuthPeers/run.sh starts Glewlwyd"),
        arguments: ["oidc", "nonce"]
    )
    func glewlwyd(issuer: String) async throws {
        let address = try #require(Self.environment["STARTSMALL_GLEWLWYD"])
        let endpoint = try #require(URL(string: "\(address)/api/\(issuer)/token"))
        let client = try client("key", to: endpoint.absoluteString, pem: Self.pem())
        let sent = Recorder<Input>()
        let app = Connector.standard.wrapped(
            by: .dpop(proofs().0),
            .streaming { input, next in
                sent.append(input)
                return await next(input)
            }
        )
        let token = client.token(by: .clientCredentials, at: endpoint, ["scope": "read"], tokenType: "DPoP")

        for _ in 0..<4 { #expect(try await token.value(via: app).scope == "read") }
        #expect((sent.elements.count > 4) == (issuer == "nonce"))
        #expect(Set(sent.elements.map { $0.headers["DPoP"] }).count == sent.elements.count)
    }

    @Test(
        "authlib accepts the assertion, each once",
        .enabled(if: environment["STARTSMALL_AUTHLIB"] != nil, "Tests/OAuthPeers/run.sh starts authlib")
    )
    func authlib() async throws {
        let issuer = try #require(Self.environment["STARTSMALL_AUTHLIB"])
        let endpoint = try #require(URL(string: "\(issuer)/token"))
        let token = try client("key", to: issuer, pem: Self.pem()).token(by: .clientCredentials, at: endpoint)

        for _ in 0..<2 { #expect(try await token.value(via: .standard).scope == "read") }
    }

    /// The key of the client `key` of both servers.
    private static func pem() throws -> String {
        let folder = try #require(environment["STARTSMALL_CLIENT_KEYS"])
        return try String(contentsOf: URL(filePath: "\(folder)/ec.pem"), encoding: .utf8)
    }
}
