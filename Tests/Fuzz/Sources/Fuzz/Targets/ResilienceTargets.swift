import Foundation

@testable import StartSmall
@testable import StartSmallCore
@testable import StartSmallHeaders
@testable import StartSmallCurl
@testable import StartSmallResilience

extension Target {
    /// The limits that servers report, and the states of the wrappers for load.
    static let resilience = [rateLimitReset, circuit, rateLimit, adaptiveConcurrency]

    private static let rateLimitReset = text(
        "rate-limit-reset",
        words: [
            "1s", "6m0s", "20ms", "1h", "2d", "1795255260", "1795255260000", "1795255260000000", "1.5",
            "2026-11-21T10:00:30Z", ".", "٣",
        ],
        starts: ["1", "1m"],
        read: { _ = (RateLimitReset.duration($0, clock(.distantPast)), RateLimitReset.count($0)) },
        check: { text in
            for now in [Date.distantPast, Date(timeIntervalSince1970: 0), .distantFuture] {
                let reset = RateLimitReset.duration(text, clock(now)) ?? .zero
                try promise("no time is negative", reset >= .zero)
                try promise("no sum of times overflows", reset + reset >= reset)
            }
            return RateLimitReset.duration(text, clock(.distantPast)) != nil
        }
    )

    private static func clock(_ now: Date) -> ResponseClock {
        ResponseClock(of: Response(statusCode: .ok, headers: ["Date": HTTPDate.text(now)]), now: now)
    }

    /// The number of steps of one input: more of them show nothing new.
    private static let steps = 2_000

    /// The times by which the clock jumps.
    private static let jumps: [Duration] = [
        .zero, .nanoseconds(1), .milliseconds(1), .milliseconds(100), .seconds(1), .seconds(30), .seconds(3_600),
        .seconds(-1), .seconds(Int64.max / 4), .seconds(Int64.min / 4),
    ]

    private static let outcomes: [CallOutcome] = [.success, .failure, .unknown]

    /// Calls a function with the steps of an input, and the time of a clock that jumps.
    private static func steps(_ bytes: [UInt8], _ body: (_ step: Int, _ time: Duration) throws -> Void) rethrows {
        var time = Duration.zero
        for pair in 0..<min(bytes.count / 2, steps) {
            time = max(min(time + jumps[Int(bytes[2 * pair]) % jumps.count], .maximum), .zero - .maximum)
            try body(Int(bytes[2 * pair + 1]), time)
        }
    }

    private static let circuit = Target(
        name: "circuit",
        words: ["\u{0}\u{1}", "\u{4}\u{2}", "\u{8}\u{3}"],
        starts: [],
        read: { _ = try? circuit($0) },
        check: { try circuit($0) }
    )

    private static func circuit(_ bytes: [UInt8]) throws -> Bool {
        let trip: CircuitBreakerPolicy.Trip =
            bytes.first ?? 0 < 128
            ? .consecutiveFailures(3) : .failureRate(0.5, over: .seconds(10), minimumCalls: 3)
        var circuit = Circuit(CircuitBreakerPolicy(trip: trip))
        var running: [(permit: Circuit.Permit, test: Int?)] = []
        var (newest, testEnd, tests) = (Duration.zero, Duration.zero, 0)
        try steps(bytes) { step, time in
            if step < 128 {
                // A clock that goes back counts as one that stands still; the circuit sees no times between calls.
                newest = max(newest, time)
                guard case .send(let permit, let isTest) = circuit.begin(at: time) else { return }
                try promise("at most one call tests the service", !isTest || newest >= testEnd)
                if isTest { (tests, testEnd) = (tests + 1, newest + .seconds(5)) }
                running.append((permit, isTest ? tests : nil))
            } else if !running.isEmpty {
                newest = max(newest, time)
                let call = running.remove(at: step % running.count)
                _ = circuit.end(call.permit, outcomes[step % outcomes.count], at: time)
                // The end of a test that took too long makes no place for another one.
                if call.test == tests { testEnd = .zero }
            }
        }
        for call in running { _ = circuit.end(call.permit, .unknown, at: .zero) }
        try promise("no permit is lost", circuit.isUnused(at: .maximum + .maximum))
        return !bytes.isEmpty
    }

    private static let rateLimit = Target(
        name: "rate-limit-queue",
        words: ["\u{0}\u{1}", "\u{4}\u{2}", "\u{8}\u{3}"],
        starts: [],
        read: { _ = try? rateLimit($0) },
        check: { try rateLimit($0) }
    )

    private static func rateLimit(_ bytes: [UInt8]) throws -> Bool {
        let rate = RequestRate.requests(2, per: .seconds(1), burst: 1 + Int(bytes.first ?? 0) % 3)
        return try queue(RateLimitGate(rate, maxPause: .seconds(3_600)), bytes)
    }

    private static let adaptiveConcurrency = Target(
        name: "adaptive-queue",
        words: ["\u{0}\u{1}", "\u{4}\u{2}", "\u{8}\u{3}"],
        starts: [],
        read: { _ = try? queue(AdaptiveGate(.adaptive(in: 1...5)), $0) },
        check: { try queue(AdaptiveGate(.adaptive(in: 1...5)), $0) }
    )

    private static func queue(_ gate: some AdmissionGate, _ bytes: [UInt8]) throws -> Bool {
        var queue = AdmissionQueue(gate, maxWaiting: 10) as AdmissionQueue<_, UInt64>
        var (running, arrivals, waiting) = (0, UInt64(0), Set<UInt64>())
        try steps(bytes) { step, time in
            let delay = jumps[step / 4 % jumps.count]
            switch step % 4 {
            case 0 where queue.admitAtOnce(at: time): running += 1
            case 0:
                arrivals += 1
                waiting.insert(arrivals)
                queue.add(arrivals, arrivals, maxWait: delay, at: time)
            case 1 where running > 0:
                running -= 1
                queue.end(EndedCall(outcome: outcomes[step % 3], duration: delay, pause: delay), at: time)
            case 2 where !waiting.isEmpty:
                let id = waiting.sorted()[step % waiting.count]
                waiting.remove(id)
                try promise("a waiting call can be removed", queue.remove(id) == id)
            default: break
            }
            for call in queue.settle(at: time) {
                if case .admitted = call.admission { running += 1 }
                try promise("a call starts or fails once", waiting.remove(call.id) != nil)
            }
            try promise("the queue has the calls that wait", queue.count == waiting.count && waiting.count <= 10)
            try promise("a call can be woken", waiting.isEmpty || running > 0 || queue.nextStart != nil)
        }
        for _ in 0..<running { queue.end(EndedCall(), at: .zero) }
        for id in waiting { _ = queue.remove(id) }
        try promise("no permit is lost", queue.isUnused(at: .maximum + .maximum))
        return !bytes.isEmpty
    }
}
