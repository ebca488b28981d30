import StartSmall
import Synchronization

/// Two requests for one call, of which the first success is the output.
final class HedgedCall: Sendable {
    /// One of the two requests.
    enum Request: Sendable { case first, second }

    /// The pure state of the call.
    struct State: Sendable {
        private var failureOfFirst: Output?
        private var failureOfSecond: Output?
        private var hasSecond = false

        /// The output of the call; nil until it is known.
        private(set) var output: Output?

        /// Starts the second request, and returns whether it is still of use.
        mutating func startSecond() -> Bool {
            guard output == nil, failureOfFirst == nil else { return false }
            hasSecond = true
            return true
        }

        /// Ends a request.
        ///
        /// A failure is the output only when no request is left that could succeed; if both fail, it is that of the
        /// first request.
        mutating func end(_ request: Request, _ output: Output, isFailure: Bool) {
            guard self.output == nil else { return }
            if !isFailure {
                self.output = output
                return
            }
            switch request {
            case .first: failureOfFirst = output
            case .second: failureOfSecond = output
            }
            if !hasSecond || failureOfSecond != nil { self.output = failureOfFirst }
        }

        /// Ends the call with another output.
        mutating func abandon(_ output: Output) {
            if self.output == nil { self.output = output }
        }
    }

    private struct Shared: Sendable {
        var state = State()
        var waiter: CheckedContinuation<Output, Never>?
    }

    private let shared = Mutex(Shared())

    /// The output; nil until it is known.
    var outputIfKnown: Output? { shared.withLock { $0.state.output } }

    /// Starts the second request, and returns whether it is still of use.
    func startSecond() -> Bool { shared.withLock { $0.state.startSecond() } }

    /// Ends a request.
    func end(_ request: Request, _ output: Output, isFailure: Bool) {
        change { $0.end(request, output, isFailure: isFailure) }
    }

    /// Ends the call with another output.
    func abandon(_ output: Output) { change { $0.abandon(output) } }

    /// Waits for the output; may be called once.
    func output() async -> Output {
        await withCheckedContinuation { continuation in
            let output = shared.withLock { shared in
                if shared.state.output == nil { shared.waiter = continuation }
                return shared.state.output
            }
            if let output { continuation.resume(returning: output) }
        }
    }

    /// Changes the state, and resumes the waiting task outside of the lock.
    private func change(_ change: (inout State) -> Void) {
        let (waiter, output) = shared.withLock { shared in
            change(&shared.state)
            return shared.state.output == nil ? (nil, nil) : (shared.waiter.take(), shared.state.output)
        }
        if let output { waiter?.resume(returning: output) }
    }
}
