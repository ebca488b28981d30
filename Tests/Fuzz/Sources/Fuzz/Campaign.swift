import Foundation
import Synchronization

/// Runs all targets.
enum Campaign {
    /// Five times as long as it should take, which is 500 ms: on a noisy machine, the best of five may well be twice as
    /// long, or three times. What is quadratic takes seconds.
    private static let tooSlow = 5.0

    /// One target for each processor, for what is measured is a thread's own work.
    private static let processors = ProcessInfo.processInfo.activeProcessorCount

    /// Reads a megabyte of hostile input per target, and prints how long that took; whether none was too slow.
    static func time(_ targets: [Target], seed: UInt64) -> Bool {
        print("1 MB of hostile input, the slowest per target, in ms of the thread's work, and at most so many")
        print("the same inputs again: make fuzz SEED=\(seed)\n")
        return all(targets, atOnce: processors) { target in
            let outcome = try Child(target: target, arguments: ["time", target.name, "\(seed)"]).run()
            var lines = outcome.output.split(separator: "\n")
            let fields = (outcome.end == .fine ? lines.popLast() : nil)?.split(separator: "\t", maxSplits: 1) ?? []
            guard fields.count == 2, let time = Double(fields[0]) else {
                let input = String(decoding: outcome.lastInput, as: UTF8.self)
                return (false, row(target, "MISSED: \(outcome.end) at \(input)"))
            }
            let isReached = time <= target.mostMilliseconds
            let decision = isReached ? "reached" : "MISSED "
            let figure = String(format: "%6.1f %5.0f  ", time, target.mostMilliseconds) + "\(decision)  \(fields[1])"
            let isTooSlow = time > Self.tooSlow * target.mostMilliseconds
            return (!isTooSlow, ([row(target, figure)] + lines.map(String.init)).joined(separator: "\n"))
        }
    }

    /// Tries inputs for a time that all targets share, and prints how many; whether nothing broke.
    static func fuzz(_ targets: [Target], seed: UInt64, seconds: Double) -> Bool {
        print("\n\(targets.count) targets for \(seconds) s in all; the same inputs again: make fuzz SEED=\(seed)\n")
        let share = seconds * Double(processors) / Double(max(1, targets.count))
        return all(targets, atOnce: processors) { target in
            let child = Child(target: target, arguments: ["work", target.name, "\(seed)", "\(share)"])
            let outcome = try child.run()
            guard outcome.end != .fine else { return (true, row(target, "\(outcome.tries) inputs")) }
            let file = try Corpus.keep(outcome.lastInput, of: target)
            let shown = String(decoding: outcome.lastInput.prefix(200), as: UTF8.self).debugDescription
            return (
                false,
                """
                \(row(target, "\(outcome.end)")): \(shown)
                    in Base64: \(Data(outcome.lastInput).base64EncodedString())
                    it alone again: make fuzz TARGETS=\(target.name) TRY=\(file)
                """
            )
        }
    }

    /// Does something with each target, and prints what it says; whether it went well with all.
    private static func all(
        _ targets: [Target],
        atOnce: Int,
        _ run: @escaping @Sendable (Target) throws -> (Bool, String)
    ) -> Bool {
        let state = Mutex((next: targets[...], isFine: true))
        DispatchQueue.concurrentPerform(iterations: atOnce) { _ in
            while let target = state.withLock({ $0.next.popFirst() }) {
                let (holds, line) = (try? run(target)) ?? (false, row(target, "could not be run"))
                state.withLock { state in
                    print(line)
                    fflush(nil)
                    if !holds { state.isFine = false }
                }
            }
        }
        return state.withLock { $0.isFine }
    }

    private static func row(_ target: Target, _ text: String) -> String {
        "  " + target.name.padding(toLength: 22, withPad: " ", startingAt: 0) + text
    }
}
