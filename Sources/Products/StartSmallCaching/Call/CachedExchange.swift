import StartSmallCore
import StartSmallFoundation
import StartSmallHeaders

extension CachedCall {
    struct Exchange: Sendable {
        var output: Output
        var status: CacheStatus
        var ending: CacheCoordinator.Ending
    }

    /// A request by its number, and the stored response that would have been the answer.
    private struct Sent: Sendable {
        let number: UInt64
        let selected: StoredResponse?
        let times: ExchangeTimes
    }

    /// Sends the request, with its conditions; and once more without them, if a 304 is for no stored response.
    func exchange(_ forwarding: Forwarding) async -> Exchange {
        let coordinator = store.coordinator
        let number = coordinator.sendRequest(to: request.key.url)
        defer { coordinator.endRequest(number) }
        var status = CacheStatus(forward: forwarding.reason.forward)
        status.detail = forwarding.reason.detail
        if let selected = forwarding.selected, selected.canBeValidated {
            let (output, times) = await output(of: selected.conditional(request.input))
            guard case .hasResponse(let response) = output, response.statusCode == .notModified else {
                return await received(output, Sent(number: number, selected: selected, times: times), status)
            }
            if response.redirections.isEmpty, let valid = selected.validated(by: response, for: request, times) {
                status.forwardStatus = HTTPStatus.notModified.code
                let reason = valid.isStorable ? await write(valid.stored, number) : .notUpdated
                let ending = end(valid.stored, &status, notStored: reason)
                return Exchange(output: self.output(of: valid.stored.response), status: status, ending: ending)
            }
        }
        let (output, times) = await output(of: request.input)
        return await received(output, Sent(number: number, selected: forwarding.selected, times: times), status)
    }

    private func output(of input: Input) async -> (Output, ExchangeTimes) {
        let requestedAt = connector.now()
        let output = await send(input)
        let times = ExchangeTimes(requestedAt: requestedAt, receivedAt: connector.now())
        return (Task.isCancelled ? .noResponse(.cancelled) : output, times)
    }

    /// Returns the answer for an output, which is a stored response if the server failed and that is allowed.
    private func received(_ output: Output, _ sent: Sent, _ status: CacheStatus) async -> Exchange {
        if case .noResponse(.cancelled) = output { return Exchange(output: output, status: status, ending: .cancelled) }
        if output.isServerFailure, let selected = sent.selected, store.coordinator.isValid(sent.number) {
            var failed = status
            failed.forwardStatus = output.response?.statusCode.code
            if let (answer, status) = answer(afterError: selected, failed) {
                return Exchange(output: answer, status: status, ending: output.hasOwnEnd ? .cancelled : .failed)
            }
        }
        guard case .hasResponse(let response) = output else {
            // A broken payload is not stored, but its status counts.
            if let response = output.response { await removeStored(after: response, sent) }
            // After a limit of this call alone, a call with a longer one takes over.
            let ending: CacheCoordinator.Ending = output.isServerFailure ? .failed : .notShared
            return Exchange(output: output, status: status, ending: output.hasOwnEnd ? .cancelled : ending)
        }
        var status = status
        var ending = CacheCoordinator.Ending.notShared
        switch rules.storage(of: response, to: request, sent.times) {
        case .store(let stored): ending = end(stored, &status, notStored: await write(stored, sent.number))
        case .leave(let reason):
            status.detail = status.detail ?? reason.rawValue
            await removeStored(after: response, sent)
        }
        return Exchange(output: output, status: status, ending: ending)
    }

    /// Removes the stored response when another one arrives that is not stored, and is no error of the server.
    ///
    /// Otherwise, the caller would see a state before one that it has seen.
    private func removeStored(after response: Response, _ sent: Sent) async {
        let status = response.statusCode
        if sent.selected == nil || status == .notModified || status.isServerError { return }
        await store.remove([request.key.url])
    }

    private func write(_ stored: StoredResponse, _ number: UInt64) async -> NotStoredReason? {
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
        plain.directives = .none
        if case .forward = rules.decision(on: plain, [stored], at: time) { return .notShared }
        return .stored
    }
}

extension Output {
    /// Whether a time limit that the caller of this call has chosen ended it, which is no failure of the server.
    fileprivate var hasOwnEnd: Bool {
        guard case .noResponse(.timedOut(let cause)) = self else { return false }
        return cause.isChosenTimeLimit || cause == .noTimeLeft
    }
}
