import Foundation
public import Testing

/// A reader, a comparison or a redaction of text that a server can send, which must read any text in linear time.
///
/// The time is that of the thread, so that other work of the machine does not count.
public struct ReaderCost: Sendable, CustomTestStringConvertible {
    /// The name of the reader, for the report of a failure.
    public let testDescription: String

    private let words: [String]
    private let frames: [String]
    private let read: @Sendable (String) -> Void

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - name: the name of the reader.
    ///   - words: its keywords and marks, each of which is repeated.
    ///   - frames: texts around the repeated ones, which are at the place of `•`, or at the end if there is no `•`.
    ///   - read: reads a text.
    public init(
        _ name: String,
        words: [String] = [],
        frames: [String] = [""],
        _ read: @escaping @Sendable (String) -> Void
    ) {
        (testDescription, self.words, self.frames, self.read) = (name, words, frames, read)
    }

    /// Marks of many formats, and text that takes long to compare as `String`: Swift sorts combining marks in quadratic
    /// time.
    private static let commonWords = ["a", "\u{301}\u{316}", "\"", ",", " ", "%", "=", ";", "\\", "9"]

    /// The sizes of the texts: 4 KB, 64 KB and 1 MB, each 16 times the one before.
    ///
    /// Most quadratic readers are found at 64 KB, where they take seconds; at 1 MB, they would take ten minutes.
    private static let sizes = [4 * 1024, 64 * 1024, 1024 * 1024]

    /// The factor by which the time may grow from one size to the next: twice that of the size, because of caches.
    private static let maximumGrowth = 32.0

    /// The time that is never too long.
    private static let negligibleSeconds = 0.02

    /// The time for 64 KB above which 1 MB is not read: a debug build would take minutes for each reader.
    private static let slowSeconds = 0.05

    /// The number of measurements of which the best counts, unless the first one is good.
    private static let maximumMeasurements = 3

    /// Records an issue for each repeated word whose reading takes more than linear time.
    public func expectLinear(sourceLocation: SourceLocation = #_sourceLocation) {
        for frame in frames {
            for word in words + Self.commonWords.filter({ !words.contains($0) }) {
                guard let problem = problem(frame, word) else { continue }
                let text = "\(testDescription), \(frame) with many \(word): \(problem)"
                Issue.record(Comment(rawValue: text), sourceLocation: sourceLocation)
            }
        }
    }

    private func problem(_ frame: String, _ word: String) -> String? {
        var last = seconds(frame, word, Self.sizes[0])
        for size in Self.sizes.dropFirst() where size == Self.sizes[1] || last < Self.slowSeconds {
            var best = Double.infinity
            for _ in 0..<Self.maximumMeasurements where best >= max(Self.negligibleSeconds, last * Self.maximumGrowth) {
                best = min(best, seconds(frame, word, size))
            }
            if best >= max(Self.negligibleSeconds, last * Self.maximumGrowth) {
                return "\(last) s for a sixteenth of \(size) bytes, \(best) s for all"
            }
            last = best
        }
        return nil
    }

    private func seconds(_ frame: String, _ word: String, _ size: Int) -> Double {
        let parts = frame.split(separator: "•", maxSplits: 1, omittingEmptySubsequences: false)
        let many = String(repeating: word, count: size / word.utf8.count)
        let text = String(parts[0]) + many + (parts.count > 1 ? String(parts[1]) : "")
        let start = Self.processorSeconds
        read(text)
        return Self.processorSeconds - start
    }

    /// The processor time of this thread, in seconds.
    public static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
