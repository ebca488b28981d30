import Foundation
import Seeded
import StartSmall
import StartSmallCaching
import StartSmallCookies
import StartSmallTesting
import Synchronization

/// A simulated day of a hundred clients, with and without a cache, cookie jars and shared requests.
///
/// Time is a variable: the day takes seconds. All clients run concurrently, over the faults of the soak.
struct Day {
    /// The values that the clients have read, by client, time and path; and the requests that the server has received.
    struct Record: Sendable {
        var values: [String: String] = [:]
        var requests = 0
    }

    private static let clients = 100
    private static let steps = 96
    private static let stepSeconds = 900.0

    /// Runs both days, prints the counts, and returns whether the promises were kept.
    static func isKept(seed: UInt64) async -> Bool {
        let plain = await Day(seed: seed, isKeeping: false).run()
        let keeping = await Day(seed: seed, isKeeping: true).run()
        let wrong = plain.values.count { keeping.values[$0.key] != $0.value }
        let isSame = wrong == 0 && plain.values.count == keeping.values.count
        let isCheaper = keeping.requests < plain.requests
        print("a simulated day of \(clients) clients: \(plain.values.count) values")
        print("  \(isSame ? "kept  " : "BROKEN")  the same values with cache, cookies and sharing: \(wrong) differ")
        print("  \(isCheaper ? "kept  " : "BROKEN")  fewer requests: \(keeping.requests) instead of \(plain.requests)")
        return isSame && isCheaper
    }

    private let seed: UInt64
    private let isKeeping: Bool
    private let service: DayService
    private let time = SimulatedTime()

    private init(seed: UInt64, isKeeping: Bool) {
        (self.seed, self.isKeeping) = (seed, isKeeping)
        service = DayService(time)
    }

    private func run() async -> Record {
        // The caches and the shared requests of all clients are the same: no identity may see another's values.
        let server = service.connector(seed: seed)
        let now: @Sendable () -> Date = { [time] in time.now }
        let shared = isKeeping ? server.wrapped(by: .cache(in: .memory(), now: now), .shareInFlight()) : server
        let clients = (0..<Self.clients).map { DayClient(number: $0, via: shared, isKeeping: isKeeping, now: now) }
        var record = Record()
        for step in 0..<Self.steps {
            time.set(Double(step) * Self.stepSeconds)
            await withTaskGroup(of: [String: String].self) { group in
                for client in clients { group.addTask { await client.values(at: step, seed: seed) } }
                for await values in group { record.values.merge(values) { old, _ in "\(old), and another value" } }
            }
        }
        record.requests = service.requests
        return record
    }
}

/// The time of a simulated day.
final class SimulatedTime: Sendable {
    private let seconds = Mutex(0.0)

    var now: Date { Date(timeIntervalSince1970: 1_800_000_000 + seconds.withLock(\.self)) }

    func set(_ seconds: Double) { self.seconds.withLock { $0 = seconds } }
}

/// A client that logs in, reads, and writes.
private struct DayClient: Sendable {
    /// The attempts for one call; one in ten fails, so that a call never needs all of them.
    private static let attempts = 40

    let number: Int
    private let connector: Connector
    private let jar: CookieJar
    private let isKeeping: Bool

    init(number: Int, via server: Connector, isKeeping: Bool, now: @escaping @Sendable () -> Date) {
        (self.number, self.isKeeping) = (number, isKeeping)
        jar = CookieJar(now: now)
        let again = RetryCondition { _, output in
            if case .hasResponse(let response) = output {
                ![200, 201, 401].contains(response.statusCode.code)
            } else {
                true
            }
        }
        let backoff = Backoff.exponential(attempts: Self.attempts, baseDelay: .zero, maxDelay: .zero)
        let retrying = Wrapper.retry(RetryPolicy(condition: again, backoff: backoff))
        let wrapped = server.wrapped(by: .all(isKeeping ? [.cookies(in: jar)] : []))
        connector = wrapped.wrapped(by: .idempotencyKey(), retrying)
    }

