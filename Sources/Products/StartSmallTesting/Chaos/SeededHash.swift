import StartSmallCore
import StartSmallSupport
import Foundation

extension Input {
    var nameForChance: String {
        name(at: url)
    }

    /// The key that determines random faults: the method and the URL with its queries.
    ///
    /// The key omits the port of a server on this machine, which changes with each run.
    var nameForSeed: String {
        guard Self.ownHosts.contains(url.host(percentEncoded: true)?.lowercased() ?? ""), url.port != nil,
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
        else { return nameForChance }
        parts.port = nil
        return name(at: parts.url ?? url)
    }

    private func name(at url: URL) -> String {
        "\(methodAndPayload.method) \(URIEncoding.appending(queries, to: url.absoluteString))"
    }

    private static let ownHosts: Set = ["127.0.0.1", "::1", "[::1]", "localhost"]
}

/// A reproducible source of randomness: a hash, not a sequence, so that the order of requests does not matter.
enum SeededHash {
    /// Returns a number from 0 up to but not including 1.
    ///
    /// The text is hashed by FNV-1a (draft-eastlake-fnv), since `Hasher` has a different seed in each process.
    static func of(_ text: String) -> Double {
        let hash = text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        var numbers = SplitMix64(seed: hash)
        // The shift leaves as many bits as a `Double` has for a fraction.
        return Double(numbers.next() >> 11) / Double(UInt64(1) << 53)
    }
}

/// A seeded generator of random numbers.
///
/// The algorithm is SplitMix64 (Steele, Lea, Flood: *Fast splittable pseudorandom number generators*, 2014).
package struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    /// Creates a generator with a seed.
    package init(seed: UInt64) { state = seed }

    /// Returns the next number.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
