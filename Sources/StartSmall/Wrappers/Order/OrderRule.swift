/// A rule on the order of two wrappers.
public enum OrderRule: String, Hashable, Sendable, CaseIterable {
    /// An idempotency key is inside of a wrapper that sends a request again.
    case idempotencyKeyInsideOfRetry

    /// A log or recording is inside of credentials that its redaction does not hide.
    case copyInsideOfCredentials

    /// A cache, or a wrapper that shares responses, is outside of credentials or cookies.
    case sharingOutsideOfCredentials

    /// A wrapper decides by a part of the request that an inner wrapper changes.
    case decisionOutsideOfChange

    /// A signature is outside of a wrapper that changes what is signed.
    case signatureOutsideOfChange

    /// A time limit is outside of a longer one.
    case limitOutsideOfLongerLimit

    /// A circuit breaker is outside of a wrapper that sends a request again.
    case breakerOutsideOfRetry

    /// A circuit breaker is outside of a wrapper in which calls wait.
    case breakerOutsideOfWaiting

    /// A limit of concurrency or rate is outside of a wrapper that sends a request again.
    case limiterOutsideOfRetry

    /// A wrapper for each attempt is outside of a retry.
    case attemptOutsideOfRetry

    /// A wrapper for each request is outside of redirects.
    case requestOutsideOfRedirect

    /// A wrapper for the whole call is inside of a wrapper that sends a request again.
    case callInsideOfRetry

    /// A cache is outside of redirects.
    case cacheOutsideOfRedirect

    /// Credentials for every origin are inside of redirects.
    case credentialsInsideOfRedirect

    /// Credentials are outside of redirects that do not drop them at another origin.
    case credentialsKeptByRedirect

    /// A wrapper that shares responses in flight is outside of a cache.
    case sharingOutsideOfCache

    /// A wrapper that replaces failures is inside of one that acts on failures.
    case failuresReplacedInside
}

extension OrderRule {
    /// The move by which an order is improved.
    enum Move: CaseIterable {
        case inner
        case outer
        case both
    }

    /// The moves to try, the best first.
    var moves: [Move] {
        switch self {
        case .limitOutsideOfLongerLimit: [.both, .inner, .outer]
        case .idempotencyKeyInsideOfRetry, .copyInsideOfCredentials, .callInsideOfRetry, .credentialsInsideOfRedirect,
            .failuresReplacedInside, .attemptOutsideOfRetry:
            [.inner, .outer]
        default: [.outer, .inner]
        }
    }

    /// Returns the reason for which the order of two wrappers violates this rule; nil if it does not.
    ///
    /// - Parameters:
    ///   - outer: the declaration of the outer wrapper.
    ///   - inner: the declaration of the inner wrapper.
    func reason(_ outer: WrapperDeclaration, _ inner: WrapperDeclaration) -> String? {
        switch self {
        case .idempotencyKeyInsideOfRetry: Self.idempotencyKey(outer, inner)
        case .copyInsideOfCredentials: Self.copy(outer, inner)
        case .sharingOutsideOfCredentials: Self.sharing(outer, inner)
        case .decisionOutsideOfChange: Self.decision(outer, inner)
        case .signatureOutsideOfChange: Self.signature(outer, inner)
        case .limitOutsideOfLongerLimit: Self.limit(outer, inner)
        case .breakerOutsideOfRetry: Self.breaker(outer, inner)
        case .breakerOutsideOfWaiting: Self.waiting(outer, inner)
        case .limiterOutsideOfRetry: Self.limiter(outer, inner)
        case .attemptOutsideOfRetry: Self.attempt(outer, inner)
        case .requestOutsideOfRedirect: Self.request(outer, inner)
        case .callInsideOfRetry: Self.call(outer, inner)
        case .cacheOutsideOfRedirect: Self.cache(outer, inner)
        case .credentialsInsideOfRedirect: Self.credentials(outer, inner)
        case .credentialsKeptByRedirect: Self.keptCredentials(outer, inner)
        case .sharingOutsideOfCache: Self.sharingOfCache(outer, inner)
        case .failuresReplacedInside: Self.failures(outer, inner)
        }
    }
}
