import Foundation
import StartSmall

/// An injector of the faults of one call.
struct FaultInjector<C: Clock<Duration>>: Sendable {
    private let kinds: [Fault.Kind]
    private let clock: C

    init(_ kinds: [Fault.Kind], clock: C) {
        (self.kinds, self.clock) = (kinds, clock)
    }

    /// Makes a call with its faults.
    func call(_ input: Input, _ next: Next) async -> Output {
        for kind in kinds {
            switch kind {
            case .latency(let duration): if await !pause(duration) { return .noResponse(.cancelled) }
            case .output(let output): return output
            case .truncated, .cutOff, .slow: continue
            }
        }
        let faults = PayloadFaults(kinds)
        if faults.isPlain { return await next(input) }
        return await PayloadFaultInjector(faults, pause: pause).call(input, next)
    }

    /// Waits; returns false if the task was cancelled.
    private func pause(_ duration: Duration) async -> Bool {
        do { try await clock.sleep(for: min(max(duration, .zero), .maximumWait)) } catch { return false }
        return true
    }
}
