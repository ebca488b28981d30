import Foundation
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

/// Calls in a cassette that ended without a response.
@Suite struct RecordedFailureTests {
    private static let cause = ConnectionError.Cause(domain: "stub", code: 7, text: "why")
    private static let partial = Response(statusCode: .ok, headers: ["ETag": "1"], payload: Data("hel".utf8))

    private static let errors: [ConnectionError] = [
        .malformedURL(debugInfo: "why"), .malformedMethod(debugInfo: "why"), .malformedHeader(debugInfo: "why"),
        .malformedPayload(debugInfo: "why"), .missingCredentials(debugInfo: "why"), .requestRefused(reason: "why"),
        .engineUnavailable(debugInfo: "why"), .unwritableDestination(debugInfo: "why"),
        .noDataOrNoResponse(debugInfo: "why"), .timedOut(cause), .notConnectedToInternet(cause), .hostNotFound(cause),
        .connectionRefused(cause), .proxyFailed(cause), .secureConnectionFailed(cause),
        .serverCertificateUntrusted(cause), .clientCertificateRejected(cause), .connectionLost(cause),
        .malformedResponse(cause), .unreadablePayload(cause), .other(cause),
        .payloadTooLarge(partial, limit: 3), .tooManyRedirects(partial, limit: 2), .rejected(partial, reason: "why"),
        .connectionLost(.init(domain: "stub", code: 8, text: "why", partial: partial)),
    ]

    private let file = TestFile()

    @Test("a call that ended without a response is replayed with the same error", arguments: errors)
    func same(error: ConnectionError) async throws {
        await Connector.recording([Sample.user], to: file) { _ in .noResponse(error) }
        #expect(await WebAPI.call(with: Sample.user, via: .replay(from: file.url)) == .noResponse(error))
        let exchange = try #require(try Cassette(at: file.url).exchanges.first)
        #expect(exchange.response == error.response ?? exchange.response)
        #expect(exchange.response.statusCode.code == (error.response == nil ? 0 : 200))
        #expect(file.text.contains("\"response\"") == (error.response != nil))
    }

    @Test("the replay of a call that was cancelled before a response waits until it is cancelled")
    func cancelled() async throws {
        let server = Connector.stub(sequence: [.noResponse(.cancelled), .hasResponse(Sample.answer)])
        let recording = server.wrapped(by: .record(to: file.url))
        for _ in 0..<2 { _ = await WebAPI.call(with: Sample.user, via: recording) }
        let replaying = Connector.replay(from: file.url)
        let clock = ManualClock()
        let first = Task {
            await WebAPI.call(with: Sample.user, via: replaying.wrapped(by: .timeout(.seconds(9), clock: clock)))
        }
        await clock.waitForSleepers(count: 1)
        #expect(await WebAPI.call(with: Sample.user, via: replaying) == .hasResponse(Sample.answer))
        clock.advance(by: .seconds(9))
        #expect(await first.value.connectionError?.name == "timedOut")
    }

    private static let refusals: [TestRefusal] = [
        TestRefusal(), TestRefusal(isTransient: true, fault: .network), TestRefusal(end: .unknown, fault: .service),
        TestRefusal(end: .at(Date(timeIntervalSince1970: 1_795_255_200)), fault: .limit),
    ]

    @Test("a refusal of any type is replayed with its name, reason, facts and response", arguments: refusals)
    func refusal(_ refusal: TestRefusal) async throws {
        for response in [nil, Self.partial] {
            let file = TestFile()
            await Connector.recording([Sample.user], to: file) { _ in .noResponse(.refused(refusal, after: response)) }
            let output = await WebAPI.call(with: Sample.user, via: .replay(from: file.url))
            let replayed = try #require(output.connectionError?.refusal(RecordedRefusal.self))
            #expect(replayed.name == refusal.name && replayed.reason == refusal.reason)
            #expect(replayed.end == refusal.end && replayed.fault == refusal.fault)
            #expect(replayed.isTransient == refusal.isTransient && output.connectionError?.response == response)
        }
    }

    @Test("a refusal is a refusal on replay, whatever its name, and its reason is in the file once, as it is redacted")
    func refusalOfAnyName() async throws {
        for name in ["cancelled", "rejected", "timedOut", "requestRefused"] {
            let file = TestFile()
            var refusal = TestRefusal(end: .unknown)
            (refusal.name, refusal.reason) = (name, "user@example.com has no seat")
            let redaction = CassetteRedaction(also: { $0.replacingOccurrences(of: "user@example.com", with: "someone") }
            )
            let recorder = Connector.stub(.noResponse(.refused(refusal)))
                .wrapped(by: .record(to: file.url, scrubbing: redaction))
            _ = await WebAPI.call(with: Sample.user, via: recorder)
            #expect(!file.text.contains("user@example.com"), "\(file.text)")
            let error = await WebAPI.call(with: Sample.user, via: .replay(from: file.url)).connectionError
            #expect(error?.refusal(RecordedRefusal.self)?.reason == "someone has no seat", "\(name)")
            #expect(error?.name == name && error?.mayPass == true)
        }
    }

    @Test("an error that a file can't describe, as of another version, is replayed with its name and its text")
    func other() {
        var failure = RecordedFailure(.noDataOrNoResponse(debugInfo: "why"))
        failure.name = "tooManyCalls"
        let error = failure.error()
        #expect(error.name == "other" && error.debugInfo.contains("tooManyCalls: why"))
    }

    @Test("a retried call is replayed attempt by attempt")
    func retried() async throws {
        let server = Connector.stub(sequence: [.noResponse(.connectionLost(Self.cause)), .hasResponse(Sample.answer)])
        let connector = server.wrapped(by: .retry(random: { 0 }), .record(to: file.url))
        #expect(await WebAPI.call(with: Sample.user, via: connector) == .hasResponse(Sample.answer))
        #expect(try Cassette(at: file.url).exchanges.map(\.failure?.name) == ["connectionLost", nil])
        let replaying = Connector.replay(from: file.url).wrapped(by: .retry(random: { 0 }))
        #expect(await WebAPI.call(with: Sample.user, via: replaying) == .hasResponse(Sample.answer))
    }

    @Test("where new calls are recorded, a failure is not written, and a recorded failure is called again in its place")
    func again() async throws {
        await Connector.recording([Sample.user], to: file) { _ in .noResponse(.hostNotFound(Self.cause)) }
        let server = Connector.stub(sequence: [.noResponse(.hostNotFound(Self.cause)), .hasResponse(Sample.answer)])
        for output in [.noResponse(.hostNotFound(Self.cause)), .hasResponse(Sample.answer)] as [Output] {
            let connector = server.wrapped(by: .replay(from: file.url))
            #expect(await WebAPI.call(with: Sample.user, via: connector) == output)
        }
        #expect(try Cassette(at: file.url).exchanges.map(\.response) == [Sample.answer])
        _ = await WebAPI.call(
            with: Sample.input("https://a/"),
            via: Connector.stub(.noResponse(.hostNotFound(Self.cause))).wrapped(by: .replay(from: file.url))
        )
        #expect(try Cassette(at: file.url).exchanges.count == 1)
    }
}
