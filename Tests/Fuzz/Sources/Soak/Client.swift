import Foundation
import StartSmall
import StartSmallTesting
import Synchronization

let fault = ProcessInfo.processInfo.environment["BREAK"]
let kept = Mutex<[[UInt8]]>([])

/// All wrappers that an app may have around its engine, and who looks at what they do.
struct Client: Sendable {
    /// How many calls may run at once; half as many as there are callers, so that some always wait.
    static let limit = 32

    let connector: Connector
    let group = CallGroup()
    let calls = CallAudit()
    let metrics = Metrics()
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
            .listen(to: (fault == "twice" ? Listener { [calls] event, call in calls.listener(event, call); if case .ended = event, Int.random(in: 0..<1000) == 0 { calls.listener(event, call) } } : calls.listener) + budget.listener + .metrics(metrics)),
            .tracked(in: group),
            Wrapper { input, next in
                if Int.random(in: 0..<500) == 0 {
                    switch fault {
                    case "fd": _ = open("/dev/null", O_RDONLY)
                    case "thread": Thread.detachNewThread { sleep(1000) }
                    case "task": Task { try? await Task.sleep(for: .seconds(3600)) }
                    case "memory500": kept.withLock { $0.append([UInt8](repeating: 1, count: 50_000)) }
                    case "late": Task { try? await Task.sleep(for: .milliseconds(30)); next.report(.custom(name: "late", detail: "")) }
                    case "hang": await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
                    default: break
                    }
                }
                if fault == "memory" { kept.withLock { $0.append([UInt8](repeating: 1, count: 100)) } }
                return await next(input)
            },
            .log(.off),
            .baseURL(base),
            .requestID(),
            .headers(["Accept": "text/plain"]),
            .retry(BudgetAudit.policy, budget: fault == "nobudget" ? RetryBudget(window: .seconds(1), freePerSecond: 1000, percent: 1000) : fault == "budget" ? RetryBudget(window: .seconds(2), freePerSecond: 10, percent: 7) : BudgetAudit.budget()),
            Wrapper { input, next in budget.noting(await next(input)) },
            .refreshToken(in: store, RefreshPolicy(limit: .max)) { _, connector in
                await Endpoint.text(.get("\(base.absoluteString)/token")).map { AccessToken($0) }.fetch(via: connector)
            },
            .validate { $0.statusCode == .ok && !$0.isWhole ? "the payload was cut short" : nil },
            .timeout(.milliseconds(200)),
            .limitConcurrency(fault == "limit" ? Self.limit + 1 : Self.limit),
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