    /// Returns the values that the client reads at one time.
    func values(at step: Int, seed: UInt64) async -> [String: String] {
        var random = SplitMix(state: seed &+ UInt64(number) &* 1_000_003 &+ UInt64(step) &* 7919)
        // Without a jar, the client adds its session itself.
        let session: HTTPHeaders = isKeeping ? [:] : ["Cookie": "sid=\(number)"]
        if step % 32 == 0 || random.next() % 50 == 0 {
            _ = await fetch(.post("https://a.test/login/\(number)"))
        }
        var values: [String: String] = [:]
        for path in ["news", "profile", "notes"] where random.next() % 3 != 0 {
            if path == "notes", random.next() % 4 == 0 {
                _ = await fetch(.post("https://a.test/notes", headers: session))
            }
            values["\(number) \(step) \(path)"] = await fetch(.get("https://a.test/\(path)", headers: session))
        }
        return values
    }

    private func fetch(_ input: Either<ConnectionError, Input>) async -> String {
        switch await Endpoint.text(input).fetch(via: connector) {
        case .right(let text): text
        case .left(let failure): "no value: \(failure)"
        }
    }
}

/// The API of the simulated day: news for all, a profile and notes for each user.
private final class DayService: Sendable {
    private struct State {
        var requests = 0
        var notes: [String: Set<String>] = [:]
    }

    private let state = Mutex(State())
    private let time: SimulatedTime

    init(_ time: SimulatedTime) { self.time = time }

    var requests: Int { state.withLock { $0.requests } }

    /// The service behind the faults of the soak that a client observes without waiting.
    func connector(seed: UInt64) -> Connector {
        Connector { [self] input in
            // Others may run now, so that requests overlap.
            await Task.yield()
            return answer(input)
        }.wrapped(
            by: .validate { $0.statusCode == .ok && $0.payload.suffix(3) != Data("end".utf8) ? "truncated" : nil },
            .chaos(
                .error(.noDataOrNoResponse(debugInfo: "closed without an answer"), when: .probability(0.03)),
                .status(.serviceUnavailable, when: .probability(0.05)),
                .truncated(toBytes: 5, when: .probability(0.02)),
                seed: seed
            )
        )
    }

    private func answer(_ input: Input) -> Output {
        let path = input.url.path()
        let user = input.headers["Cookie"].flatMap { $0.firstMatch(of: /sid=([0-9]+)/) }.map { String($0.output.1) }
        if path.hasPrefix("/login/") {
            state.withLock { $0.requests += 1 }
            let cookie = "sid=\(input.url.lastPathComponent); Path=/; Max-Age=86400; Secure; HttpOnly"
            return .text("hello end", headers: ["Set-Cookie": cookie])
        }
        guard path == "/news" || user != nil else {
            state.withLock { $0.requests += 1 }
            return .status(.unauthorized)
        }
        return state.withLock { state in
            state.requests += 1
            let hour = Int(time.now.timeIntervalSince1970) / 3600
            let next = Date(timeIntervalSince1970: Double(hour + 1) * 3600)
            let dates: HTTPHeaders = ["Date": HTTPDate.text(time.now), "Expires": HTTPDate.text(next)]
            switch (path, user ?? "") {
            case ("/news", _): return .text("news of \(hour) end", headers: dates)
            case ("/profile", let user): return .text("profile of \(user) at \(hour) end", headers: dates)
            case (_, let user):
                if input.methodAndPayload.method == "POST" {
                    state.notes[user, default: []].insert(input.headers["Idempotency-Key"] ?? "")
                    return .text("created end", status: .created)
                }
                let tag = "\"\(user)-\(state.notes[user]?.count ?? 0)\""
                if input.headers["If-None-Match"] == tag { return .status(.notModified, headers: ["ETag": tag]) }
                let text = "\(state.notes[user]?.count ?? 0) notes of \(user) end"
                return .text(text, headers: ["Cache-Control": "no-cache", "ETag": tag])
            }
        }
    }
}
