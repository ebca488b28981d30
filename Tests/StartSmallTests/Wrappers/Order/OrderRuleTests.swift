import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// The rules of `check()`, by the wrappers of the core and by custom declarations.
struct OrderRuleTests {
    @Test("a wrong order is one finding, whose better order has none", arguments: Wrong.all)
    private func wrong(wrong: Wrong) throws {
        let findings = stack(wrong.wrappers).check()
        let finding = try #require(findings.first, "no finding")
        #expect(findings.count == 1, "\(findings)")
        #expect(finding.rule == wrong.rule)
        #expect([finding.outer.number, finding.inner.number] == wrong.numbers)
        #expect(finding.betterOrder == wrong.better)
        if let better = finding.betterOrder {
            let named = Dictionary(zip(wrong.names, wrong.wrappers)) { first, _ in first }
            #expect(stack(better.compactMap { named[$0] }).check() == [])
        }
    }

    @Test("each rule has an example of a wrong order")
    func complete() {
        // StartSmallCachingTests and StartSmallCookiesTests have examples of caches and cookies, too.
        #expect(Set(Wrong.all.map(\.rule)) == Set(OrderRule.allCases))
    }

    @Test("a right order has no finding", arguments: Right.all)
    private func right(right: Right) {
        #expect(stack(right.wrappers).check() == [])
    }

    @Test("Connector.standard and its engine have no finding")
    func standard() {
        #expect(Connector.standard.check() == [])
        #expect(Connector.engine.check() == [])
    }

    @Test("nothing is claimed about a wrapper without a declaration, wherever it stands")
    func unknown() {
        let adding = Wrapper { input, next in await next(input.with { $0.headers["Idempotency-Key"] = "1" }) }
        let repeating = Wrapper { input, next in
            _ = await next(input)
            return await next(input)
        }
        #expect(stack([repeating, adding]).check() == [])
        #expect(stack([.retry(), adding]).check() == [])
        #expect(stack([repeating, .idempotencyKey()]).check() == [])
        // The unknown wrapper hides nothing about the others.
        #expect(stack([.retry(), adding, .idempotencyKey()]).check().map(\.rule) == [.idempotencyKeyInsideOfRetry])
    }

    @Test("a stack with several findings is right after their better orders were applied, one after another")
    func several() {
        var order: [(name: String, wrapper: Wrapper)] = [
            ("limitConcurrency", .limitConcurrency(4)), ("timeout", .timeout(.seconds(10))),
            ("resumeDownloads", .resumeDownloads()), ("bearer", .bearer("t", to: .origin(Fixture.url))),
            ("retry", .retry()), ("idempotencyKey", .idempotencyKey()), ("baseURL", .baseURL(Fixture.url)),
            ("tracked", .tracked(in: CallGroup())),
        ]
        var counts: [Int] = []
        while let finding = stack(order.map(\.wrapper)).check().first, counts.count < 20 {
            counts.append(stack(order.map(\.wrapper)).check().count)
            guard let better = finding.betterOrder else { break }
            order = better.compactMap { name in order.first { $0.name == name } }
        }
        #expect(counts == [4, 3, 2, 1])
        #expect(stack(order.map(\.wrapper)).check() == [])
    }

    @Test("the parts of Connector.standard stay together in a better order")
    func units() {
        let inside = Connector.standard(over: Connector.stub(.status(.ok)).wrapped(by: .retry()))
        #expect(
            inside.check().map(\.betterOrder) == [
                ["retry", "redirect", "limitPayload", "resumeDownloads"]
            ]
        )
        let outside = Connector.standard(over: .stub(.status(.ok))).wrapped(by: .perRequest)
        #expect(outside.check().map(\.rule) == [.requestOutsideOfRedirect])
        #expect(
            outside.check().map(\.betterOrder) == [["redirect", "limitPayload", "resumeDownloads", "perRequest"]]
        )
    }

    @Test("the description of a finding is one line with both wrappers, the reason and the better order")
    func described() {
        let finding = stack([.listen(to: EventLog().listener), .retry(), .idempotencyKey()]).check().first
        #expect(
            finding?.description
                == "idempotencyKey (3) inside of retry (2): each attempt of retry gets another key, so "
                + "that a server whose response was lost executes the request twice; better: listen, idempotencyKey, "
                + "retry"
        )
    }

    @Test("a wrapper whose name has a line break does not begin a line in a finding")
    func hostileName() {
        let key = WrapperDeclaration("key\n1. retry", changes: [.idempotencyKey])
        let finding = stack([.retry(), Wrapper(key) { input, next in await next(input) }]).check().first
        #expect(finding?.description.contains("\n") == false)
    }

    private func stack(_ wrappers: [Wrapper]) -> Connector {
        Connector.stub(.status(.ok)).wrapped(by: wrappers)
    }
}

