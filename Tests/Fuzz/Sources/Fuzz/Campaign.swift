import Foundation
import Synchronization

/// Runs all targets.
enum Campaign {
    /// The factor of the limit from which a target fails: 500 ms instead of 100.
    ///
    /// On a noisy machine, the best of five may well take twice or three times as long. Quadratic parsers take seconds.
    private static let tooSlow = 5.0

    /// The number of processors, each of which runs one target at a time, since the thread's own work is measured.
    private static let processors = ProcessInfo.processInfo.activeProcessorCount

    /// Reads a megabyte of hostile input per target, and prints the time; returns whether no target was too slow.
    static func time(_ targets: [Target], seed: UInt64) -> Bool {
        print("1 MB of hostile input, the slowest per target: ms of the thread's work, and their limit")
        print("to repeat the inputs: make fuzz SEED=\(seed)\n")
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

    /// Tries inputs for a time that all targets share, and prints their number; returns whether no promise was broken.
    static func fuzz(_ targets: [Target], seed: UInt64, seconds: Double) -> Bool {
        print("\n\(targets.count) targets share \(seconds) s; to repeat the inputs: make fuzz SEED=\(seed)\n")
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
                    to repeat it alone: make fuzz TARGETS=\(target.name) TRY=\(file)
                """
            )
        }
    }

    /// Runs `run` with each target, and prints its line; returns whether it succeeded with all.
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
