import StartSmallCore
import StartSmallFoundation

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
    let send: @Sendable (Input) async -> Output

    var store: CacheStore { connector.store }
    var rules: CacheRules { connector.rules }

    private typealias Fetch = CacheCoordinator.Fetch

    private struct Progress {
        /// Whether the call sends its own request, if it needs one.
        var isAlone: Bool

        /// The reason why the call waited, and the requests for which it has waited.
        var reason: MissReason?
        var waitedFor: Set<Fetch> = []

        /// Whether a request of another call has failed in the meantime.
        var hasFailed = false
    }

    private static let cancelled = (Output.noResponse(.cancelled), CacheStatus())

    func output() async -> (Output, CacheStatus) {
        // A caller that demands validation gets it only by a request of its own.
        var progress = Progress(isAlone: isDryRun || request.isForced)
        while true {
            let endings = store.coordinator.endings
            guard let stored = await load() else { return Self.cancelled }
            let decision = rules.decision(on: request, stored, at: connector.now())
            if let answer = answer(decision, progress) { return answer }
            guard case .forward(let forwarding) = decision else { return Self.cancelled }
            if progress.isAlone {
                let exchange = await exchange(forwarding)
                return (exchange.output, exchange.status)
            }
            let fetch = fetch(stored)
            switch store.coordinator.role(in: fetch) {
            case .lead(let number): return await lead(forwarding, fetch, number, since: endings, progress)
            case .wait(let signal):
                guard let ending = await signal.value() else { return Self.cancelled }
                if ending == .cancelled { continue }
                progress.reason = progress.reason ?? forwarding.reason
                progress.hasFailed = ending == .failed
                progress.isAlone = ending != .stored || !progress.waitedFor.insert(fetch).inserted
            }
        }
    }

    /// Sends a request for which other calls wait; if this one is cancelled, one of them takes over at once.
    private func lead(
        _ forwarding: Forwarding,
        _ fetch: Fetch,
        _ number: UInt64,
        since endings: UInt64,
        _ progress: Progress
    ) async -> (Output, CacheStatus) {
        let coordinator = store.coordinator
        return await withTaskCancellationHandler {
            var forwarding = forwarding
            // Another call may have stored the response after this one looked, and before it took the lead.
            if coordinator.endings != endings {
                guard let stored = await load() else { return Self.cancelled }
                let decision = rules.decision(on: request, stored, at: connector.now())
                if let answer = answer(decision, progress) {
                    coordinator.end(fetch, number, .stored)
                    return answer
                }
                if case .forward(let again) = decision { forwarding = again }
            }
            let exchange = await exchange(forwarding)
            coordinator.end(fetch, number, exchange.ending)
            return (exchange.output, exchange.status)
        } onCancel: {
            coordinator.end(fetch, number, .cancelled)
        }
    }

    /// Validates a stale response in the background, once at a time (RFC 5861 3).
    ///
    /// The request is a call of its own, since it outlives this one; no listener observes it.
    private func validateLater(_ selected: StoredResponse) {
        let (coordinator, inner) = (store.coordinator, connector.inner)
        let fetch = fetch([selected])
        guard let number = coordinator.leadInBackground(fetch) else { return }
        let call = CachedCall(connector: connector, request: request) { input in
            await WebAPI.call(with: input.with { $0.options = $0.options.inBackground }, via: inner)
        }
        Task { @concurrent in
            let exchange = await call.exchange(Forwarding(reason: .stale, selected: selected))
            coordinator.end(fetch, number, exchange.ending)
        }
    }

    /// Returns the stored responses that can answer the request, or be validated for it.
    private func load() async -> [StoredResponse]? {
        guard let stored = await store.load(request.key) else { return nil }
        return stored.allSatisfy { $0.hasCoding(of: request) } ? stored : stored.filter { $0.hasCoding(of: request) }
    }

    /// Returns the request to share, by the fields by which the stored responses vary, and a new one probably does.
    private func fetch(_ stored: [StoredResponse]) -> Fetch {
        let vary = Vary(names: stored.flatMap(\.facts.vary.names))
        let variant = vary.variant(of: request.input.headers, request.identity)
        return Fetch(key: request.key, variant: variant, options: request.input.options.inBackground)
    }

    /// Returns the answer of a decision; nil if a request has to be sent.
    private func answer(_ decision: CacheDecision, _ progress: Progress) -> (Output, CacheStatus)? {
        var status = CacheStatus(isHit: progress.reason == nil, forward: progress.reason?.forward)
        status.isCollapsed = progress.reason != nil
        switch decision {
        case .fresh(let selected, let freshness): return answer(selected, freshness, status)
        case .stale(let selected, let permission, let freshness):
            if permission == .whileRevalidate, !isDryRun, !request.directives.isOnlyIfCached {
                validateLater(selected)
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
        return (output(of: response), status)
    }

    /// Returns a stored response in place of an error; nil if that is not allowed.
    func answer(afterError stored: StoredResponse, _ status: CacheStatus) -> (Output, CacheStatus)? {
        let now = connector.now()
        guard rules.isUsable(afterError: stored, for: request, at: now) else { return nil }
        var status = status
        status.detail = StalePermission.ifError.rawValue
        return answer(stored, rules.freshness(of: stored, for: request, at: now), status)
    }

    /// Returns the output for a stored or validated response, which may be too large for the request.
    func output(of response: Response) -> Output {
        var response = response
        response.url = response.base(of: request.input)
        guard let limit = request.input.payloadLimit.map({ max(0, $0) }), response.payload.count > limit else {
            return .hasResponse(response)
        }
        response.payload = response.payload.prefix(limit)
        return .noResponse(.payloadTooLarge(response, limit: limit))
    }
}
