import Foundation
import StartSmall
import StartSmallCore
import StartSmallForms
import StartSmallResilience
import StartSmallTesting
import TestSupport
import Testing

@testable import StartSmallAuth

/// The law that a credential that may be used once arrives once (RFC 6749 4.1.2, RFC 9700 4.14.2).
struct SentOnceTests {
    private static let secret = "SplxlOBeZQQYbYS6WxSbIA"

    private static let grants: [OAuthGrant] = [
        .code(AuthorizationCode(value: secret, redirect: OAuth.redirect, verifier: "v")), .refresh(secret),
        .deviceCode(secret),
    ]

    /// Wrappers that send a request again, each as eager as it can be.
    private static func wrappers(_ engine: Connector) -> [(String, [Wrapper])] {
        let now = Backoff { $0.number < 4 ? .zero : nil }
        func retry(_ condition: RetryCondition, _ hints: ServerHints = .ignored) -> Wrapper {
            .retry(RetryPolicy(condition: condition, backoff: now, serverHints: hints), budget: .unlimited)
        }
        let hedge = Wrapper.hedge(
            after: .fixed(.zero),
            budget: .shared(with: .unlimited),
            for: { _ in true },
            countingAsFailure: { _, _ in true }
        )
        let always = retry(RetryCondition { _, _ in true })
        let redirect = Wrapper.redirect(RedirectPolicy(sendsPayloadToOtherOrigins: true))
        let refresh = Wrapper.refreshToken(
            in: .memory(AccessToken("old")),
            RefreshPolicy(isForToken: { _ in true })
        ) { (_, _) -> Fetched<TransformError<Never>, AccessToken> in .right(AccessToken("new")) }
        return [
            ("none", []), ("dangerous", [retry(.dangerouslyReplayingAnyMethod)]),
            ("throttled", [retry(.standard.or(.throttled))]), ("hints", [retry(.standard, .anyMethod)]),
            ("always", [always]), ("hedge", [hedge]), ("redirect", [redirect]), ("gzip", [.gzipPayloads(from: 0)]),
            ("fallback", [.fallback(to: engine) { _, _ in true }]), ("refresh", [refresh]),
            (
                "all",
                [always, .fallback(to: engine) { _, _ in true }, refresh, redirect, hedge, .gzipPayloads(from: 0)]
            ),
        ]
    }

