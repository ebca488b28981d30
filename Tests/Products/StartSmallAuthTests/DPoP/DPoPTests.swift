import Foundation
import StartSmall
import StartSmallEngines
import StartSmallTesting
import TestSupport
import Testing

@testable import StartSmallAuth

@Suite(.timeLimit(.minutes(1))) struct DPoPTests {
    /// The token and its digest in RFC 9449 7.1.
    private static let (token, ath) = (
        "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU", "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo"
    )
    private static let nonceWanted = #"DPoP error="use_dpop_nonce", error_description="x""#

    private let sent = Recorder<Input>()
    private let signed = Recorder<Data>()

    private var wrapper: Wrapper {
        let key = DPoPKey(publicKey: ["kty": "EC", "crv": "P-256", "x": "l8", "y": "9V", "d": "private"]) { [signed] in
            signed.append($0)
            return Data("signature".utf8)
        }
        let count = Recorder<Void>()
        return .dpop(key, now: { Date(timeIntervalSince1970: 1_562_262_618.9) }) {
            count.append(())
            return UInt64(count.elements.count)
        }
    }

    private func get(_ url: String = "https://resource.example.org/protectedresource?a=1#b") -> Either<
        ConnectionError, Input
    > {
        Either<ConnectionError, Input>.get(url).authorized(by: .custom(scheme: "DPoP", Self.token))
    }

    private func call(_ input: Either<ConnectionError, Input>, _ outputs: [Output], _ outer: Wrapper...) async throws
        -> Output
    {
        let stub = Connector.stub(sequence: outputs, recording: sent)
        return await WebAPI.call(with: try input.get(), via: stub.wrapped(by: .all(outer), wrapper))
    }

    /// Returns the header and the claims of the proof of a request.
    private func proof(_ index: Int) throws -> (header: [String: Any], claims: [String: Any]) {
        let fields = sent.elements[index].headers.values(of: "DPoP")
        #expect(fields.count == 1)
        let parts = try #require(fields.first).split(separator: ".")
        #expect(parts.count == 3 && parts[2] == Data("signature".utf8).base64URL)
        #expect(signed.elements.contains(Data(parts[0...1].joined(separator: ".").utf8)))
        let objects = try parts[0...1].map { part in
            let data = try #require(Data(base64URL: part))
            return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        }
        return (objects[0], objects[1])
    }

    private static func unauthorized(_ challenge: String = nonceWanted, nonce: String? = "n1") -> Output {
        var headers: HTTPHeaders = ["WWW-Authenticate": challenge]
        headers["DPoP-Nonce"] = nonce
        return .hasResponse(Response(statusCode: .unauthorized, headers: headers))
    }

    @Test(
        "the bytes of a key of P-256 are the members of the JSON Web Key of RFC 9449 4.2; no other bytes end the process"
    )
    func keyOfP256() throws {
        let (x, y) = ("l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs", "9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA")
        let bytes = try #require(Data(base64URL: x)) + #require(Data(base64URL: y))
        let key = DPoPKey(p256: bytes) { $0 }
        #expect(key.publicKey == ["kty": "EC", "crv": "P-256", "x": x, "y": y] && key.algorithm == "ES256")
        // A part of larger data, whose first index is not 0, and all of it, which is `x963Representation`.
        #expect(DPoPKey(p256: (Data([4]) + bytes).dropFirst()) { $0 }.publicKey == key.publicKey)
        #expect(DPoPKey(p256: Data([4]) + bytes) { $0 }.publicKey == key.publicKey)
        for count in 0..<64 { #expect(DPoPKey(p256: bytes.prefix(count)) { $0 }.publicKey != key.publicKey) }
    }

    @Test("a proof names the request and the token, as in RFC 9449 4.2 and 7.1, and has no private key")
    func content() async throws {
        _ = try await call(get(), [.status(.ok)])
        let (header, claims) = try proof(0)
        #expect(header["typ"] as? String == "dpop+jwt" && header["alg"] as? String == "ES256")
        #expect(header["jwk"] as? [String: String] == ["kty": "EC", "crv": "P-256", "x": "l8", "y": "9V"])
        #expect(claims["htm"] as? String == "GET")
        #expect(claims["htu"] as? String == "https://resource.example.org/protectedresource")
        #expect(claims["iat"] as? Int == 1_562_262_618)
        #expect(claims["ath"] as? String == Self.ath)
        #expect((claims["jti"] as? String)?.count == 22)
        #expect(Set(claims.keys) == ["htm", "htu", "iat", "ath", "jti"])
    }

    @Test(
        "the URL of a proof has neither query, fragment nor user, and the path as it is sent",
        arguments: [
            ("https://h", "https://h/"), ("https://h?a=b", "https://h/"),
            ("https://me:pw@h:8443/a%2Fb/?x#y", "https://h:8443/a%2Fb/"),
            ("https://h/é?x", "https://h/%C3%A9"), ("http://[::1]:80/a", "http://[::1]:80/a"),
        ]
    )
    func target(url: String, target: String) async throws {
        _ = try await call(get(url), [.status(.ok)])
        #expect(try proof(0).claims["htu"] as? String == target)
    }

    @Test("a proof goes with a token of its scheme and with a request for a token, and with no other request")
    func requests() async throws {
        let token = Either<ConnectionError, Input>.post(
            "https://h/token",
            payload: .form(["grant_type": "client_credentials"])
        )
        let others: [Either<ConnectionError, Input>] = [
            .get("https://h/"), .get("https://h/", headers: ["Authorization": "Bearer x"]),
            .get("https://h/", headers: ["Authorization": "DPoPx x"]), .get("https://h/", headers: ["DPoP": "own"]),
            .post("https://h/", payload: .form(["a": "grant_type"])),
        ]
        _ = try await call(token, [.status(.ok)])
        #expect(try proof(0).claims["ath"] == nil)
        for other in others { _ = try await call(other, [.status(.ok)]) }
        #expect(sent.elements.dropFirst().map(\.headers) == (try others.map { try $0.get().headers }))
        _ = try await call(.get("https://h/", headers: ["Authorization": "dpop x"]), [.status(.ok)])
        #expect(try proof(sent.elements.count - 1).claims["ath"] != nil)
    }

    @Test("a request is sent once more with the nonce that the server asks for, and further ones have it at once")
    func nonce() async throws {
        let app = Connector.stub(
            sequence: [
                Self.unauthorized(), .status(.ok), .status(.ok, headers: ["DPoP-Nonce": "n2"]), .status(.ok),
                .status(.ok),
            ],
            recording: sent
        ).wrapped(by: wrapper)
        for url in ["https://h/a", "https://h/b", "https://h/c", "https://other/"] {
            #expect(await WebAPI.call(with: try get(url).get(), via: app).response?.statusCode == .ok)
        }
        let nonces = try sent.elements.indices.map { try proof($0).claims["nonce"] as? String }
        #expect(nonces == [nil, "n1", "n1", "n2", nil])
        let ids = try sent.elements.indices.map { try proof($0).claims["jti"] as? String }
        #expect(Set(ids).count == ids.count)
    }

    @Test("a server that asks for another nonce each time gets two requests, and one that repeats its nonce as many")
    func endlessNonces() async throws {
        let output = try await call(get(), [Self.unauthorized(), Self.unauthorized(nonce: "n2"), .status(.ok)])
        #expect(output.response?.statusCode == .unauthorized && sent.elements.count == 2)
        _ = try await call(get(), [Self.unauthorized(), Self.unauthorized(), .status(.ok)])
        #expect(sent.elements.count == 4)
    }

    @Test(
        "only a challenge that asks for a nonce repeats a request, and only with one that may be sent",
        arguments: [
            (nonceWanted, "n1", true), (#"Basic realm="a", dpop  error = use_dpop_nonce"#, "n1", true),
            (#"DPoP algs="ES256", error="use_dpop_nonce""#, "n1", true), (#"DPoP error="invalid_token""#, "n1", false),
            (#"Bearer error="use_dpop_nonce""#, "n1", false), (#"DPoP realm="a, error=use_dpop_nonce""#, "n1", false),
            (#"DPoP, Bearer error="use_dpop_nonce""#, "n1", false), (nonceWanted, nil, false), (nonceWanted, "", false),
            (nonceWanted, "a b", false), (nonceWanted, "a\"b", false), (nonceWanted, "é", false),
            (nonceWanted, String(repeating: "n", count: 100_000), false), ("DPoP", "n1", false), ("", "n1", false),
        ] as [(String, String?, Bool)]
    )
    func challenges(challenge: String, nonce: String?, isRepeated: Bool) async throws {
        let output = try await call(get(), [Self.unauthorized(challenge, nonce: nonce), .status(.ok)])
        #expect(output.response?.statusCode == (isRepeated ? .ok : .unauthorized))
    }

    @Test("an authorization server asks by 400, and a token request that it refuses for another reason is not repeated")
    func tokenRequests() async throws {
        let code = Either<ConnectionError, Input>.post(
            "https://h/token",
            payload: .form(["grant_type": "authorization_code"])
        )
        func refusal(_ payload: String) -> Output {
            .hasResponse(Response(statusCode: .badRequest, headers: ["DPoP-Nonce": "n1"], payload: Data(payload.utf8)))
        }
        let asked = [refusal(#"{"error":"use_dpop_nonce"}"#), .status(.ok)]
        #expect(try await call(code, asked).response?.statusCode == .ok)
        for payload in [#"{"error":"invalid_grant"}"#, #"{"error":1}"#, "[]", "", "error=use_dpop_nonce"] {
            let output = try await call(code, [refusal(payload), .status(.ok)])
            #expect(output.response?.payload == Data(payload.utf8))
        }
    }

    @Test("a 400 of another server than that of tokens has its whole payload")
    func otherRefusal() async throws {
        let payload = Data(repeating: 0x61, count: 200_000)
        let refusal = Response(statusCode: .badRequest, headers: ["DPoP-Nonce": "n1"], payload: payload)
        let output = try await call(get(), [.hasResponse(refusal), .status(.ok)])
        #expect(output.response?.payload == payload && sent.elements.count == 1)
    }

    @Test("a payload that can be produced only once is not sent twice")
    func once() async throws {
        let stream = PayloadStream(replayable: false) { try await $0.write(Data("a".utf8)) }
        let input = Either<ConnectionError, Input>.right(
            Input(url: Fixture.url, methodAndPayload: .post(payload: Payload(.stream(stream), mediaType: nil)))
        ).authorized(by: .custom(scheme: "DPoP", Self.token))
        let engine = Connector { [sent] input in
            sent.append(input)
            try? await ValidatedRequest.from(input).right?.stream?.produce { _ in }
            return Self.unauthorized()
        }
        let output = await WebAPI.call(with: try input.get(), via: engine.wrapped(by: wrapper))
        #expect(output.response?.statusCode == .unauthorized && sent.elements.count == 1)
    }

    @Test("each attempt and each redirect has a proof of its own")
    func attempts() async throws {
        let outputs: [Output] = [
            .status(.serviceUnavailable), .status(.found, headers: ["Location": "/moved"]), .status(.ok),
        ]
        let retry = Wrapper.retry(RetryPolicy(backoff: Backoff { _ in .zero }))
        let output = try await call(get("https://h/a"), outputs, retry, .redirect())
        let targets = try (0..<3).map { try proof($0).claims["htu"] as? String }
        #expect(output.response?.statusCode == .ok && targets == ["https://h/a", "https://h/a", "https://h/moved"])
        #expect(Set(try (0..<3).map { try proof($0).claims["jti"] as? String }).count == 3)
    }

    @Test("a signer that fails ends the call without a request, and its error shows no credential")
    func failingSigner() async throws {
        struct Broken: Error, CustomStringConvertible { var description = "token=hunter2" }
        let app = Connector.stub(.status(.ok), recording: sent)
            .wrapped(by: .dpop(DPoPKey(publicKey: [:]) { _ in throw Broken() }))
        let error = await WebAPI.call(with: try get().get(), via: app).connectionError
        #expect(error?.name == "missingCredentials" && error?.debugInfo.contains("hunter2") == false)
        let cancelled = Connector.stub(.status(.ok), recording: sent)
            .wrapped(by: .dpop(DPoPKey(publicKey: [:]) { _ in throw CancellationError() }))
        #expect(await WebAPI.call(with: try get().get(), via: cancelled) == .noResponse(.cancelled))
        #expect(sent.elements.isEmpty)
    }

    @Test("a refresh follows a rejected token, and never a request for another nonce")
    func refresh() async throws {
        let refreshed = Recorder<Void>()
        func app(_ outputs: [Output]) -> Connector {
            let refreshing = Wrapper.refreshToken(in: .memory(AccessToken("old")), .dpop) { _, _ in
                refreshed.append(())
                return Fetched<TransformError<Never>, AccessToken>.right(AccessToken("new"))
            }
            return Connector.stub(sequence: outputs, recording: sent).wrapped(by: refreshing, wrapper)
        }
        let input = Input(url: Fixture.url)
        let asking = app([Self.unauthorized(), Self.unauthorized(nonce: "n2")])
        #expect(await WebAPI.call(with: input, via: asking).response?.statusCode == .unauthorized)
        #expect(refreshed.elements.isEmpty)
        let wrongClock = app([Self.unauthorized(#"DPoP error="invalid_dpop_proof""#, nonce: nil)])
        #expect(await WebAPI.call(with: input, via: wrongClock).response?.statusCode == .unauthorized)
        #expect(refreshed.elements.isEmpty)
        let rejecting = app([Self.unauthorized(#"DPoP error="invalid_token""#, nonce: nil), .status(.ok)])
        #expect(await WebAPI.call(with: input, via: rejecting).response?.statusCode == .ok)
        #expect(refreshed.elements.count == 1)
        #expect(sent.elements.last?.headers["Authorization"] == "DPoP new")
    }

    @Test("an engine never sends a proof a second time")
    func resending() throws {
        let plain = Input(url: Fixture.url)
        #expect(try ValidatedRequest.from(plain).get().isResendable)
        #expect(try !ValidatedRequest.from(plain.with { $0.headers["dpop"] = "x" }).get().isResendable)
    }
}
