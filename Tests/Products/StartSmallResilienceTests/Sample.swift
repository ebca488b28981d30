import Foundation
import StartSmall
import StartSmallTesting

extension SplitMix64 {
    /// Returns a number from 0 to less than a limit.
    mutating func below(_ limit: Int) -> Int { .random(in: 0..<limit, using: &self) }
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