    /// What a server does after it got a part of the request, or all of it.
    private static let faults: [(String, [ServerScriptStep])] = [
        ("reset at once", [.reset]), ("close at once", [.close]), ("reset after the head", [.receiveHead, .reset]),
        ("close after the request", [.receiveRequest, .close]), ("reset after the request", [.receiveRequest, .reset]),
        ("in the status line", [.receiveRequest, .send("HTTP/1.1 20"), .reset]),
        ("in the head", [.receiveRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n"), .close]),
        ("in the payload", [.receiveRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"), .reset]),
        answer("503 Service Unavailable", "Retry-After: 0"), answer("429 Too Many Requests", "Retry-After: 0"),
        answer("500 Error", "X-Should-Retry: true"), answer("415 Unsupported Media Type"), answer("401 Unauthorized"),
        answer("307 Temporary Redirect", "Location: /again"), answer("308 Permanent Redirect", "Location: /again"),
        answer("408 Request Timeout", "Connection: close"), answer("425 Too Early"),
        ("307 after the head", [.receiveHead, .send("HTTP/1.1 307 A\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n")]),
    ]

    private static func answer(_ status: String, _ field: String = "A: b") -> (String, [ServerScriptStep]) {
        let head = "HTTP/1.1 \(status)\r\n\(field)\r\nContent-Length: 0\r\n\r\n"
        let repeated = (0..<8).flatMap { _ in [ServerScriptStep.receiveRequest, .send(head)] }
        return (status, repeated)
    }

    @Test(
        "whatever sends requests again, and wherever a connection breaks, each code arrives at most once",
        arguments: grants
    )
    func law(_ grant: OAuthGrant) async throws {
        var total = 0
        // Not over each engine: the URLSession of Linux waits for a payload in the queue in which it makes other tasks.
        let connector = Connector.standard
        for (fault, steps) in Self.faults {
            try await LoopbackServer.playing({ _ in steps }) { server in
                for (name, wrappers) in Self.wrappers(connector) {
                    let before = server.received.elements.count
                    let token = OAuthClient("id").token(by: grant, at: server.url)
                    let fetched = await token.fetch(via: connector.wrapped(by: .all(wrappers)))
                    #expect(fetched.right == nil)
                    let arrived = server.received.elements.dropFirst(before)
                        .filter { String(decoding: $0, as: UTF8.self).contains(Self.secret) }
                    #expect(arrived.count <= 1, "\(fault), \(name)")
                    total += arrived.count
                }
            }
        }
        #expect(total > 100)
    }

    @Test("the law can fail: the credentials of a client, which may be sent again, are")
    func control() async throws {
        try await LoopbackServer.playing({ _ in Self.answer("503 Service Unavailable").1 }) { server in
            let engine = Connector.standard
            let token = OAuthClient("id").token(by: .clientCredentials, at: server.url)
            let always = try #require(Self.wrappers(engine).first { $0.0 == "always" })
            _ = await token.fetch(via: engine.wrapped(by: .all(always.1)))
            #expect(server.received.elements.count == 4)
        }
    }

    @Test("an endpoint of a code is fetched once; the second call ends before anything is sent")
    func twice() async {
        let sent = Recorder<[String]>()
        let server = OAuth.server { fields in
            sent.append(fields)
            return .json(OAuth.token)
        }
        for grant in Self.grants {
            let token = OAuthClient("id").token(by: grant, at: OAuth.tokenEndpoint)
            #expect(await token.fetch(via: server).right != nil)
            guard case .malformedPayload? = await token.fetch(via: server).connectionError else {
                Issue.record("\(grant)")
                continue
            }
        }
        #expect(sent.elements.count == 3)
    }

    @Test("after a request for a nonce of DPoP, which takes no code, the code arrives once more, and then never again")
    func nonce() async throws {
        let asking = #"{"error": "use_dpop_nonce"}"#
        let ask = "HTTP/1.1 400 Bad Request\r\nDPoP-Nonce: n\r\nContent-Length: \(asking.utf8.count)\r\n\r\n\(asking)"
        var repeated = 0
        for (fault, steps) in Self.faults {
            try await LoopbackServer.playing({ _ in [.receiveRequest, .send(ask)] + steps }) { server in
                for (name, wrappers) in Self.wrappers(.standard) {
                    let proving = Wrapper.dpop(DPoPKey(publicKey: [:]) { $0 })
                    let before = server.received.elements.count
                    let token = OAuthClient("id").token(by: Self.grants[0], at: server.url, tokenType: "DPoP")
                    _ = await token.fetch(via: Connector.standard.wrapped(by: .all(wrappers), proving))
                    let arrived = server.received.elements.dropFirst(before)
                        .filter { String(decoding: $0, as: UTF8.self).contains(Self.secret) }
                    #expect(arrived.count <= 2, "\(fault), \(name)")
                    if arrived.count == 2 { repeated += 1 }
                }
            }
        }
        #expect(repeated > 50)
    }

    @Test("a code that a server has not taken, since it asks for a nonce, gives a token in the same call")
    func taken() async {
        let proofs = Recorder<String?>()
        let server = Connector { input in
            let (fields, error) = await input.form()
            if let error { return .noResponse(error) }
            guard fields.contains("code=\(Self.secret)") else { return .status(.badRequest) }
            proofs.append(input.headers["DPoP"])
            if proofs.elements.count > 1 { return .json(OAuth.token.replacing("Bearer", with: "DPoP")) }
            return .json(#"{"error": "use_dpop_nonce"}"#, status: .badRequest, headers: ["DPoP-Nonce": "n"])
        }
        let token = OAuthClient("id").token(by: Self.grants[0], at: OAuth.tokenEndpoint, tokenType: "DPoP")
        let app = server.wrapped(by: .dpop(DPoPKey(publicKey: [:]) { $0 }))
        #expect(await token.fetch(via: app).right?.tokenType == "DPoP")
        #expect(Set(proofs.elements).count == 2)
        guard case .malformedPayload? = await token.fetch(via: app).connectionError else {
            Issue.record("a code is sent twice")
            return
        }
        #expect(proofs.elements.count == 2)
    }

    @Test(
        "a code has one copy, and only an authorization server that refuses the request by 400 gives leave to send it"
    )
    func copies() async throws {
        let token = OAuthClient("id").token(by: Self.grants[0], at: OAuth.tokenEndpoint, tokenType: "DPoP")
        guard case .stream(let stream)? = try token.input.get().methodAndPayload.payload?.content else {
            Issue.record("a form is a stream")
            return
        }
        let copy = try #require(stream.unused())
        #expect(stream.unused() == nil && !stream.isAvailable && copy.isAvailable)
        #expect(PayloadStream(replayable: false) { _ in }.unused() == nil)
        let sent = Recorder<Void>()
        let server = Connector { input in
            _ = await input.form()
            sent.append(())
            let headers: HTTPHeaders = ["DPoP-Nonce": "n", "WWW-Authenticate": #"DPoP error="use_dpop_nonce""#]
            return .hasResponse(Response(statusCode: .unauthorized, headers: headers))
        }
        let other = OAuthClient("id").token(by: Self.grants[0], at: OAuth.tokenEndpoint, tokenType: "DPoP")
        _ = await other.fetch(via: server.wrapped(by: .dpop(DPoPKey(publicKey: [:]) { $0 })))
        #expect(sent.elements.count == 1)
    }

    @Test("a request that could not begin is sent later by a retry")
    func notBegun() async {
        let attempts = Recorder<Input>()
        let server = Connector { input in
            attempts.append(input)
            if attempts.elements.count == 1 {
                return .noResponse(.hostNotFound(.init(domain: "test", code: 1, text: "a")))
            }
            return await input.form().error == nil ? .json(OAuth.token) : .status(.badRequest)
        }
        let retry = Wrapper.retry(
            RetryPolicy(condition: .dangerouslyReplayingAnyMethod, backoff: Backoff { _ in .zero })
        )
        let token = OAuthClient("id").token(by: Self.grants[0], at: OAuth.tokenEndpoint)
        #expect(await token.fetch(via: server.wrapped(by: retry)).right != nil)
        #expect(attempts.elements.count == 2)
    }
}
