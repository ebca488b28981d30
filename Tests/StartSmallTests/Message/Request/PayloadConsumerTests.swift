import Foundation
import StartSmall
import StartSmallTesting
import Testing

struct PayloadConsumerTests {
    private struct Full: Error, CustomStringConvertible {
        let description = "full: https://me:hunter2@example.com/?token=hunter2"
    }

    @Test("an error that a consumer throws is described without its credentials")
    func redacted() async {
        let failure = await PayloadConsumer { _ in throw Full() }.receive(.head(Fixture.ok))
        let text = "full: https://<redacted>@example.com/?token=<redacted>"
        #expect(failure == .unwritableDestination(debugInfo: text))
    }

    @Test("a connection error that a consumer throws stays unchanged")
    func unchanged() async {
        #expect(await PayloadConsumer { _ in throw Fixture.lost }.receive(.head(Fixture.ok)) == Fixture.lost)
    }

    /// Passes parts to a wrapped consumer, and returns those that the inner consumer receives, and the failures.
    private func taken(
        _ parts: [PayloadConsumer.Part],
        by body:
            @escaping @Sendable (PayloadConsumer.Part, @Sendable (PayloadConsumer.Part) async throws -> Void)
            async throws -> Void
    ) async -> (taken: [PayloadConsumer.Part], failures: [ConnectionError?]) {
        let taken = Recorder<PayloadConsumer.Part>()
        let wrapped = PayloadConsumer { taken.append($0) }.wrapped(by: body)
        var failures: [ConnectionError?] = []
        for part in parts { failures.append(await wrapped.receive(part)) }
        return (taken.elements, failures)
    }

    @Test("a function around a consumer observes each part, and may change it, add others, or leave it out")
    func wrapping() async {
        let parts: [PayloadConsumer.Part] = [.head(Fixture.ok), .chunk(Data("ab".utf8)), .chunk(Data("c".utf8))]
        let seen = Recorder<PayloadConsumer.Part>()
        let (taken, failures) = await taken(parts) { part, take in
            seen.append(part)
            guard case .chunk(let bytes) = part else { return try await take(part) }
            if bytes.count == 1 { return }
            try await take(.chunk(bytes + bytes))
            try await take(part)
        }
        #expect(seen.elements == parts)
        #expect(taken == [.head(Fixture.ok), .chunk(Data("abab".utf8)), .chunk(Data("ab".utf8))])
        #expect(failures == [nil, nil, nil])
    }

    @Test("an error of a function around a consumer ends the call, and so does an error of the consumer")
    func wrappingThrows() async {
        let (_, refused) = await taken([.head(Fixture.ok)]) { _, _ in
            throw ConnectionError.requestRefused(reason: "quota")
        }
        #expect(refused == [.requestRefused(reason: "quota")])
        let failing = PayloadConsumer { _ in throw Fixture.lost }.wrapped { part, take in try await take(part) }
        #expect(await failing.receive(.head(Fixture.ok)) == Fixture.lost)
    }

    @Test("a consumer is equal to its copies alone, so that inputs can be compared and counted")
    func equality() {
        let (consumer, other) = (PayloadConsumer { _ in }, PayloadConsumer { _ in })
        let copy = consumer
        #expect(consumer == copy)
        #expect(consumer != other)
        #expect(Set([consumer, copy, other]).count == 2)
    }
}
