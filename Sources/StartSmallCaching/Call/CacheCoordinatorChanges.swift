import StartSmall
import Synchronization

/// Invalidation while requests are under way (RFC 9111 4.4).
extension CacheCoordinator {
    /// Registers a request that is about to be sent.
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

    /// Removes a request.
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

/// Changes of the store.
extension CacheCoordinator {
    /// Runs a function after all earlier changes of a URL's stored responses.
    func withTurn<Result>(at url: String, _ change: () async -> Result) async -> Result {
        let turn = state.withLock { state -> Signal<Void>? in
            guard state.turns[url] != nil else {
                state.turns[url] = []
                return nil
            }
            let signal = Signal<Void>()
            state.turns[url]?.append(signal)
            return signal
        }
        _ = await turn?.value()
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

    /// Runs a function after all earlier changes of a store that answers at once.
    func withImmediateTurn<Result>(_ change: () -> Result) -> Result where Result: Sendable {
        immediateTurn.withLock { _ in change() }
    }

    /// Whether stored responses of a URL may be there that should have been removed.
    func distrusts(_ url: String) -> Bool {
        state.withLock { $0.distrustsAll || $0.distrusted.contains(url) }
    }

    /// Notes whether the stored responses of a URL could be removed.
    ///
    /// After too many failures, all responses are validated before use: nothing says which of them are outdated.
    func noteRemoval(of url: String, succeeded: Bool) {
        state.withLock { state in
            if succeeded {
                state.distrusted.remove(url)
            } else if state.distrusted.count < Self.maximumRemembered {
                state.distrusted.insert(url)
            } else {
                state.distrustsAll = true
            }
        }
    }
}
