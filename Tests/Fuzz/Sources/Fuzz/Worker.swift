import Foundation

/// The work of a child process, which may trap or hang.
enum Worker {
    /// The exit code of the process if a promise does not hold.
    static let broken: Int32 = 3

    /// Tries the corpus, and then inputs made from it, until the time is over.
    static func fuzz(_ target: Target, seed: UInt64, seconds: Double, _ witness: Witness) throws {
        let corpus = try Corpus.inputs(of: target)
        for input in corpus { _ = attempt(input, target, witness) }
        var mutator = Mutator(seed: seed, corpus: corpus, words: target.words)
        let end = ContinuousClock.now + .seconds(seconds)
        repeat {
            let input = mutator.next()
            if attempt(input, target, witness) { mutator.keep(input) }
        } while ContinuousClock.now < end
    }

    /// The time limit for one input, 10 seconds of work: the slowest inputs take milliseconds.
    ///
    /// Only the process's own work counts, and not other load of the machine.
    private static let timeout = 10

    /// Ends the process if it works for longer than the limit from now on.
    private static func watch() {
        var timer = itimerval(it_interval: timeval(), it_value: timeval(tv_sec: timeout, tv_usec: 0))
        setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &timer, nil)
    }

    /// Tries one input, and prints the result.
    static func attempt(_ input: [UInt8], _ target: Target) {
        print(check(input, target) ? "legal" : "not legal")
    }

    private static func attempt(_ input: [UInt8], _ target: Target, _ witness: Witness) -> Bool {
        witness.show(input)
        watch()
        return check(input, target)
    }

    private static func check(_ input: [UInt8], _ target: Target) -> Bool {
        do {
            return try target.check(input)
        } catch {
            FileHandle.standardError.write(Data("\(target.name): broken promise: \(error)\n".utf8))
            exit(broken)
        }
    }

    /// Reads a megabyte of each hostile input, and prints the time of the slowest, and each input that took too long.
    static func time(_ target: Target, seed: UInt64, _ witness: Witness) throws {
        var slowest = (milliseconds: 0.0, label: "")
        for hostile in try Hostile.inputs(of: target, seed: seed) {
            witness.show(Array(hostile.label.utf8))
            watch()
            let milliseconds = hostile.milliseconds(of: target)
            if milliseconds > slowest.milliseconds { slowest = (milliseconds, hostile.label) }
            if milliseconds > target.mostMilliseconds { print("    \(Int(milliseconds)) ms: \(hostile.label)") }
        }
        print("\(slowest.milliseconds)\t\(slowest.label)")
    }
}
