import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// The delivery of a body that a connector, or a wrapper, returns.
@Suite(.timeLimit(.minutes(1))) struct BodyDeliveryTests {
    private static let chunks = ["he", "llo"].map { Data($0.utf8) }
    private static let head = Response(statusCode: .ok, headers: ["A": "b"])

    /// The parts of a payload, its trailers, the error after it, and the ends of its body.
    private struct Script: Sendable {
        var status = HTTPStatus.ok
        var failure: ConnectionError?
        var chunks = BodyDeliveryTests.chunks
        let ends = Recorder<ResponseBody.End>()

        var output: Output {
            let rest = Recorder<Int>()
            var response = head
            response.statusCode = status
            let body = ResponseBody(
                pulling: { [failure, chunks] () async throws(ConnectionError) -> Data? in
                    rest.append(0)
                    let index = rest.elements.count - 1
                    if index < chunks.count { return chunks[index] }
                    if let failure { throw failure }
                    return nil
                },
                trailers: { ["C": "d"] }
            )
            body.onEnd { [ends] in ends.append($0) }
            response.content = .body(body)
            return .hasResponse(response)
        }

        var connector: Connector { Connector { _ in output } }

        /// A connector whose wrapper returns the body itself.
        var wrapper: Connector { Connector.stub(.noResponse(.cancelled)).wrapped(by: Wrapper { _, _ in output }) }
    }

    /// The result of a call, with the chunks of its body.
    private func call(_ connector: Connector, limit: Int? = nil) async -> (output: Output, chunks: [Data]) {
        let input = Fixture.input.with { ($0.delivery, $0.payloadLimit) = (.stream, limit) }
        var (output, chunks) = (await WebAPI.call(with: input, via: connector), [Data]())
        do throws(ConnectionError) {
            while let chunk = try await output.response?.body?.next() { chunks.append(chunk) }
        } catch {
            output = .noResponse(error)
        }
        return (output, chunks)
    }

    @Test("a file receives all bytes, from a connector and from a wrapper")
    func file() async throws {
        try await withFolder { folder async throws in
            for connector in [Script().connector, Script().wrapper] {
                let file = folder.appending(path: "f")
                #expect(await Endpoint.download(.right(Fixture.input), to: file).fetch(via: connector) == .right(file))
                #expect(try Data(contentsOf: file) == Data("hello".utf8))
            }
        }
    }

    @Test("a body that breaks off gives its parts, and then its error with the head")
    func brokenOff() async {
        let script = Script(failure: Fixture.lost)
        let (output, chunks) = await call(script.connector)
        #expect(chunks == Self.chunks)
        #expect(output.connectionError?.name == "connectionLost")
        #expect(script.ends.elements == [.failed(Fixture.lost)])
    }

    @Test("a stream that comes to its own end completes the body, and the call succeeds")
    func until() async {
        let (script, log) = (Script(chunks: ["a\n", "b\n", "c\n"].map { Data($0.utf8) }), EventLog())
        let connector = script.connector.wrapped(by: .listen(to: log.listener))
        let endpoint = Endpoint.lines(.right(Fixture.input), until: { $0 == "b" })
        var elements: [String?] = []
        for await element in endpoint.stream(via: connector) { elements.append(element.right) }
        #expect(elements == ["a"])
        #expect(script.ends.elements == [.complete])
        #expect(log.events.contains(.succeeded))
    }

    @Test("the body of a response outside of 2xx is its payload, up to the limit", arguments: [nil, 5, 4, 0, -1])
    func refused(limit: Int?) async {
        let script = Script(status: .notFound)
        let (output, chunks) = await call(script.connector, limit: limit)
        let taken = max(0, limit ?? .max)
        #expect(chunks.isEmpty)
        #expect(output.response?.statusCode == .notFound)
        #expect(output.response?.payload == Data("hello".utf8).prefix(taken))
        #expect(output.response?.body == nil)
        #expect((output.connectionError?.name == "payloadTooLarge") == (taken < 5))
        #expect(script.ends.elements.count == 1)
    }

    @Test("a broken payload of a response outside of 2xx does not hide its status, and keeps its bytes")
    func brokenRefusal() async {
        let (output, _) = await call(Script(status: .notFound, failure: Fixture.lost).connector)
        #expect(output.connectionError?.name == "connectionLost")
        #expect(output.response?.statusCode == .notFound)
        #expect(output.response?.payload == Data("hello".utf8))
    }
}
