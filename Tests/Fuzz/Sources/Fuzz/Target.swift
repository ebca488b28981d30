/// One parser, and what must hold for whatever it is given.
struct Target: Sendable {
    /// What it is called on the command line, and in the corpus.
    let name: String

    /// What means something to the parser: inputs are changed by these, and hostile ones are made of them.
    let words: [String]

    /// What a hostile input may stand behind, so that it gets to the parser's inner states; or within, at the place of `•`.
    let starts: [String]

    /// Reads once: what is timed.
    let read: @Sendable ([UInt8]) -> Void

    /// Reads, and checks all that is promised; whether the parser took the input for legal.
    let check: @Sendable ([UInt8]) throws -> Bool

    /// 100 ms for a megabyte: ten times what a careful parser needs, and a hundredth of what a quadratic one does.
    var mostMilliseconds = 100.0
}

extension Target {
    /// A parser of text.
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

    static let all = headers + caches + urls + destinations + redactions + payloads + streams + files + engine

    /// What only the engine for Linux reads.
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

/// Breaks off unless something holds.
func promise(_ what: String, _ holds: Bool) throws {
    if !holds { throw Broken(description: what) }
}