extension Wrapper {
    /// Returns a wrapper that does nothing, with declared properties.
    fileprivate static func declaring(_ declaration: WrapperDeclaration) -> Wrapper {
        Wrapper(declaration) { input, next in await next(input) }
    }

    fileprivate static var perRequest: Wrapper { declaring(WrapperDeclaration("perRequest", unit: .request)) }
    fileprivate static var breaker: Wrapper { declaring(WrapperDeclaration("breaker", shortCircuits: .failures)) }
    fileprivate static var rate: Wrapper { declaring(WrapperDeclaration("rate", reads: [.url], waits: .turn)) }
    fileprivate static var hedge: Wrapper {
        declaring(WrapperDeclaration("hedge", repeats: .concurrently, waits: .delay))
    }
    fileprivate static var fallback: Wrapper {
        declaring(WrapperDeclaration("fallback", changes: [.response], replacesFailures: true))
    }
    fileprivate static var stored: Wrapper {
        declaring(WrapperDeclaration("stored", reads: [.credentials], shortCircuits: .storedResponse))
    }
    fileprivate static var signature: Wrapper {
        let signed: Set<WrapperDeclaration.Aspect> = [.url, .queries, .header("X-Time"), .payload]
        return declaring(WrapperDeclaration("signature", reads: signed, changes: [.signature, .header("X-Signature")]))
    }
    fileprivate static func refreshing(_ scope: CredentialScope = .anyOrigin) -> Wrapper {
        .refreshToken(in: TokenStore(load: { nil }, save: { _ in }), to: scope) { _, _ in
            Fetched<TransformError<Never>, AccessToken>.right(AccessToken("t"))
        }
    }
}

private typealias Named = (name: String, wrapper: Wrapper)

private struct Wrong: Sendable, CustomTestStringConvertible {
    let rule: OrderRule
    let names: [String]
    let wrappers: [Wrapper]
    let numbers: [Int]
    let better: [String]?

    var testDescription: String { "\(rule.rawValue): \(names.joined(separator: ", "))" }

    private init(_ rule: OrderRule, _ wrappers: Named..., numbers: [Int] = [1, 2], better: [String]?) {
        (self.rule, self.numbers, self.better) = (rule, numbers, better)
        (names, self.wrappers) = (wrappers.map(\.name), wrappers.map(\.wrapper))
    }

    private static let retry: Named = ("retry", .retry())
    private static let bearer: Named = ("bearer", .bearer("t"))
    private static let scoped: Named = ("bearer", .bearer("t", to: .origin(Fixture.url)))
    private static let baseURL: Named = ("baseURL", .baseURL(Fixture.url))
    private static let redirect: Named = ("redirect", .redirect())
    private static let refresh: Named = ("refreshToken", .refreshing())
    private static let key: Named = ("idempotencyKey", .idempotencyKey())
    private static let concurrency: Named = ("limitConcurrency", .limitConcurrency(4))
    private static let listen: Named = ("listen", .listen(to: EventLog().listener))
    private static let ticket: Named = ("apiKey", .apiKey("k", in: .header("X-Ticket")))
    private static let share: Named = ("shareInFlight", .shareInFlight())
    private static let hedge: Named = ("hedge", .hedge)
    private static let breaker: Named = ("breaker", .breaker)
    private static let rate: Named = ("rate", .rate)
    private static let fallback: Named = ("fallback", .fallback)
    private static let stored: Named = ("stored", .stored)
    private static let signature: Named = ("signature", .signature)
    private static let perRequest: Named = ("perRequest", .perRequest)

