import Foundation

/// What a process holds.
struct Held {
    var descriptors: Int
    var threads: Int

    /// How many threads are the engine's, or were begun by one that is.
    var engineThreads: Int
    var bytes: Int

    static var now: Held {
        let threads = names("/proc/self/task")
        let engines = threads.filter { thread in
            (try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8)) == "startsmall-curl\n"
        }
        return Held(
            descriptors: names("/proc/self/fd").count,
            threads: threads.count,
            engineThreads: engines.count,
            bytes: resident
        )
    }

    /// How many threads may be left: Swift's pool may have begun another one for each processor.
    var mostThreads: Int { threads + ProcessInfo.processInfo.activeProcessorCount }

    /// Once no more is held than before, or after ten seconds: the last threads and connections need time to end.
    static func settled(at before: Held) async -> Held {
        let end = ContinuousClock.now + .seconds(10)
        var held = now
        while held.descriptors > before.descriptors || held.threads > before.mostThreads || held.engineThreads > 0,
            ContinuousClock.now < end
        {
            try? await Task.sleep(for: .milliseconds(50))
            held = now
        }
        return held
    }

    private static var resident: Int {
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        return (pages?.dropFirst().first.flatMap { Int($0) } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    private static func names(_ folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }
}

extension Held: CustomStringConvertible {
    var description: String {
        String(format: "%3d descriptors, %3d threads, %6.1f MiB", descriptors, threads, Double(bytes) / 1_048_576)
    }
}
