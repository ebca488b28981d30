import StartSmall
import Synchronization

/// The calls of a cache that are under way: one request at a time for each response, and changes of the store in turn.
///
/// A class, since the copies of a store share it.
final class CacheCoordinator: Sendable {
    /// A request that several calls can share: a key, and the request fields that select a variant as far as known.
    struct Fetch: Hashable, Sendable {
        private let key: CacheKey
        private let variant: HTTPHeaders

        /// The hash, calculated once.
        private let hash: Int

        init(key: CacheKey, variant: HTTPHeaders) {
            (self.key, self.variant) = (key, variant)
            var hasher = Hasher()
            hasher.combine(key)
            if !variant.fields.isEmpty { hasher.combine(variant) }
            hash = hasher.finalize()
        }

        func hash(into hasher: inout Hasher) { hasher.combine(hash) }
    }

    /// The ending of a shared request, for the calls that wait for it.
    enum Ending: Hashable, Sendable {
        /// The response is stored, and usable.
        case stored

        /// The response is for its own call only, as those of such requests usually are.
        case notShared

        /// The server or the network failed.
        case failed

        /// The call was cancelled: another one takes over.
        case cancelled
    }

    /// The role of a call.
    enum Role: Sendable {
        /// The call sends the request, and ends it with this number.
        case lead(UInt64)

        /// The call waits for another call's request.
        case wait(Signal<Ending>)

        /// The call sends a request of its own, for which no other call waits.
        case alone
    }

    /// A call that sends a shared request, and the calls that wait for it.
    struct Leader: Sendable {
        let number: UInt64
        var waiting: [Signal<Ending>] = []
    }

    /// The state behind the lock.
    struct State: Sendable {
        var leaders: [Fetch: Leader] = [:]
        var unshared: Set<Fetch> = []
        var lastNumber: UInt64 = 0
        var endings: UInt64 = 0
        var backgroundCount = 0

        /// The requests under way by their numbers: their URLs, and whether these were invalidated since.
        var requests: [UInt64: (url: String, isInvalid: Bool)] = [:]

        /// For each URL whose stored responses are being changed, the changes that wait.
        var turns: [String: [Signal<Void>]] = [:]

        /// The URLs that could not be removed from the store.
        var distrusted: Set<String> = []
        var distrustsAll = false
    }

    let state = Mutex(State())

    /// The turn to change a store that answers at once; taken before ``state``.
    let immediateTurn = Mutex(())

    /// The maximum number of remembered requests whose responses could not be shared, and of distrusted URLs: 1,000,
    /// which are some hundred kilobytes.
    static let maximumRemembered = 1000
}

/// One request at a time.
extension CacheCoordinator {
    /// The number of shared requests that have ended, by which a call sees whether the store has changed.
    var endings: UInt64 { state.withLock { $0.endings } }

    /// The number of calls that wait for a request.
    var waitingCount: Int { state.withLock { $0.leaders.values.reduce(0) { $0 + $1.waiting.count } } }

    /// The number of requests in the background.
    var backgroundCount: Int { state.withLock { $0.backgroundCount } }

    /// Assigns a role to a call.
    func role(in fetch: Fetch) -> Role {
        state.withLock { state in
            if !state.unshared.isEmpty, state.unshared.contains(fetch) { return .alone }
            guard state.leaders[fetch] == nil else {
                let signal = Signal<Ending>()
                state.leaders[fetch]?.waiting.append(signal)
                return .wait(signal)
            }
            return .lead(state.lead(fetch))
        }
    }

    /// Ends a shared request, and resumes the calls that wait for it; a second call has no effect.
    func end(_ fetch: Fetch, _ number: UInt64, _ ending: Ending) {
        let waiting = state.withLock { state -> [Signal<Ending>] in
            guard let leader = state.leaders[fetch], leader.number == number else { return [] }
            state.leaders[fetch] = nil
            state.endings &+= 1
            if ending == .notShared { state.unshared.insertBounded(fetch, Self.maximumRemembered) }
            return leader.waiting
        }
        for signal in waiting { signal.send(ending) }
    }

    /// Lets the next calls share a request again, since a response could be stored.
    func share(_ fetch: Fetch) {
        state.withLock { _ = $0.unshared.remove(fetch) }
    }

    /// Begins a request in the background; nil if one is under way, or if there are `limit` others.
    func beginInBackground(_ fetch: Fetch, limit: Int) -> UInt64? {
        state.withLock { state -> UInt64? in
            guard state.leaders[fetch] == nil, state.backgroundCount < limit else { return nil }
            state.backgroundCount += 1
            return state.lead(fetch)
        }
    }

    /// Ends a request in the background.
    func endInBackground(_ fetch: Fetch, _ number: UInt64, _ ending: Ending) {
        state.withLock { $0.backgroundCount -= 1 }
        end(fetch, number, ending)
    }
}

extension CacheCoordinator.State {
    fileprivate mutating func lead(_ fetch: CacheCoordinator.Fetch) -> UInt64 {
        lastNumber &+= 1
        leaders[fetch] = .init(number: lastNumber)
        return lastNumber
    }
}

extension Set {
    /// Inserts an element; a full set forgets the others before.
    fileprivate mutating func insertBounded(_ element: Element, _ limit: Int) {
        if count >= limit { removeAll() }
        insert(element)
    }
}
