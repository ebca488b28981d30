import Foundation
package import Testing

/// Hostile input, of which a parser must read any amount in time that grows with its length alone.
package enum Hostile {
    /// Accents that Swift reorders whenever it compares or hashes strings, in time quadratic in the number of accents.
    ///
    /// Input from outside is therefore compared as bytes.
    package static let accents = "\u{301}\u{316}"

    /// Reads 100,000 bytes of a pattern, and checks that reading takes no more work than a linear parser needs; outside
    /// of `make exhaustive`, reads 2,000.
    ///
    /// Only the CPU time of this thread counts, not other work of the machine. Linear reading takes a fraction of a
    /// second in a debug build, and quadratic reading takes minutes. Of ``accents``, four times as many bytes are read,
    /// since Swift sorts them quickly. `make fuzz` reads a megabyte in an optimized build.
    ///
    /// - Parameters:
    ///   - pattern: The text that is repeated.
    ///   - sourceLocation: The location that a failure is recorded for.
    ///   - read: The parser, which is called once with the repeated pattern.
    package static func expectLinear(
        _ pattern: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ read: (String) -> Void
    ) {
        let bytes = (isExhaustive ? 100_000 : 2_000) * (pattern.utf8.elementsEqual(accents.utf8) ? 4 : 1)
        let text = String(repeating: pattern, count: bytes / pattern.utf8.count)
        let start = cpuSeconds
        read(text)
        #expect(cpuSeconds - start < maxSeconds, "\(pattern)", sourceLocation: sourceLocation)
    }

    /// The limit in seconds, ten times as long under a sanitizer, which slows everything down; `make sanitize` sets the
    /// variable.
    private static let maxSeconds = ProcessInfo.processInfo.environment["STARTSMALL_SANITIZED"] == nil ? 5.0 : 50

    private static var cpuSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Returns all texts of up to three of these marks.
    package static func texts(of marks: [String]) -> [String] {
        let pairs = marks.flatMap { first in [first] + marks.map { first + $0 } }
        return [""] + pairs + marks.flatMap { first in pairs.map { first + $0 } }
    }
}
