import Foundation
import StartSmall

/// The exchange of a call with the server.
extension CachedCall {
    /// The end of one exchange with the server.
    struct Exchange: Sendable {
        var output: Output
        var status: CacheStatus
        var ending: CacheCoordinator.Ending
    }

    /// The times of one request.
    private struct Times: Sendable {
        var requestedAt: Date
        var receivedAt: Date
    }

    /// Sends the request, with its conditions; and once more without them, if a 304 is for no stored response.
    func exchange(_ forwarding: Forwarding) async -> Exchange {
        let coordinator = store.coordinator
        let number = coordinator.sendRequest(to: request.key.url)
        defer { coordinator.endRequest(number) }
        var status = CacheStatus()
        (status.forward, status.detail) = (forwarding.reason.forward, forwarding.reason.detail)
        if let validation = forwarding.validation {
            let (output, times) = await output(of: validation.conditional(request.input))
            guard case .hasResponse(let response) = output, response.statusCode == .notModified else {
                return await received(output, times, forwarding.selected, number, status)
            }
            let result = validation.result(
                of: response,
                for: request,
                requestedAt: times.requestedAt,
                receivedAt: times.receivedAt
            )
            if response.redirections.isEmpty, case .valid(let answer, let updated) = result {
                return await validated(answer, updated, number, status)
            }
        }
        let (output, times) = await output(of: request.input)
        return await received(output, times, forwarding.selected, number, status)
    }

    private func output(of input: Input) async -> (Output, Times) {
        let requestedAt = connector.now()
        let output = await send(input)
        let times = Times(requestedAt: requestedAt, receivedAt: connector.now())
        return (Task.isCancelled ? .noResponse(.cancelled) : output, times)
    }

    /// Returns the answer for an output, which is a stored response if the server failed and that is allowed.
    private func received(
        _ output: Output,
        _ times: Times,
        _ selected: StoredResponse?,
        _ number: UInt64,
        _ status: CacheStatus
    ) async -> Exchange {
        switch output {
        case .noResponse(.cancelled): return Exchange(output: output, status: status, ending: .cancelled)
        case _ where output.isServerFailure && store.coordinator.isValid(number):
            var failed = status
            failed.forwardStatus = output.response?.statusCode.code
            if let (answer, status) = selected.flatMap({ answer(afterError: $0, failed) }) {
                return Exchange(output: answer, status: status, ending: .failed)
            }
            fallthrough
        default:
            guard case .hasResponse(let response) = output else {
                // A broken payload is not stored, but its status counts.
                if let response = output.response { await change(by: response, times, selected, number) }
                let ending = output.isServerFailure ? CacheCoordinator.Ending.failed : .notShared
                return Exchange(output: output, status: status, ending: ending)
            }
            return await received(response, times, selected, number, status)
        }
    }

    /// Stores updated responses, and returns the one that is the answer.
    private func validated(
        _ answer: StoredResponse,
        _ updated: [StoredResponse],
        _ number: UInt64,
        _ status: CacheStatus
    ) async -> Exchange {
        var status = status
        status.forwardStatus = HTTPStatus.notModified.code
        let reason = updated.isEmpty ? .notUpdated : await write(updated, number)
        let ending = end(answer, &status, notStored: reason)
        return Exchange(output: output(of: answer.response, isMet: false), status: status, ending: ending)
    }

    /// Stores a response if it is storable, and returns it.
    private func received(
        _ response: Response,
        _ times: Times,
        _ selected: StoredResponse?,
        _ number: UInt64,
        _ status: CacheStatus
    ) async -> Exchange {
        var status = status
        var ending = CacheCoordinator.Ending.notShared
        let (requestedAt, receivedAt) = (times.requestedAt, times.receivedAt)
        switch rules.storage(of: response, to: request, requestedAt: requestedAt, receivedAt: receivedAt) {
        case .store(let stored): ending = end(stored, &status, notStored: await write([stored], number))
        case .leave(let reason):
            status.detail = status.detail ?? reason.rawValue
            await change(by: response, times, selected, number)
        }
        return Exchange(output: .hasResponse(response), status: status, ending: ending)
    }

    /// Writes the stored responses that a response changes without being stored itself.
    private func change(
        by response: Response,
        _ times: Times,
        _ selected: StoredResponse?,
        _ number: UInt64
    ) async {
        let changed = await changes(by: response, times, selected)
        if !changed.isEmpty { _ = await write(changed, number) }
    }

    /// Returns the stored responses that a response changes without being stored itself.
    ///
    /// A response to HEAD updates or invalidates (RFC 9111 4.3.5), and a 304 that answers the caller's own condition
    /// updates (4.3.4). After any other response that is no error of the server, the older one must not be used without
    /// validation: the caller would see a state before one that it has seen.
    private func changes(by response: Response, _ times: Times, _ selected: StoredResponse?) async -> [StoredResponse] {
        let (requestedAt, receivedAt) = (times.requestedAt, times.receivedAt)
        if request.isHead {
            let stored = await load() ?? []
            return rules.changes(by: response, to: request, stored, requestedAt: requestedAt, receivedAt: receivedAt)
        }
        guard let selected else { return [] }
        guard response.statusCode == .notModified else {
            return response.statusCode.isServerError || selected.isInvalidated ? [] : [selected.invalidated()]
        }
        guard let tag = response.etag, selected.facts.etag?.isStronglyEqual(to: tag) == true else { return [] }
        let own = Validation(candidates: [selected], tags: [], lastModified: nil)
        let result = own.result(of: response, for: request, requestedAt: requestedAt, receivedAt: receivedAt)
        guard case .valid(_, let updated) = result else { return [] }
        return updated
    }

    private func write(_ stored: [StoredResponse], _ number: UInt64) async -> NotStoredReason? {
        await store.write(stored, request.key, of: number)
    }

    /// Completes a status, and returns whether waiting calls can use the response.
    private func end(
        _ stored: StoredResponse,
        _ status: inout CacheStatus,
        notStored reason: NotStoredReason?
    ) -> CacheCoordinator.Ending {
        guard reason == nil else {
            status.detail = reason?.rawValue
            return .notShared
        }
        let time = connector.now()
        status.isStored = true
        status.ttl = CacheSeconds.whole(rules.freshness(of: stored, for: request, at: time).remaining)
        var plain = request
        (plain.directives, plain.condition) = (.none, nil)
        if case .forward = rules.decision(on: plain, [stored], at: time) { return .notShared }
        return .stored
    }
}
