import Foundation
import StartSmall
import StartSmallAuth
import StartSmallDownloads
import StartSmallURLSession
import StartSmallMetrics
import StartSmallResilience
import StartSmallTesting
import Synchronization

/// The wrappers that an app may have around its engine, all combined, and the audits that check them.
///
/// The credentials are a renewed token and a key; no wrapper answers instead of the server.
struct Client: Sendable {
    /// The limit of concurrent calls; half the number of callers, so that some always wait.
    static let limit = 32

    let connector: Connector
    let group = CallGroup()
    let calls = CallAudit()
    let metrics = CallMetrics()
    let places = Meter()

    init(base: URL, seed: UInt64) {
        let backoff = Backoff.exponential(attempts: 3, baseDelay: .milliseconds(5), maxDelay: .milliseconds(20))
        let retries = RetryPolicy(backoff: backoff)
        // Small enough to be used up: 20 free retries in 2 s, and 5 for a hundred successes, while 1 in 8 calls fails.
        let budget = RetryBudget(window: .seconds(2), freePerSecond: 10, percent: 5)
        let token = Mutex<AccessToken?>(AccessToken("token-0"))
        let store = TokenStore(
            load: { token.withLock { $0 } },
            save: { new in token.withLock { $0 = new } }
        )
        let places = places
        connector = Self.engine.wrapped(
            by:
                .listen(to: calls.listener + .metrics(metrics)),
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
            .retry(retries, budget: budget),
            .refreshToken(in: store, RefreshPolicy(limit: .max)) { _, connector in
                await Endpoint.text(.get("\(base.absoluteString)/token" as String)).map { AccessToken($0) }.fetch(
                    via: connector
                )
            },
            .validate { $0.statusCode == .ok && !$0.isWhole ? "the payload was truncated" : nil },
            .timeout(.milliseconds(200)),
            .redirect(),
            .limitPayload(bytes: 1_000_000),
            .resumeDownloads(),
            .limitConcurrency(Self.limit),
            Wrapper { input, next in await places.counting { await next(input) } },
            // Faults that only a client observes: a connection that is lost during a payload, and one that is slow.
            .chaos(
                .cutOff(afterBytes: 100, when: .probability(0.02)),
                .slow(bytes: 1_000, every: .milliseconds(1), when: .probability(0.02)),
                seed: seed
            )
        )
    }
}

extension Client {
    /// A new engine, which ends with the connector: that of `.standard` keeps its connections.
    private static var engine: Connector {
        #if os(Linux)
            .curl()
        #else
            .urlSession()
        #endif
    }
}

extension Response {
    /// Whether the payload is not a text of the service, or is one with its end.
    fileprivate var isWhole: Bool {
        payload.isEmpty || payload.starts(with: Data("token".utf8)) || payload.suffix(3) == Data("end".utf8)
    }
}
