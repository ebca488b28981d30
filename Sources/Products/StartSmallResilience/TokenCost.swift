public import StartSmallCore
import StartSmallHeaders

/// The tokens of a call, by which APIs of language models limit their clients, for `.rateLimit(cost:)`.
///
/// ```swift
/// let cost = TokenCost.tokens(30_000, per: .seconds(60)) { input in
///     // A token of English has about four bytes.
///     (input.methodAndPayload.body?.count ?? 0) / 4
/// }
/// ```
///
/// A call whose estimate is larger than the number that the server reported as remaining (`RateLimits`) waits for the
/// reset, or for a newer report. The tokens of calls that started after the reported one count as used.
public struct TokenCost: Sendable {
    /// The largest cost of one call, as of a limit: a billion tokens, more than any API accepts in a minute.
    static let largest = 1_000_000_000

    /// The default period: one minute, for which the APIs state their limits.
    @usableFromInline static let defaultPeriod: Duration = .seconds(60)

    let rate: RequestRate?
    private let most: Int
    private let estimate: @Sendable (Input) -> Int
    private let used: @Sendable (Response) -> Int?

    /// Returns the cost of calls in tokens.
    ///
    /// The `burst` of the client's own limit is the limit by default, as a server's bucket is full before the first call,
    /// too. In any period, calls of up to `burst` tokens start with at most `limit + burst` of them, and with as many as
    /// were given back in it because other calls did not use them.
    ///
    /// - Parameters:
    ///   - limit: the client's own limit of tokens in a period, 1 to a billion; nil, the default, for the server's only.
    ///   - period: the length of the period; one minute by default.
    ///   - burst: the number of tokens whose calls may start at once after a pause; the limit by default.
    ///   - estimate: returns the number of tokens that a call of this request will use up. Below 0, it counts as 0, and
    ///     above the limit as the limit, so that the call starts when all of it is left.
    ///   - used: returns the number that the call has used up, from its response in memory; nil, the default, if it
    ///     does not say. Then, and without a response, the estimate counts.
    public static func tokens(
        _ limit: Int? = nil,
        per period: Duration = defaultPeriod,
        burst: Int? = nil,
        estimate: @escaping @Sendable (_ input: Input) -> Int,
        used: @escaping @Sendable (_ response: Response) -> Int? = { _ in nil }
    ) -> TokenCost {
        let most = min(max(1, limit ?? largest), largest)
        let rate = limit.map { _ in RequestRate.requests(most, per: period, burst: burst ?? most) }
        return TokenCost(rate: rate, most: most, estimate: estimate, used: used)
    }

    func tokens(of input: Input) -> Int { bounded(estimate(input)) }

    /// Returns what a response says about the tokens of its call.
    func report(on call: AdmittedCall, of cost: Int, _ response: Response, _ limits: RateLimits?) -> TokenReport {
        var report = TokenReport(admission: call)
        if case .data = response.content, let used = used(response) { report.excess = bounded(used) - cost }
        // An estimate before the response is one of the input.
        if let limit = limits?.tokens ?? limits?.inputTokens ?? limits?.outputTokens, let reset = limit.reset {
            (report.remaining, report.reset) = (limit.remaining, reset)
        }
        return report
    }

    private func bounded(_ tokens: Int) -> Int { min(max(0, tokens), most) }
}
