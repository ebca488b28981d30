import Foundation
import StartSmall

/// The requests of a call: alone, for others as well, or in the background.
extension CachedCall {
    /// Sends a request for which no other call waits.
    func sendAlone(_ forwarding: Forwarding, _ fetch: Fetch) async -> (Output, CacheStatus) {
        let exchange = await exchange(forwarding)
        if exchange.ending == .stored { store.coordinator.share(fetch) }
        return (exchange.output, exchange.status)
    }

    /// Sends a request for which other calls wait; if this one is cancelled, one of them takes over at once.
    func lead(
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
                guard let stored = await load() else { return cancelled }
                let decision = rules.decision(on: request, stored, at: connector.now())
                if let answer = answer(decision, stored, progress) {
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
    func validateLater(_ selected: StoredResponse, _ stored: [StoredResponse]) {
        let (coordinator, inner) = (store.coordinator, connector.inner)
        let fetch = Fetch(key: request.key, variant: variant(stored))
        let limit = rules.options.maxBackgroundValidations
        guard let number = coordinator.beginInBackground(fetch, limit: limit) else { return }
        var plain = request
        (plain.input.methodAndPayload, plain.condition) = (.get, nil)
        for name in ["If-None-Match", "If-Modified-Since"] { plain.input.headers[name] = nil }
        let call = CachedCall(connector: connector, request: plain) { input in
            await WebAPI.call(with: input, via: inner)
        }
        let validation = rules.validation(of: selected, plain, stored)
        let forwarding = Forwarding(reason: .stale, selected: selected, validation: validation)
        Task { @concurrent in
            let exchange = await call.exchange(forwarding)
            coordinator.endInBackground(fetch, number, exchange.ending)
        }
    }
}
