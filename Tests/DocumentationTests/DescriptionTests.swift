import Foundation
import StartSmall
import StartSmallAuth
import StartSmallDownloads
import TestSupport
import Testing

/// The texts of events and refusals, which have no credentials.
struct DescriptionTests {
    private static let response = Response(statusCode: .unauthorized)

    static let texts: [(any Sendable & CustomStringConvertible, String)] = [
        (RefreshFailure.noResponse(Fixture.lost), "connectionLost: lost (stub 1)"),
        (RefreshFailure.noToken(response, reason: "token=abc"), "token=<redacted> (401 Unauthorized, 0 bytes)"),
        (
            RefreshFailure.tooOften(limit: 3, within: .seconds(60)),
            "the limit of 3 refreshes within 60.0 seconds is reached"
        ),
        (RefreshFailure.storeFailed(debugInfo: "no keychain"), "storeFailed: no keychain"),
        (RefreshFailure.identityChanged, "the token belongs to another identity than the call"),
        (
            Resuming(size: 1_000, delay: .seconds(1), after: .noResponse(Fixture.lost)),
            "at 1000 bytes in 1.0 seconds, after connectionLost: lost (stub 1)"
        ),
        (
            Resuming(size: 0, delay: .zero, after: .hasResponse(response)),
            "at 0 bytes in 0.0 seconds, after 401 Unauthorized, 0 bytes"
        ),
    ]

    @Test("an event or a refusal has a text on one line, without credentials", arguments: texts)
    func text(value: any Sendable & CustomStringConvertible, expected: String) {
        #expect(value.description == expected)
    }

    @Test("the name of an event is a constant")
    func names() {
        let resuming = Resuming(size: 0, delay: .zero, after: .noResponse(.cancelled))
        let events: [any ReportedEvent] = [Refreshing(after: nil, isFirst: true), Refreshed(), resuming]
        #expect(events.map(\.name) == ["refreshing", "refreshed", "resuming"])
        #expect(RefreshFailure.identityChanged.name == "refreshFailed")
    }

    @Test("a refusal has its name and its reason, also as a type of its own")
    func refusals() {
        let refused = Refused(RequestRefused(reason: "token=abc"))
        #expect(ConnectionError.requestRefused(reason: "token=abc") == .refused(refused, after: nil))
        #expect("\(refused)" == "requestRefused: token=<redacted>")
        #expect("\(refused.refusal)" == "requestRefused: token=<redacted>")
    }
}