    static let all =
        [
            Wrong(.idempotencyKeyInsideOfRetry, retry, key, better: ["idempotencyKey", "retry"]),
            Wrong(.idempotencyKeyInsideOfRetry, hedge, key, better: ["idempotencyKey", "hedge"]),
            Wrong(
                .idempotencyKeyInsideOfRetry,
                listen,
                retry,
                baseURL,
                key,
                numbers: [2, 4],
                better: ["listen", "idempotencyKey", "retry", "baseURL"]
            ),
            Wrong(
                .idempotencyKeyInsideOfRetry,
                retry,
                ("idempotencyKey", .idempotencyKey(header: "Order-Key")),
                better: ["idempotencyKey", "retry"]
            ),
            Wrong(.copyInsideOfCredentials, ticket, ("log", .log(.headers)), better: ["log", "apiKey"]),
            Wrong(.copyInsideOfCredentials, ticket, ("log", .log(.curl)), better: ["log", "apiKey"]),
            Wrong(
                .copyInsideOfCredentials,
                ("apiKey", .apiKey("k", in: .query("visitor"))),
                ("log", .log()),
                better: ["log", "apiKey"]
            ),
            Wrong(
                .copyInsideOfCredentials,
                bearer,
                ("log", .log(.headers, redacting: .none)),
                better: ["log", "bearer"]
            ),
            Wrong(.copyInsideOfCredentials, ticket, ("record", .record(to: file)), better: ["record", "apiKey"]),
            Wrong(.sharingOutsideOfCredentials, share, bearer, better: ["bearer", "shareInFlight"]),
            Wrong(.sharingOutsideOfCredentials, share, refresh, better: ["refreshToken", "shareInFlight"]),
            Wrong(.sharingOutsideOfCredentials, stored, ticket, better: ["apiKey", "stored"]),
            Wrong(
                .sharingOutsideOfCredentials,
                stored,
                ("headers", .headers(["Authorization": "t"])),
                better: ["headers", "stored"]
            ),
            Wrong(.decisionOutsideOfChange, scoped, baseURL, better: ["baseURL", "bearer"]),
            Wrong(
                .decisionOutsideOfChange,
                ("refreshToken", .refreshing(.origin(Fixture.url))),
                baseURL,
                better: ["baseURL", "refreshToken"]
            ),
            Wrong(.decisionOutsideOfChange, redirect, baseURL, better: ["baseURL", "redirect"]),
            Wrong(.decisionOutsideOfChange, rate, baseURL, better: ["baseURL", "rate"]),
            Wrong(
                .decisionOutsideOfChange,
                ("queryEncoding", .queryEncoding(.form)),
                ("apiKey", .apiKey("k", in: .query("key"))),
                better: ["apiKey", "queryEncoding"]
            ),
            Wrong(.signatureOutsideOfChange, signature, baseURL, better: ["baseURL", "signature"]),
            Wrong(.signatureOutsideOfChange, signature, redirect, better: ["redirect", "signature"]),
            Wrong(
                .signatureOutsideOfChange,
                signature,
                ("headers", .headers(["x-time": "now"])),
                better: ["headers", "signature"]
            ),
            Wrong(
                .limitOutsideOfLongerLimit,
                ("timeout", .timeout(.seconds(10))),
                retry,
                ("longer", .declaring(WrapperDeclaration("longer", timeLimit: .seconds(60)))),
                numbers: [1, 3],
                better: ["longer", "retry", "timeout"]
            ),
            Wrong(.breakerOutsideOfRetry, breaker, retry, better: ["retry", "breaker"]),
            Wrong(.breakerOutsideOfRetry, breaker, hedge, better: ["hedge", "breaker"]),
            Wrong(.breakerOutsideOfWaiting, breaker, concurrency, better: ["limitConcurrency", "breaker"]),
            Wrong(.breakerOutsideOfWaiting, breaker, rate, better: ["rate", "breaker"]),
            Wrong(.limiterOutsideOfRetry, concurrency, retry, better: ["retry", "limitConcurrency"]),
            Wrong(.limiterOutsideOfRetry, concurrency, refresh, better: ["refreshToken", "limitConcurrency"]),
            Wrong(.limiterOutsideOfRetry, concurrency, hedge, better: ["hedge", "limitConcurrency"]),
            Wrong(.limiterOutsideOfRetry, rate, retry, better: ["retry", "rate"]),
            Wrong(.limiterOutsideOfRetry, rate, hedge, better: ["hedge", "rate"]),
            Wrong(.attemptOutsideOfRetry, redirect, retry, better: ["retry", "redirect"]),
            Wrong(.attemptOutsideOfRetry, refresh, retry, better: ["retry", "refreshToken"]),
            Wrong(.attemptOutsideOfRetry, perRequest, retry, better: ["retry", "perRequest"]),
            Wrong(.requestOutsideOfRedirect, perRequest, redirect, better: ["redirect", "perRequest"]),
            Wrong(.callInsideOfRetry, retry, ("tracked", .tracked(in: CallGroup())), better: ["tracked", "retry"]),
            Wrong(.cacheOutsideOfRedirect, stored, redirect, better: ["redirect", "stored"]),
            Wrong(.credentialsInsideOfRedirect, redirect, bearer, better: ["bearer", "redirect"]),
            Wrong(.credentialsInsideOfRedirect, redirect, refresh, better: ["refreshToken", "redirect"]),
            Wrong(
                .credentialsInsideOfRedirect,
                redirect,
                ("apiKey", .apiKey("k", in: .query("key"))),
                better: ["apiKey", "redirect"]
            ),
            // Inside, the key would be sent to each server: only the policy of redirects can name it.
            Wrong(.credentialsKeptByRedirect, ticket, redirect, better: nil),
            Wrong(
                .credentialsKeptByRedirect,
                ("apiKey", .apiKey("k", in: .header("X-Ticket"), to: .origin(Fixture.url))),
                redirect,
                better: ["redirect", "apiKey"]
            ),
            Wrong(.sharingOutsideOfCache, share, stored, better: ["stored", "shareInFlight"]),
            Wrong(.failuresReplacedInside, retry, fallback, better: ["fallback", "retry"]),
            Wrong(.failuresReplacedInside, breaker, fallback, better: ["fallback", "breaker"]),
        ]

