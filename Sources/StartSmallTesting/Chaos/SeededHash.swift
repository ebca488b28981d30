import Foundation
import StartSmall

extension Input {
    /// The key by which calls are counted: the method and the URL with its queries.
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
    static func of(seed: UInt64, fault: Int, request: String, number: Int) -> Double {
        var hash = mixed(seed)
        for value in [UInt64(truncatingIfNeeded: fault), UInt64(truncatingIfNeeded: number), fnv1a(request)] {
            hash = mixed(hash ^ value)
        }
        // The shift leaves as many bits as a `Double` has for a fraction.
        return Double(hash >> 11) / Double(UInt64(1) << 53)
    }

    private static func mixed(_ value: UInt64) -> UInt64 {
        var numbers = SplitMix64(seed: value)
        return numbers.next()
    }

    /// Returns the 64-bit FNV-1a hash (draft-eastlake-fnv): `Hasher` has a different seed in each process.
    private static func fnv1a(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }
}
