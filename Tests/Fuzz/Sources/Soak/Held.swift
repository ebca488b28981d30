import Foundation
import Heap

/// The resources of a process.
struct Held {
    var descriptors: Int
    /// The bytes that are allocated and not freed; 0 without glibc.
    var bytes: Int

    /// The names of the threads; a new thread has the name of its creator.
    private var threadNames: [String]

    static var now: Held {
        // A thread that has ended meanwhile has no name any more.
        let names = names("/proc/self/task").compactMap { thread in
            try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8)
                .trimmingCharacters(in: .newlines)
        }
        return Held(descriptors: self.names("/proc/self/fd").count, bytes: heap_bytes_in_use(), threadNames: names)
    }

    var threads: Int { threadNames.count }

    /// The number of threads of the engine, or created by one of them.
    var engineThreads: Int { threadNames.count { $0 == "startsmall-curl" } }

    /// The number of threads of each name, as text.
    var threadKinds: String {
        Dictionary(grouping: threadNames, by: \.self).sorted { $0.key < $1.key }
            .map { "\($0.value.count) \($0.key)" }.joined(separator: ", ")
    }

    /// The permitted number of threads: Swift's pool may have created another one for each processor.
    var mostThreads: Int { threads + ProcessInfo.processInfo.activeProcessorCount }

    /// Returns the resources after six idle seconds; Dispatch ends a thread that was idle for five.
    ///
    /// The thread blocks: each sleep of a task would wake another one of the threads that are to end.
    static func settled() -> Held {
        Thread.sleep(forTimeInterval: 6)
        return now
    }

    /// Returns the resources once they are not above those before, or after ten seconds: the last threads and
    /// connections need time to end.
    static func settled(at before: Held) -> Held {
        let end = ContinuousClock.now + .seconds(10)
        var held = now
        while held.descriptors > before.descriptors || held.threads > before.mostThreads || held.engineThreads > 0,
            ContinuousClock.now < end
        {
            Thread.sleep(forTimeInterval: 0.05)
            held = now
        }
        return held
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
