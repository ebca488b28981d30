import Foundation
import Testing

/// What a parser must stand: much of whatever, in time that grows with its length alone.
enum Hostile {
    /// Accents that Swift puts in another order wherever it compares or hashes texts, in time that grows with the square
    /// of them: what comes from outside is compared as bytes.
    static let accents = "\u{301}\u{316}"

    /// Reads 100,000 bytes of a pattern, and checks that it took no more work than a linear parser needs.
    ///
    /// What counts is the time that this thread worked, whatever else the machine does meanwhile: a fraction of a second in
    /// a debug build. Were it quadratic, it would be minutes. Of ``accents`` there are four times as many, since Swift
    /// sorts them quickly. `make fuzz` reads a megabyte, optimized.
    static func expectLinear(
        _ pattern: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ read: (String) -> Void
    ) {
        let bytes = pattern.utf8.elementsEqual(accents.utf8) ? 400_000 : 100_000
        let text = String(repeating: pattern, count: bytes / pattern.utf8.count)
        let start = secondsOfWork
        read(text)
        #expect(secondsOfWork - start < mostSeconds, "\(pattern)", sourceLocation: sourceLocation)
    }

    /// Ten times as long under a sanitizer, which slows down all that is done; `make sanitize` says that there is one.
    private static let mostSeconds = ProcessInfo.processInfo.environment["STARTSMALL_SANITIZED"] == nil ? 5.0 : 50

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
