import Foundation
import StartSmall
import StartSmallAuth
import StartSmallCaching
import StartSmallDownloads
import StartSmallForms
import StartSmallResilience
import StartSmallTesting
import Testing

/// The rules of `check()`; KitWrappersTests of DocumentationTests compares their names with all wrappers of the kit.
struct OrderRuleTests {
    private static let server = URL(string: "https://example.com")!

    @Test(
        "a wrong order is one finding, and the exchanged one has none",
        arguments: [
            [.retry(), .idempotencyKey()], [.retry(), .tracked(in: CallGroup())], [.limitConcurrency(4), .retry()],
            [.limitConcurrency(4), .refreshing()], [.limitConcurrency(4), .refreshing(.origin(server))],
            [.refreshing(), .retry()], [.redirect(), .retry()], [.redirect(), .bearer("t")],
            [.redirect(), .basic(user: "u", password: "p")], [.redirect(), .apiKey("k", in: .query("key"))],
            [.redirect(), .headers(["Authorization": "t"])], [.redirect(), .refreshing()],
            [.redirect(), .digest(user: "u", password: "p", to: .anyOrigin)],
            [.digest(user: "u", password: "p", to: .origin(server)), .baseURL(server)],
            [.shareInFlight(), .digest(user: "u", password: "p", to: .origin(server))],
            [.redirect(), .baseURL(server)], [.bearer("t", to: .origin(server)), .baseURL(server)],
            [.refreshing(.origin(server)), .baseURL(server)], [.queryEncoding(.form), .baseURL(server)],
            [.shareInFlight(), .bearer("t")], [.shareInFlight(), .bearer("t", to: .origin(server))],
            [.shareInFlight(), .headers(["Cookie": "a=b"])], [.shareInFlight(), .refreshing()],
            [.rateLimit(), .cache(in: .memory())], [.limitConcurrency(4), .cache(in: .memory())],
            [.shareInFlight(), .cache(in: .memory())],
            [.retry(), .resumeDownloads()], [.refreshing(), .resumeDownloads()], [.redirect(), .resumeDownloads()],
            [.refreshing(.origin(server)), .resumeDownloads()],
            [.attemptHeaders(), .retry()], [.attemptHeaders(), .hedge(after: .fixed(.seconds(1)))],
            [.attemptHeaders(), .shareInFlight()], [.attemptHeaders(), .timeout(.seconds(1))],
            [.attemptHeaders(), .refreshing()], [.attemptHeaders(), .limitConcurrency(4)],
            [.redirect(), .attemptHeaders()], [.queries(["v": 1], to: .origin(server)), .baseURL(server)],
            [.queryEncoding(.form), .queries(["v": 1], to: .anyOrigin)],
            [.contentDigest(), .gzipPayloads()], [.gzipPayloads(), .idempotencyKey()], [.gzipPayloads(), .retry()],
            [.bearer("t"), .fallback(to: .engine)], [.refreshing(.origin(server)), .fallback(to: .engine)],
            [.retry(), .fallback(to: .engine)], [.retry(), .fallback(to: Response(statusCode: .ok))],
            [.gzipPayloads(), .baseURL(server)], [.gzipPayloads(), .record(to: URL(filePath: "/nowhere"))],
        ] as [[Wrapper]]
    )
    func wrong(wrappers: [Wrapper]) {
        let names = wrappers.map(\.name)
        #expect(stack(wrappers).check().map { [$0.outer, $0.inner] } == [names], "\(names)")
        #expect(stack(wrappers.reversed()).check() == [])
    }

    @Test("wrappers between the two of a finding do not hide it")
    func between() {
        let findings = stack([.requestID(), .retry(), .userAgent("a"), Self.unknown, .idempotencyKey()]).check()
        #expect(findings.map { [$0.outer, $0.inner] } == [["retry", "idempotencyKey"]])
    }

    @Test(
        "a right order has no finding",
        arguments: [
            [], [.redirect(), .bearer("t", to: .origin(server))], [.retry(), .baseURL(server)],
            [.baseURL(server), .baseURL(server)], [.shareInFlight(), .headers(["Accept": "text/plain"])],
            [.redirect(), .headers(["Accept": "text/plain"])],
            [.bearer("t"), .fallback(to: Response(statusCode: .ok))],
            [unknown, .retry(), unknown],
            [
                .tracked(in: CallGroup()), .log(), .timeout(.seconds(60)), .idempotencyKey(), .resumeDownloads(),
                .retry(),
                .refreshing(), .limitConcurrency(4), .timeout(.seconds(10)), .shareInFlight(), .redirect(),
                .requestID(), .log(.headers),
            ],
        ] as [[Wrapper]]
    )
    func right(wrappers: [Wrapper]) {
        #expect(stack(wrappers).check() == [])
    }

    @Test("Connector.standard and its engine have no finding")
    func standard() {
        #expect(Connector.standard.check() == [])
        #expect(Connector.engine.check() == [])
    }

    @Test("the rule of an app is for its own wrappers and those of the kit")
    func own() {
        let signing = Wrapper("signed") { input, next in await next(input) }
        let rules = OrderRule.all + [OrderRule(["signed"], outsideOf: ["baseURL"], "it signs another URL")]
        let findings = stack([signing, .baseURL(Self.server)]).check(by: rules)
        #expect(findings.map(\.description) == ["baseURL inside of signed: it signs another URL"])
        #expect(stack([.baseURL(Self.server), signing]).check(by: rules) == [])
        #expect(stack([.retry(), .idempotencyKey()]).check(by: rules).count == 1)
    }

    private static let unknown = Wrapper { input, next in await next(input) }

    private func stack(_ wrappers: [Wrapper]) -> Connector {
        Connector.stub(.status(.ok)).wrapped(by: .all(wrappers))
    }
}

extension Wrapper {
    fileprivate static func refreshing(_ scope: CredentialScope = .anyOrigin) -> Wrapper {
        .refreshToken(in: TokenStore(load: { nil }, save: { _ in }), to: scope) { _, _ in
            Fetched<TransformError<Never>, AccessToken>.right(AccessToken("t"))
        }
    }
}