    private static let file = FileManager.default.temporaryDirectory.appending(path: "OrderRuleTests.cassette")
}

private struct Right: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let wrappers: [Wrapper]

    private init(_ name: String, _ wrappers: Wrapper...) { (testDescription, self.wrappers) = (name, wrappers) }

    static let all = [
        Right("none"),
        Right("a key outside of a retry", .idempotencyKey(), .retry()),
        Right("a retry that never retries outside of a key", .retry(.never), .idempotencyKey()),
        Right("one attempt outside of a key", .retry(.exponential(attempts: 1)), .idempotencyKey()),
        Right("a log of the wire, whose redaction knows the names", .bearer("t"), .log(.payloads)),
        Right("a log of lines, which has no header fields", .apiKey("k", in: .header("X-Ticket")), .log()),
        Right(
            "a log with its own redaction",
            .apiKey("k", in: .header("X-Ticket")),
            .log(.headers, redacting: Redaction(names: ["X-Ticket"], words: []))
        ),
        Right("no log", .apiKey("k", in: .header("X-Ticket")), .log(.off, redacting: .none)),
        Right("credentials for one origin inside of redirects", .redirect(), .bearer("t", to: .origin(Fixture.url))),
        Right("credentials outside of redirects", .bearer("t"), .redirect()),
        Right(
            "a field that the policy of redirects names",
            .apiKey("k", in: .header("X-Ticket")),
            .redirect(RedirectPolicy(alsoDropping: ["x-ticket"]))
        ),
        Right("equal limits", .timeout(.seconds(10)), .retry(), .timeout(.seconds(10))),
        Right("an inner limit that is shorter", .timeout(.seconds(60)), .retry(), .timeout(.seconds(10))),
        Right("a limit until the head, in any order", .timeout(.seconds(10)), .timeout(untilHead: .seconds(60))),
        Right("a retry outside of a base URL", .retry(), .baseURL(Fixture.url)),
        Right("two base URLs", .baseURL(Fixture.url), .baseURL(Fixture.url)),
        Right("two query encodings", .queryEncoding(.form), .queryEncoding(.rfc3986)),
        Right("a signature inside of all it signs", .baseURL(Fixture.url), .redirect(), .signature),
        Right("a signature outside of a field that it does not sign", .signature, .requestID()),
        Right(
            "the whole stack",
            .tracked(in: CallGroup()),
            .log(),
            .timeout(.seconds(60)),
            .fallback,
            .idempotencyKey(),
            .resumeDownloads(),
            .retry(),
            .hedge,
            .refreshing(),
            .limitConcurrency(4),
            .breaker,
            .timeout(.seconds(10)),
            .shareInFlight(),
            .redirect(),
            .perRequest,
            .requestID(),
            .log(.headers)
        ),
    ]
}
