import Foundation
import StartSmall
import StartSmallTesting

/// Pseudo-random numbers by a seed (SplitMix64).
struct SeededNumbers {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// Returns a number from 0 to less than a limit.
    mutating func below(_ limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((bits ^ (bits >> 31)) % UInt64(limit))
    }
}

/// Requests, outputs and times for tests.
enum Sample {
    static let url = URL(string: "https://api.test/users/1") ?? URL(filePath: "/")
    static let input = Input(url: url)
    static let ok = Output.text("ok")
    static let unavailable = Output.status(.serviceUnavailable)

    /// Sat, 21 Nov 2026 10:00:00 GMT.
    static let date = Date(timeIntervalSince1970: 1_795_255_200)

    /// Returns the errors of calls whose response has a broken payload.
    static func brokenPayloads(of response: Response) -> [ConnectionError] {
        let cause = ConnectionError.Cause(domain: "stub", code: 1, text: "", partial: response)
        return [
            .connectionLost(cause), .malformedResponse(cause), .unreadablePayload(cause), .timedOut(cause),
            .other(cause), .payloadTooLarge(response, limit: 1),
        ]
    }

    /// Returns a GET request.
    static func get(_ text: String) -> Input { Input(url: URL(string: text) ?? url) }
}
