import Foundation

@testable import StartSmallTesting

/// A megabyte of one repeated text, which a parser must read in linear time.
struct Hostile {
    /// 1 MB: more than any header or URL has, and as much as a hostile payload may well have.
    static let bytes = 1_000_000

    /// The description of the input, to be printed.
    let label: String
    let input: [UInt8]

    /// Marks that have a meaning in many formats, and characters that are many bytes or several scalars.
    private static let commonPieces = [
        "a", " ", "\"", "\\", ",", ";", "=", "%", "%41", "&a=", "<", "{", "[", "@", "//", ":", "'", "é", "\u{301}",
        // Swift reorders them when it compares texts, in time that grows with the square of their number.
        "\u{301}\u{316}",
        // Likewise those that count as letters.
        "\u{5B7}\u{5B0}",
        "\0",
        "\r\n",
    ]

    /// The number of random groups of words that are repeated: each run tries other ones.
    private static let groups = 8

    /// Returns each word of a target and each common mark, alone and after each of the target's beginnings; likewise
    /// the inputs of its corpus, and random groups of words.
    static func inputs(of target: Target, seed: UInt64) throws -> some Sequence<Hostile> {
        var random = SplitMix64(seed: seed)
        let words = target.words + commonPieces.filter { !target.words.contains($0) }
        let rows = (0..<groups).map { _ in
            (0..<Int.random(in: 2...4, using: &random)).compactMap { _ in words.randomElement(using: &random) }.joined()
        }
        let kept = try Corpus.inputs(of: target).map { String(decoding: $0, as: UTF8.self) }
        let pieces = words + rows + kept.filter { !$0.isEmpty }
        return ([""] + target.starts).lazy.flatMap { start in pieces.lazy.map { Hostile(start, $0) } }
    }

    private init(_ start: String, _ piece: String) {
        label = "\(start.debugDescription) and many \(piece.debugDescription)"
        let frame = start.split(separator: "•", maxSplits: 1, omittingEmptySubsequences: false)
        let length = max(1, Self.bytes / piece.utf8.count) * piece.utf8.count
        var many = Array(piece.utf8)
        while many.count < length { many += many }
        input = Array(frame[0].utf8) + many.prefix(length) + Array((frame.count > 1 ? frame[1] : "").utf8)
    }

    /// The factor of the limit from which a measurement is not repeated: an input that takes two seconds once is not
    /// quick the next time.
    private static let surelySlow = 20.0

    /// Returns the time that the thread worked, without that of other processes; the best of five if it is above the
    /// limit at first, since other load slows the processor down.
    func milliseconds(of target: Target) -> Double {
        var best = 0.0
        let (most, tooMuch) = (target.mostMilliseconds, target.mostMilliseconds * Self.surelySlow)
        for number in 0..<5 where number == 0 || best > most && best < tooMuch {
            let start = Self.millisecondsOfWork
            target.read(input)
            let milliseconds = Self.millisecondsOfWork - start
            best = number == 0 ? milliseconds : min(best, milliseconds)
        }
        return best
    }

    private static var millisecondsOfWork: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }
}
