import Foundation
import StartSmall
import StartSmallTesting

/// Makes calls for ten minutes through a stack of wrappers to a faulty server, and checks for leaks: `make soak`.
///
///     Soak [--seconds 600] [--seed 1]
@main
enum Soak {
    /// The default duration, ten minutes: long enough to detect a leak of ten bytes a call, or of a descriptor in an
    /// hour.
    private static let usualSeconds = 600.0

    /// The duration of the calls before the first measurement, which create every thread and every buffer that is kept.
    private static let warmUpSeconds = 5.0

    /// The number of memory measurements during a run.
    private static let looks = 10

    static func main() async {
        signal(SIGPIPE, SIG_IGN)
        var (seconds, seed) = (usualSeconds, UInt64.random(in: 0...UInt64(UInt32.max)))
        var rest = CommandLine.arguments.dropFirst()
        while let argument = rest.popFirst() {
            switch (argument, rest.popFirst()) {
            case ("--seconds", let value?): seconds = max(1, Double(value) ?? usualSeconds)
            case ("--seed", let value?): seed = UInt64(value) ?? seed
            default:
                print("Soak [--seconds 600] [--seed 1]")
                exit(2)
            }
        }
        do {
            show("calls for \(seconds) s; to repeat the faults: make soak SEED=\(seed)\n")
            _ = try await run(seconds: warmUpSeconds, looks: 1, seed: seed)
            let before = Held.settled()
            show("  before   \(before)")
            let counts = try await run(seconds: seconds, looks: looks, seed: seed)
            let after = Held.settled(at: before)
            show("  after    \(after)")
            exit(Decision(counts: counts, before: before, after: after).isKept ? 0 : 1)
        } catch {
            print("failed: \(error)")
            exit(1)
        }
    }

    /// Runs a server and a client until nothing of them remains but their counts.
    private static func run(
        seconds: Double,
        looks: Int,
        seed: UInt64
    ) async throws -> Counts {
        try await LoopbackServer.serving(Service().connector(seed: seed)) { server in
            let callers = Callers(client: Client(base: server.url, seed: seed))
            var ends: Callers.Ends = [:]
            let start = ContinuousClock.now
            for look in 1...looks {
                let passed = seconds * Double(look) / Double(looks)
                ends.merge(await callers.call(until: start + .seconds(passed)), uniquingKeysWith: +)
                if looks > 1 { show(String(format: "  %5.0f s  ", passed) + "\(Held.now)") }
            }
            // A timeout returns on time, and the call that it cancelled ends a moment later.
            let timeout = ContinuousClock.now + .seconds(10)
            while callers.client.places.now > 0, ContinuousClock.now < timeout {
                try await Task.sleep(for: .milliseconds(10))
            }
            return Counts(of: callers.client, ends)
        }
    }

    /// Prints a line without buffering, even into a file.
    private static func show(_ line: String) {
        print(line)
        fflush(nil)
    }
}
