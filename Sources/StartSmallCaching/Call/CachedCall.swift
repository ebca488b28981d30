import Foundation
import StartSmall

/// The parts of a cache around one connector, which all calls through it share.
final class CachedConnector: Sendable {
    let store: CacheStore
    let rules: CacheRules
    let now: @Sendable () -> Date

    /// The connector inside of the cache, for requests that outlive their call.
    let inner: Connector

    init(_ inner: Connector, _ store: CacheStore, _ rules: CacheRules, now: @escaping @Sendable () -> Date) {
        (self.inner, self.store, self.rules, self.now) = (inner, store, rules, now)
    }
}

/// A call that a stored response may answer: it does what ``CacheRules`` decides.
struct CachedCall: Sendable {
    let connector: CachedConnector
    let request: CacheableRequest

    /// Whether nothing is sent, so that no other call may wait for this one.
    var isDryRun = false

    /// Sends a request for this call.
    let send: @Sendable (Input) async -> Output

    var store: CacheStore { connector.store }
    var rules: CacheRules { connector.rules }

    typealias Fetch = CacheCoordinator.Fetch

    /// The progress of a call that waits for others.
    struct Progress {
        /// The reason why the call waited; nil if it has not.
        var reason: MissReason?

        /// The requests for which the call has waited.
        var waitedFor: Set<Fetch> = []

        /// Whether the call sends its own request, if it needs one.
        var isAlone = false

        /// Whether a request of another call has failed in the meantime.
        var hasFailed = false
    }

    /// Returns the output of the call, and its handling.
    func output() async -> (Output, CacheStatus) {
        var progress = Progress(isAlone: isDryRun || !isShareable)
        while true {
            let endings = store.coordinator.endings
            guard let stored = await load() else { return cancelled }
            let decision = rules.decision(on: request, stored, at: connector.now())
            if let answer = answer(decision, stored, progress) { return answer }
            guard case .forward(let forwarding) = decision else { return cancelled }
            let fetch = Fetch(key: request.key, variant: variant(stored))
            switch progress.isAlone ? .alone : store.coordinator.role(in: fetch) {
            case .alone: return await sendAlone(forwarding, fetch)
            case .lead(let number): return await lead(forwarding, fetch, number, since: endings, progress)
            case .wait(let signal):
                guard let ending = await signal.value() else { return cancelled }
                if ending == .cancelled { continue }
                progress.reason = progress.reason ?? forwarding.reason
                progress.hasFailed = ending == .failed
                progress.isAlone = ending != .stored || !progress.waitedFor.insert(fetch).inserted
            }
        }
    }

    /// Whether the call may share another call's request: not if only its own request gets what it asks for.
    private var isShareable: Bool { !request.isHead && request.condition == nil && !request.isForced }

    var cancelled: (Output, CacheStatus) { (.noResponse(.cancelled), CacheStatus()) }

    /// Returns the stored responses that can answer the request, or be validated for it.
    func load() async -> [StoredResponse]? {
        guard let stored = await store.load(request.key) else { return nil }
        return stored.allSatisfy { $0.hasCoding(of: request) } ? stored : stored.filter { $0.hasCoding(of: request) }
    }

    /// Returns the request fields by which the stored responses vary, and a new response probably does.
    func variant(_ stored: [StoredResponse]) -> HTTPHeaders {
        stored.isEmpty
            ? [:] : Vary(names: stored.flatMap(\.facts.vary.names)).variant(of: request.input.headers, request.identity)
    }

    /// Returns the answer of a decision; nil if a request has to be sent.
    func answer(
        _ decision: CacheDecision,
        _ stored: [StoredResponse],
        _ progress: Progress
    ) -> (Output, CacheStatus)? {
        var status = CacheStatus()
        (status.isCollapsed, status.isHit) = (progress.reason != nil, progress.reason == nil)
        status.forward = progress.reason?.forward
        switch decision {
        case .fresh(let selected, let freshness): return answer(selected, freshness, status)
        case .stale(let selected, let permission, let freshness):
            if permission == .whileRevalidate, !isDryRun, !request.directives.isOnlyIfCached {
                validateLater(selected, stored)
            }
            status.detail = permission.rawValue
            return answer(selected, freshness, status)
        case .gatewayTimeout: return (.hasResponse(Response(statusCode: .gatewayTimeout)), .onlyIfCached)
        case .forward(let forwarding):
            guard progress.hasFailed, let selected = forwarding.selected else { return nil }
            return answer(afterError: selected, status)
        }
    }

    /// Returns a stored response as the answer (RFC 9111 4), with its age.
    private func answer(
        _ stored: StoredResponse,
        _ freshness: Freshness,
        _ status: CacheStatus
    ) -> (Output, CacheStatus) {
        var (response, status) = (stored.response, status)
        response.headers["Age"] = "\(CacheSeconds.whole(freshness.age))"
        status.ttl = CacheSeconds.whole(freshness.remaining)
        return (output(of: response, isMet: request.condition?.isMet(by: stored) ?? false), status)
    }

    /// Returns a stored response in place of an error; nil if that is not allowed.
    func answer(afterError stored: StoredResponse, _ status: CacheStatus) -> (Output, CacheStatus)? {
        let now = connector.now()
        guard rules.isUsable(afterError: stored, for: request, at: now) else { return nil }
        var status = status
        status.detail = StalePermission.ifError.rawValue
        return answer(stored, rules.freshness(of: stored, for: request, at: now), status)
    }

    /// Returns the output for a stored or validated response.
    ///
    /// - Parameters:
    ///   - response: the response.
    ///   - isMet: whether the caller's version is the same, so that 304 is the answer (RFC 9111 4.3.2).
    func output(of response: Response, isMet: Bool) -> Output {
        if isMet { return .hasResponse(response.notModified) }
        var response = response
        if request.isHead { response.payload = Data() }
        guard let limit = request.input.payloadLimit.map({ max(0, $0) }), response.payload.count > limit else {
            return .hasResponse(response)
        }
        response.payload = response.payload.prefix(limit)
        return .noResponse(.payloadTooLarge(response, limit: limit))
    }
}
