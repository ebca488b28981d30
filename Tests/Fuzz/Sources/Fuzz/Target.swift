/// One parser, and the promises that must hold for any input.
struct Target: Sendable {
    /// The target's name on the command line, and in the corpus.
    let name: String

    /// Words with a meaning in the format: inputs are changed by these, and hostile ones are made of them.
    let words: [String]

    /// The beginnings of hostile inputs, which lead to the parser's inner states; the input goes to the place of `•`,
    /// or to the end.
    let starts: [String]

    /// Reads an input; this function is timed.
    let read: @Sendable ([UInt8]) -> Void

    /// Reads an input and checks all promises; returns whether the parser accepted the input as legal.
    let check: @Sendable ([UInt8]) throws -> Bool

    /// 100 ms for a megabyte: ten times the time of a careful parser, and a hundredth of that of a quadratic one.
    var mostMilliseconds = 100.0
}

extension Target {
    /// Creates the target of a text parser.
    static func text(
        _ name: String,
        words: [String],
        starts: [String] = [],
        read: @escaping @Sendable (String) -> Void,
        check: @escaping @Sendable (String) throws -> Bool
    ) -> Target {
        Target(
            name: name,
            words: words,
            starts: starts,
            read: { read(String(decoding: $0, as: UTF8.self)) },
            check: { try check(String(decoding: $0, as: UTF8.self)) }
        )
    }

    static let all =
        headers + announcements + cookies + caches + caching + urls + addresses + destinations + redactions + payloads
        + json + models + streams + files + resilience + tokens + signIns + heldTokens + engine

    /// The parsers of the engine for Linux.
    private static var engine: [Target] {
        #if os(Linux)
            curl
        #else
            []
        #endif
    }
}

/// A promise that does not hold.
struct Broken: Error, CustomStringConvertible {
    let description: String
}

/// Throws ``Broken`` unless the promise holds.
func promise(_ what: String, _ holds: Bool) throws {
    if !holds { throw Broken(description: what) }
}
