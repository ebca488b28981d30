import StartSmall

/// The counts of a run.
struct Counts: Sendable {
    let calls: (started: Int, running: Int, objections: Set<String>)
    let tracked: Int
    let inFlight: Int
    let mostAtOnce: Int
    let stillInside: Int
    let ends: Callers.Ends

    init(of client: Client, _ ends: Callers.Ends) {
        calls = client.calls.summary
        (tracked, mostAtOnce, stillInside) = (client.group.count, client.places.most, client.places.now)
        inFlight = client.metrics.snapshot.endpoints.values.reduce(0) { $0 + $1.inFlight }
        self.ends = ends
    }
}

/// The promises of a run, and whether each was kept.
struct Decision {
    /// The permitted growth of memory, 2 MiB: 500,000 calls have left 0.8 MiB.
    private static let mostGrowth = 2 * 1_048_576

    let counts: Counts
    let before: Held
    let after: Held

    /// Prints all promises, and returns whether each was kept.
    var isKept: Bool {
        let all = counts.ends.values.reduce(0, +)
        print("\n\(all) calls")
        for (end, count) in counts.ends.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            print("  \(count) \(end)")
        }
        print("")
        return promises(all).map { text, isKept in
            print("  \(isKept ? "kept  " : "BROKEN")  \(text)")
            return isKept
        }.allSatisfy(\.self)
    }

    private func promises(_ all: Int) -> [(String, Bool)] {
        let calls = counts.calls
        let objections = calls.objections.sorted().joined(separator: ", ")
        let growth = after.bytes - before.bytes
        return [
            ("each of \(calls.started) calls began and ended once \(objections)", isEachReportedOnce(all)),
            (
                "no call remains: \(counts.tracked) tracked, \(counts.inFlight) counted, \(counts.stillInside) inside",
                isEmpty
            ),
            ("no task remains: \(Guest.count)", Guest.count == 0),
            ("correct answers only, and some of each kind of end", isRight && isVaried),
            (
                "at most \(Client.limit) concurrent calls: \(counts.mostAtOnce)",
                counts.mostAtOnce == Client.limit
            ),
            ("descriptors: \(after.descriptors) of \(before.descriptors)", after.descriptors <= before.descriptors),
            ("threads of the engine: \(after.engineThreads)", after.engineThreads == 0),
            (
                "threads: \(after.threads), at most \(before.mostThreads): \(after.threadKinds)",
                after.threads <= before.mostThreads
            ),
            (
                "memory: \(growth / 1024) KiB of growth, at most \(Self.mostGrowth / 1024)",
                before.bytes > 0 && growth <= Self.mostGrowth
            ),
        ]
    }

    /// Whether each call began and ended once; a sequence that is cancelled before its first element may begin none.
    private func isEachReportedOnce(_ all: Int) -> Bool {
        let notBegun = 0...(counts.ends[Way.cancelledBeforeALine] ?? 0)
        return counts.calls.objections.isEmpty && counts.calls.running == 0
            && notBegun.contains(all - counts.calls.started)
    }

    private var isEmpty: Bool { counts.tracked == 0 && counts.inFlight == 0 && counts.stillInside == 0 }

    private var isRight: Bool {
        !counts.ends.keys.contains { $0.contains("WRONG") || $0.contains("FILE") }
    }

    /// Whether enough faults occurred for the run to be meaningful.
    private var isVaried: Bool {
        ["answered", "cancelled", "no response: timedOut", "no response: connectionLost", "no response: rejected"]
            .allSatisfy { counts.ends[$0, default: 0] > 0 }
    }
}
