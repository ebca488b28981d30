@testable import StartSmallTesting

/// Makes inputs from others: equal ones for equal seeds.
struct Mutator {
    /// The maximum length, 4 KiB: every state of a parser is reached by less, and short inputs are fast and readable.
    private static let longest = 4096

    /// The number of kept inputs: those that the parser accepted, to be changed further.
    private static let mostKept = 512

    /// Words with a meaning in many parsers, and the limits of numbers and texts.
    private static let commonWords =
        [
            " ", "\t", "\r\n", "\n", "\0", "\"", "\\", "'", ",", ";", ":", "=", "/", "?", "#", "&", "%", "%41", "%00",
            "%C3%A9", "*", "-", "0", "1", "9223372036854775807", "9223372036854775808", "18446744073709551616", "1e999",
            "-1", "é", "e\u{301}", "\u{301}", "\u{FEFF}", "\u{202E}", "\u{1F469}\u{200D}\u{1F467}", "İ", "ß",
            "\u{10FFFF}",
        ].map { Array($0.utf8) } + [[0x80], [0xC3], [0xED, 0xA0, 0x80], [0xFF]]

    private var random: SplitMix64
    private var pool: [[UInt8]]
    private let words: [[UInt8]]

    init(seed: UInt64, corpus: [[UInt8]], words: [String]) {
        random = SplitMix64(seed: seed)
        pool = corpus.isEmpty ? [[]] : corpus
        self.words = words.map { Array($0.utf8) } + Self.commonWords
    }

    /// Returns the next input.
    mutating func next() -> [UInt8] {
        var input = any(of: pool)
        for _ in 0..<Int.random(in: 1...6, using: &random) { change(&input) }
        return Array(input.prefix(Self.longest))
    }

    /// Keeps an input that the parser accepted; replaces another one once there are many.
    mutating func keep(_ input: [UInt8]) {
        if pool.count < Self.mostKept {
            pool.append(input)
        } else {
            pool[Int.random(in: pool.indices, using: &random)] = input
        }
    }

    private mutating func change(_ input: inout [UInt8]) {
        switch Int.random(in: 0..<8, using: &random) {
        case 0 where !input.isEmpty:
            input[place(in: input) % input.count] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1 where !input.isEmpty: input[place(in: input) % input.count] = .random(in: .min ... .max, using: &random)
        case 2: input.removeSubrange(range(in: input))
        case 3: input.insert(contentsOf: input[range(in: input)], at: place(in: input))
        case 4: input.replaceSubrange(range(in: input), with: any(of: words))
        case 5:
            let other = any(of: pool)
            input = Array(input.prefix(place(in: input)) + other.suffix(place(in: other)))
        default: input.insert(contentsOf: any(of: words), at: place(in: input))
        }
    }

    private mutating func any(of inputs: [[UInt8]]) -> [UInt8] {
        inputs[Int.random(in: inputs.indices, using: &random)]
    }

    /// Returns an offset from before the first byte to after the last.
    private mutating func place(in input: [UInt8]) -> Int {
        Int.random(in: 0...input.count, using: &random)
    }

    private mutating func range(in input: [UInt8]) -> Range<Int> {
        let (one, other) = (place(in: input), place(in: input))
        return min(one, other)..<max(one, other)
    }
}
