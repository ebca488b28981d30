import Foundation
import Testing

/// What a parser must stand: much of whatever, in time that grows with its length alone.
enum Hostile {
    /// Reads 100,000 bytes of a pattern, and checks that it took no more work than a linear parser needs.
    ///
    /// What counts is the time that this thread worked, whatever else the machine does meanwhile: a fraction of a second in
    /// a debug build. Were it quadratic, it would be minutes. `make fuzz` reads a megabyte, optimized.
    static func expectLinear(
        _ pattern: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ read: (String) -> Void
    ) {
        let text = String(repeating: pattern, count: 100_000 / pattern.utf8.count)
        let start = secondsOfWork
        read(text)
        #expect(secondsOfWork - start < 5, "\(pattern)", sourceLocation: sourceLocation)
    }

    private static var secondsOfWork: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// All texts of up to three of these marks.
    static func texts(of marks: [String]) -> [String] {
        let pairs = marks.flatMap { first in [first] + marks.map { first + $0 } }
        return [""] + pairs + marks.flatMap { first in pairs.map { first + $0 } }
    }
}
