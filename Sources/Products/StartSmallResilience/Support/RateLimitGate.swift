/// The decisions of a rate limit: the client's limits of requests and of tokens, and what the server reports.
struct RateLimitGate: AdmissionGate {
    private let maxPause: Duration
    private var requests: RateBucket?
    private var tokens: RateBucket?
    private(set) var spent: Int64 = 0

    /// The number that ``spent`` may reach until a time, as the server reported with a call, and its value at the start
    /// of that call.
    private var report: (most: Int64, spent: Int64, end: Duration)?
    private var pauseEnd: Duration = .zero

    init(_ requests: RequestRate?, tokens: RequestRate? = nil, maxPause: Duration) {
        self.requests = requests.map { RateBucket(rate: $0) }
        self.tokens = tokens.map { RateBucket(rate: $0) }
        self.maxPause = maxPause.bounded
    }

    mutating func admit(_ tokens: Int, at now: Duration) -> Bool {
        guard start(of: tokens, behind: CallsAhead(), at: now) ?? now <= now else { return false }
        requests?.take(1, at: now)
        self.tokens?.take(tokens, at: now)
        spent += Int64(tokens)
        return true
    }

    func start(of tokens: Int, behind others: CallsAhead, at now: Duration) -> Duration? {
        var start = max(now, pauseEnd)
        if let report, tokens > 0, spent + Int64(others.tokens) + Int64(tokens) > report.most {
            start = max(start, report.end)
        }
        let first = requests?.start(of: 1, behind: others.count, from: start) ?? start
        return max(first, self.tokens?.start(of: tokens, behind: others.tokens, from: start) ?? start)
    }

    mutating func end(_ call: EndedCall, at now: Duration) {
        if let pause = call.pause { pauseEnd = max(pauseEnd, now + min(pause.bounded, maxPause)) }
        guard let ended = call.tokens else { return }
        tokens?.correct(by: ended.excess, since: ended.admission.start)
        // A server counts a call when it begins: the calls that started later are not in what it reports.
        let spentThen = min(ended.admission.spent, spent)
        if ended.reset > .zero, report.map({ $0.end <= now || $0.spent <= spentThen }) ?? true {
            let end = now + min(ended.reset.bounded, maxPause)
            report = (spentThen + Int64(ended.remaining), spentThen, end)
        }
    }

    func isUnused(at now: Duration) -> Bool {
        let ends = [pauseEnd, report?.end, requests?.due, tokens?.due]
        return ends.allSatisfy { $0 ?? now <= now }
    }
}

/// A token bucket as GCRA (ITU-T I.371), for requests, or for calls of several tokens each.
private struct RateBucket {
    let rate: RequestRate

    /// The time at which the next request would be due at a steady rate: the bucket is full again.
    private(set) var due: Duration = .zero

    /// The latest start of a call that found the bucket full.
    private var fullAt: Duration = .zero

    init(rate: RequestRate) { self.rate = rate }

    /// Returns the earliest start of a call of a cost, from a time on, if others take theirs before it.
    func start(of cost: Int, behind others: Int, from time: Duration) -> Duration {
        let due = others == 0 ? due : max(due, time) + rate.interval.multiplied(by: others)
        // A call that costs more than the bucket has needs a full one.
        return max(time, due - rate.interval.multiplied(by: max(0, rate.burst - cost)))
    }

    mutating func take(_ cost: Int, at now: Duration) {
        if due <= now { (due, fullAt) = (now, now) }
        due += rate.interval.multiplied(by: cost)
    }

    /// Takes what a call used beyond its cost, or gives back what it did not use.
    mutating func correct(by excess: Int, since start: Duration) {
        // A bucket that has been full since the start of the call has already regained what it did not use.
        if excess > 0 || fullAt <= start { due += rate.interval.multiplied(by: excess) }
    }
}
