/// A rule on the order of two wrappers, by their names: which one must not be outside of which other one, and why.
///
/// ```swift
/// let rule = OrderRule(["signed"], outsideOf: ["baseURL"], "it signs the URL, which is changed after that")
/// #expect(app.check(by: OrderRule.all + [rule]) == [])
/// ```
public struct OrderRule: Hashable, Sendable {
    /// The names of the outer wrappers.
    public var outer: Set<String>

    /// The names of the inner wrappers.
    public var inner: Set<String>

    /// The effect of the order on the outer or the inner wrapper, as a clause.
    public var reason: String

    /// Creates a rule.
    public init(_ outer: Set<String>, outsideOf inner: Set<String>, _ reason: String) {
        (self.outer, self.inner, self.reason) = (outer, inner, reason)
    }
}

extension OrderRule {
    /// The rules on the wrappers of the kit.
    ///
    /// Wrappers with credentials for one origin have a name of their own, such as `bearer(to:)`, and so has a `.fallback`
    /// to another connector, `fallback(to:)`.
    public static let all = ofSharing + ofURLs + ofPayloads + ofAttempts

    private static let credentialsForAnyOrigin: Set = [
        "apiKey", "basic", "bearer", "digest", "headers(credentials)", "oauth", "refreshToken",
    ]
    private static let credentialsForOneOrigin: Set = [
        "apiKey(to:)", "basic(to:)", "bearer(to:)", "digest(to:)", "oauth(to:)", "refreshToken(to:)",
    ]

    private static let refreshing: Set = ["oauth", "oauth(to:)", "refreshToken", "refreshToken(to:)"]

    private static let ofSharing = [
        OrderRule(
            ["cache", "shareInFlight"],
            outsideOf: credentialsForAnyOrigin.union(credentialsForOneOrigin).union(["cookies"]),
            "the outer one can't tell apart the users whose credentials are added inside, so that one user can get the "
                + "response to another"
        ),
        OrderRule(
            ["shareInFlight"],
            outsideOf: ["cache"],
            "a call that the cache could answer at once waits for the running call of another caller"
        ),
        OrderRule(
            ["limitConcurrency", "rateLimit"],
            outsideOf: ["cache"],
            "a call that the cache could answer at once waits for a permit, and takes it from a request"
        ),
    ]

    private static let ofURLs = [
        OrderRule(
            credentialsForOneOrigin.union([
                "cache", "circuitBreaker", "cookies", "gzipPayloads", "hedge", "queries(to:)", "queryEncoding",
                "rateLimit", "record", "redirect", "replay",
            ]),
            outsideOf: ["baseURL"],
            "the outer one decides by the URL, which the inner one changes after that"
        ),
        OrderRule(
            ["redirect"],
            outsideOf: credentialsForAnyOrigin,
            "the credentials are sent to each server to which a response redirects; outside, or bound to an origin, "
                + "they are not"
        ),
        OrderRule(
            credentialsForAnyOrigin.union(credentialsForOneOrigin).union(["cookies"]),
            outsideOf: ["fallback(to:)"],
            "the other connector gets the credentials, unless it has its own, also if it calls another server"
        ),
        OrderRule(
            ["cookies"],
            outsideOf: ["redirect"],
            "cookies are for each request, but here only for the first request and the last response of a redirect"
        ),
        OrderRule(
            ["cache", "queryEncoding"],
            outsideOf: ["queries", "queries(to:)"],
            "the outer one does not see the items: it stores by another URL, or encodes only the others"
        ),
        OrderRule(
            ["cache"],
            outsideOf: ["redirect"],
            "a response to which a redirect led is not stored; inside, the response of each URL is"
        ),
    ]

    private static let ofPayloads = [
        OrderRule(
            ["contentDigest"],
            outsideOf: ["gzipPayloads"],
            "the digest is that of the payload before it is compressed, so that the inner one does not compress it"
        ),
        OrderRule(
            ["gzipPayloads"],
            outsideOf: ["rateLimit"],
            "the inner one estimates the tokens of a call from its compressed payload"
        ),
        OrderRule(
            ["gzipPayloads"],
            outsideOf: ["record", "replay"],
            "the inner one keeps only the size of a compressed payload, since it can't find the secrets in it"
        ),
        OrderRule(
            ["gzipPayloads"],
            outsideOf: ["idempotencyKey"],
            "the request without compression, after a 415, gets another key"
        ),
        OrderRule(
            ["gzipPayloads"],
            outsideOf: ["hedge", "retry"],
            "all attempts are compressed, even if the first one has shown that the server refuses that"
        ),
    ]

    private static let ofAttempts = [
        OrderRule(
            ["attemptHeaders"],
            outsideOf: refreshing.union([
                "cache", "deadline", "hedge", "limitConcurrency", "rateLimit", "retry", "shareInFlight", "timeout",
            ]),
            "the outer one tells the attempt and the time that is left before the inner one repeats, waits or limits it"
        ),
        OrderRule(["redirect"], outsideOf: ["attemptHeaders"], "each redirected request counts as one more attempt"),
        OrderRule(
            refreshing.union(["redirect", "retry"]),
            outsideOf: ["resumeDownloads"],
            "a request for the rest fails for good after a failure, an expired token or an expired signature of its URL"
        ),
        OrderRule(
            ["hedge", "retry"],
            outsideOf: ["idempotencyKey"],
            "each attempt gets another key, so that a server whose response was lost executes the request twice"
        ),
        OrderRule(
            ["hedge", "retry"],
            outsideOf: ["tracked"],
            "the inner one is for the whole call, but here it runs for each attempt, and not between the attempts"
        ),
        OrderRule(
            ["circuitBreaker"],
            outsideOf: ["hedge", "retry"],
            "all attempts count as one outcome, and the circuit opens only after the service has received each of them"
        ),
        OrderRule(
            ["circuitBreaker"],
            outsideOf: ["limitConcurrency", "rateLimit"],
            "calls that wait inside are sent to a service that has failed since they passed the circuit breaker"
        ),
        OrderRule(
            ["circuitBreaker", "retry"],
            outsideOf: ["fallback", "fallback(to:)"],
            "the outer one does not see a failure that the fallback replaces"
        ),
        OrderRule(
            ["limitConcurrency"],
            outsideOf: ["retry"],
            "a call that waits for its next attempt holds its permit, for which other calls wait"
        ),
        OrderRule(
            ["limitConcurrency"],
            outsideOf: refreshing,
            "calls that wait for new credentials hold their permits, and a request for the credentials that needs a "
                + "permit waits forever"
        ),
        OrderRule(["limitConcurrency"], outsideOf: ["hedge"], "the requests that the hedge adds need no permit"),
        OrderRule(
            ["rateLimit"],
            outsideOf: ["hedge", "retry"],
            "only the first attempt of each call waits for its turn, so that the attempts exceed the rate"
        ),
        OrderRule(
            ["cookies"],
            outsideOf: ["retry"],
            "cookies are added and stored once, and not for the further attempts"
        ),
        OrderRule(
            ["redirect"],
            outsideOf: ["retry"],
            "the attempts and their time are counted anew for each redirect"
        ),
        OrderRule(
            refreshing,
            outsideOf: ["retry"],
            "each attempt is sent with the credentials of the first one, even if they have changed since"
        ),
    ]
}
