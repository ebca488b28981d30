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

    @Test(
        "a download with a function around its consumer is resumed, unless the function opts out",
        arguments: [
            true, false,
        ]
    )
    func wrappingResumes(resuming: Bool) async throws {
        let asked = Recorder<String?>()
        let server = Connector { input in
            asked.append(input.headers["Range"])
            guard case .consumer(let consumer) = input.destination else { return .noResponse(.cancelled) }
            let isFirst = asked.elements.count == 1
            let isRest = input.headers["Range"] == "bytes=3-"
            let headers: HTTPHeaders =
                isRest
                ? ["ETag": "\"v1\"", "Content-Range": "bytes 3-5/6"] : ["ETag": "\"v1\"", "Content-Length": "6"]
            let head = Response(statusCode: isRest ? .partialContent : .ok, headers: headers)
            _ = await consumer.receive(.head(head))
            _ = await consumer.receive(.chunk(Data((isFirst ? "abc" : isRest ? "def" : "abcdef").utf8)))
            return isFirst ? .noResponse(Fixture.lost) : .hasResponse(head)
        }
        let counting = Wrapper { input, next in
            guard case .consumer(let consumer) = input.destination else { return await next(input) }
            let wrapped = consumer.wrapped(resuming: resuming) { part, take in try await take(part) }
            return await next(input.with { $0.destination = .consumer(wrapped) })
        }
        let connector = server.wrapped(by: .retry(clock: ManualClock(), random: { 0 }), counting, .resumeDownloads())
        try await withFolder { folder in
            let file = folder.appending(path: "whole")
            _ = try await Endpoint.download(.right(Fixture.input), to: file).value(via: connector)
            #expect(try Data(contentsOf: file) == Data("abcdef".utf8))
        }
        #expect(asked.elements == [nil, resuming ? "bytes=3-" : nil])
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
