import StartSmallCore
import Synchronization

/// The calls of a cache that are under way: one request at a time for each response, and changes of the store in turn.
///
/// A class, since the copies of a store share it.
final class CacheCoordinator: Sendable {
    /// A request that several calls can share: a key, the request fields that select a variant as far as known, and
    /// the options.
    struct Fetch: Hashable, Sendable {
        let key: CacheKey
        let variant: HTTPHeaders
        var options = RequestOptions()

        /// Hashes the key, and a variant if there is one: a hash of no fields costs as much as one of a few.
        func hash(into hasher: inout Hasher) {
            hasher.combine(key)
            if !variant.fields.isEmpty { hasher.combine(variant) }
        }
    }

    /// The ending of a shared request, for the calls that wait for it.
    ///
    /// The response is stored and usable, or for its own call only (RFC 9111 5.2.2.5); the server or the network
    /// failed; or the call was cancelled, and another one takes over.
    enum Ending: Hashable, Sendable {
        case stored, notShared, failed, cancelled
    }

    /// The role of a call: it sends the request, and ends it with this number; or it waits for another call's request.
    enum Role: Sendable {
        case lead(UInt64)
        case wait(Signal<Ending>)
    }

    private struct Leader: Sendable {
        let number: UInt64
        var waiting: [Signal<Ending>] = []
    }

    private struct State: Sendable {
        var leaders: [Fetch: Leader] = [:]
        var lastNumber: UInt64 = 0
        var endings: UInt64 = 0

        /// The requests under way by their numbers: their URLs, and whether these were invalidated since.
        var requests: [UInt64: (url: String, isInvalid: Bool)] = [:]

        /// For each URL whose stored responses are being changed, the changes that wait.
        var turns: [String: [Signal<Void>]] = [:]

        mutating func lead(_ fetch: Fetch) -> UInt64 {
            lastNumber &+= 1
            leaders[fetch] = Leader(number: lastNumber)
            return lastNumber
        }
    }

    private let state = Mutex(State())
}

extension CacheCoordinator {
    /// The number of shared requests that have ended, by which a call sees whether the store has changed.
    var endings: UInt64 { state.withLock { $0.endings } }

    var waitingCount: Int { state.withLock { $0.leaders.values.reduce(0) { $0 + $1.waiting.count } } }

    func role(in fetch: Fetch) -> Role {
        state.withLock { state in
            guard state.leaders[fetch] != nil else { return .lead(state.lead(fetch)) }
            let signal = Signal<Ending>()
            state.leaders[fetch]?.waiting.append(signal)
            return .wait(signal)
        }
    }

    /// Ends a shared request, and resumes the calls that wait for it; a second call has no effect.
    func end(_ fetch: Fetch, _ number: UInt64, _ ending: Ending) {
        let waiting = state.withLock { state -> [Signal<Ending>] in
            guard let leader = state.leaders[fetch], leader.number == number else { return [] }
            state.leaders[fetch] = nil
            state.endings &+= 1
            return leader.waiting
        }
        for signal in waiting { signal.send(ending) }
    }

    /// Begins a request for which no call waits yet; nil if one is under way.
    func leadInBackground(_ fetch: Fetch) -> UInt64? {
        state.withLock { $0.leaders[fetch] == nil ? $0.lead(fetch) : nil }
    }
}

/// Invalidation while requests are under way (RFC 9111 4.4).
extension CacheCoordinator {
    func sendRequest(to url: String) -> UInt64 {
        state.withLock { state in
            state.lastNumber &+= 1
            state.requests[state.lastNumber] = (url, isInvalid: false)
            return state.lastNumber
        }
    }

    /// Whether the response to a request may be stored: it is registered, and its URL was not invalidated since.
    func isValid(_ request: UInt64) -> Bool {
        state.withLock { $0.requests[request]?.isInvalid == false }
    }

    func endRequest(_ request: UInt64) {
        state.withLock { _ = $0.requests.removeValue(forKey: request) }
    }

    /// Marks the requests to a URL that are under way: their responses may be older than the change.
    func invalidateRequests(to url: String) {
        state.withLock { state in
            for (number, request) in state.requests where request.url == url {
                state.requests[number]?.isInvalid = true
            }
        }
    }
}

extension CacheCoordinator {
    /// Runs a function after all earlier changes of a URL's stored responses.
    func withTurn<Result>(at url: String, _ change: () async -> Result) async -> Result {
        let turn = state.withLock { state -> Signal<Void>? in
            let turn = state.turns[url].map { _ in Signal<Void>() }
            state.turns[url, default: []] += turn.map { [$0] } ?? []
            return turn
        }
        // Not cancelled with the call, so that two changes never overlap.
        if let turn { _ = await Task { await turn.value() }.value }
        let result = await change()
        let next = state.withLock { state -> Signal<Void>? in
            guard state.turns[url]?.isEmpty == false else {
                state.turns[url] = nil
                return nil
            }
            return state.turns[url]?.removeFirst()
        }
        next?.send(())
        return result
    }
}
