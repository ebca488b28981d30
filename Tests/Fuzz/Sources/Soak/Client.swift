import Foundation
import StartSmall
import StartSmallTesting
import Synchronization

/// The wrappers that an app may have around its engine, all at once, and who looks at what they do.
///
/// Of the credentials, a token that is renewed and a key; and no wrapper that answers instead of the server.
struct Client: Sendable {
    /// How many calls may run at once; half as many as there are callers, so that some always wait.
    static let limit = 32

    let connector: Connector
    let group = CallGroup()
    let calls = CallAudit()
    let metrics = CallMetrics()
    let places = Meter()
    let budget = BudgetAudit()

    init(base: URL, seed: UInt64) {
        let token = Mutex(AccessToken("token-0"))
        let store = TokenStore(
            load: { token.withLock { $0 } },
            save: { new in token.withLock { $0 = new } }
        )
        let (budget, places) = (budget, places)
        connector = Self.engine().wrapped(by: [
            .listen(to: calls.listener + budget.listener + .metrics(metrics)),
            .tracked(in: group),
            .log(.off),
            .deadline(.now + .seconds(86_400)),
            .baseURL(base),
            .queryEncoding(.form),
            .userAgent("Soak", version: "1.0"),
            .traceparent(),
            .requestID(),
            .idempotencyKey(),
            .headers(["Accept": "text/plain"]),
            .apiKey("key", in: .header("X-Key")),
            .retry(BudgetAudit.policy, budget: BudgetAudit.budget()),
            Wrapper { input, next in budget.noting(await next(input)) },
            .refreshToken(in: store, RefreshPolicy(limit: .max)) { _, connector in
                await Endpoint.text(.get("\(base.absoluteString)/token")).map { AccessToken($0) }.fetch(via: connector)
            },
            .validate { $0.statusCode == .ok && !$0.isWhole ? "the payload was cut short" : nil },
            .timeout(.milliseconds(200)),
            .redirect(),
            .limitPayload(bytes: 1_000_000),
            .resumeDownloads(),
            .limitConcurrency(Self.limit),
            Wrapper { input, next in await places.counting { await next(input) } },
            // What only a client sees: a connection that is lost in the midst of a payload, and one that is slow.
            .chaos(
                .cutOff(afterBytes: 100, when: .probability(0.02)),
                .slow(bytes: 1_000, every: .milliseconds(1), when: .probability(0.02)),
                seed: seed
            ),
        ])
    }
}

extension Client {
    /// An engine of its own, which ends with the connector: that of `.standard` keeps its connections.
    private static func engine() -> Connector {
        #if os(Linux)
            .curl()
        #else
            .urlSession()
        #endif
    }
}

extension Response {
    /// Whether it is no text of the service, or one with its end.
    fileprivate var isWhole: Bool {
        payload.isEmpty || payload.starts(with: Data("token".utf8)) || payload.suffix(3) == Data("end".utf8)
    }
}
