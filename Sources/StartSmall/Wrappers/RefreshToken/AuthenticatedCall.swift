import Foundation

/// One call with a token: performs the steps that ``TokenCall`` decides.
///
/// Each step is a function of its own, and their state is in an object: one function with a loop over all steps is 45
/// KB of machine code.
final class AuthenticatedCall {
    private let authenticator: TokenAuthenticator
    private let input: Input
    private let next: Next

    private var call = TokenCall()
    private var step = TokenCall.Step.load

    /// The end of the work for which the call waits.
    private var ticket: RefreshCoordinator.Ticket?

    /// The output of the last request.
    private var output = Output.noResponse(.cancelled)

    /// The response that rejected the token.
    private var rejection: Response?

    /// Whether the call has waited since its last request.
    private var hasWaited = false

    init(_ authenticator: TokenAuthenticator, _ input: Input, _ next: Next) {
        (self.authenticator, self.input, self.next) = (authenticator, input, next)
    }

    private var coordinator: RefreshCoordinator { authenticator.store.coordinator }

    /// Makes the call, and repeats it once if its token is rejected and there is another token for the same identity.
    func run() async -> Output {
        while true {
            // A listener of the last step may have cancelled the call.
            if next.context.isCancelled { return abandon() }
            if let last = await perform(step) { return last }
        }
    }

    /// Performs a step, and returns the output of the call if the step was the last one.
    // Not inlined: after each `await` inside of a loop, there is a copy of the machine code of the whole loop.
    @inline(never) private func perform(_ step: TokenCall.Step) async -> Output? {
        switch step {
        case .load: await load()
        case .wait: await wait()
        case .begin(let work): await begin(work)
        case .send(let token): await send(token)
        case .sendWithoutToken: await next(input)
        case .finish: output
        case .fail(let failure): .noResponse(.refreshFailed(failure, after: rejection))
        }
    }

    /// Loads the token, and decides the next step.
    private func load() async -> Output? {
        call.beginLoading(in: coordinator.generation)
        do {
            if let stored = try await authenticator.store.load() {
                decide(with: stored)
            } else if authenticator.requestsFirst, !call.isRejected {
                decide(with: .none)
            } else {
                (step, ticket) = (call.loadedNothing(), nil)
            }
        } catch is CancellationError {
            return .noResponse(.cancelled)
        } catch {
            step = .fail(.storeFailed(error))
        }
        return nil
    }

    private func decide(with stored: AccessToken) {
        let token = coordinator.token(insteadOf: stored)
        var loaded = TokenCall.Loaded(stored: stored, token: token)
        loaded.isExpiring =
            authenticator.requestsFirst && token.isNone
            || authenticator.policy.expiresSoon(token, now: authenticator.now())
        // Only a refresh needs the time, and no clock is read under a lock.
        if loaded.isExpiring || call.isRejected { loaded.time = authenticator.time() }
        var call = call
        (step, ticket) = coordinator.decide { state in
            var step = TokenCall.Step.load
            authenticator.window.withLock { window in step = call.loaded(loaded, &state, &window) }
            return step
        }
        self.call = call
    }

    /// Begins a refresh or another attempt to save a token, and waits for its end.
    private func begin(_ work: RefreshState.Work) async -> Output? {
        if work.kind == .refresh { reportRefreshing(isFirst: true) }
        // A listener may have cancelled the call.
        if next.context.isCancelled { return abandon() }
        coordinator.begin(work, in: authenticator.store) { [authenticator, input] token in
            // A token that can't be sent replaces no other one.
            await authenticator.refresh(token).flatMap { new in
                authenticator.policy.attach(new, input).map { _ in new }.mapLeft(RefreshFailure.noResponse)
            }
        }
        return await awaitEnd()
    }

    /// Waits for the work that another call has begun.
    private func wait() async -> Output? {
        reportRefreshing(isFirst: false)
        if next.context.isCancelled { return abandon() }
        return await awaitEnd()
    }

    private func reportRefreshing(isFirst: Bool) {
        next.report(.refreshing(after: rejection, isFirst: isFirst))
        hasWaited = true
    }

    private func awaitEnd() async -> Output? {
        guard let ended = await ticket?.value() else { return .noResponse(.cancelled) }
        step = call.waited(ended.work, ended.generation, endedAs: ended.ending)
        return nil
    }

    /// Sends the request with a token; returns the output unless it rejects the token.
    private func send(_ token: AccessToken) async -> Output? {
        if call.isRejected || hasWaited { next.report(.refreshed) }
        hasWaited = false
        switch authenticator.policy.attach(token, input) {
        case .left(let error): return .noResponse(error)
        case .right(let signed): output = await next(signed)
        }
        guard let response = output.response, authenticator.policy.isRejection(response), !response.isOfAnotherOrigin,
            input.methodAndPayload.payload?.isAvailable ?? true
        else { return output }
        step = call.rejected()
        // The connection and the permit of the request are free during a refresh, and no event keeps a body.
        rejection = step == .finish ? response : output.discard().response
        return nil
    }

    /// Returns the output of a cancelled call, and leaves the work that the call had to begin to other calls.
    private func abandon() -> Output {
        if case .begin(let work) = step { coordinator.end(work, .abandoned) }
        return .noResponse(.cancelled)
    }
}

extension Response {
    /// Whether a redirect led to another origin, where ``Wrapper/redirect(_:)`` drops the token.
    fileprivate var isOfAnotherOrigin: Bool {
        redirections.contains { Origin($0.from) != Origin($0.to) }
    }
}
