import Foundation
import StartSmall
import StartSmallStreams
import StartSmallTesting
import TestSupport
import Testing

struct ResponseStreamTests {
    private static let head = Response(statusCode: .ok, headers: ["X-Head": "yes"])
    private let input = Either<ConnectionError, Input>.get("https://api.example.com/log")

    /// Returns a connector that delivers a response in these pieces.
    private func giving(_ pieces: [String], given: Recorder<String> = Recorder()) -> Connector {
        Connector { _ in
            .open(Self.head, pieces.map(\.utf8)) { given.append(String(decoding: $0, as: UTF8.self)) }
        }
    }

    @Test("a line of white space only is no element", arguments: ["", " ", "\t", " \t ", "\r", " \r", " \r ", "\t\r"])
    func blankLine(_ line: String) async {
        for text in ["1\n\(line)\n2", "\(line)\n1\n2\n\(line)", "1\n\(line)\r\n2\n"] {
            let elements = await all(Endpoint.jsonLines(Int.self, input).stream(via: giving([text])))
            #expect(elements == [.right(1), .right(2)], "\(text)")
        }
        let nulls = await all(Endpoint.jsonLines(Int?.self, input).stream(via: giving(["null\n\(line)\nnull"])))
        #expect(nulls.count == 2, "null is an element")
    }

    @Test("a line that can't be decoded fails alone")
    func badLine() async {
        let elements = await all(Endpoint.jsonLines(Int.self, input).stream(via: giving(["1\n\nx\n3"])))
        #expect(elements.map(\.right) == [1, nil, 3])
        guard case .left(.right(.malformedData(let response, _))) = elements[1] else {
            Issue.record("\(elements[1])")
            return
        }
        #expect(response.headers["X-Head"] == "yes")
    }

    @Test("a line that is too long fails alone")
    func longLine() async {
        let elements = await all(Endpoint.lines(input, limit: 2).stream(via: giving(["abc\nab\n"])))
        #expect(elements.map(\.right) == [nil, "ab"])
    }

    @Test("a changed input is sent, and one that could not be built is one failure")
    func changed() async {
        let sent = Recorder<Input>()
        func stream(of input: Either<ConnectionError, Input>) -> ResponseStream<TransformError<Never>, Data> {
            Endpoint.chunks(input).with { $0.headers["Prefer"] = "wait=1" }
                .stream(via: .stub(.text("a"), recording: sent))
        }
        let error = ConnectionError.malformedURL(debugInfo: "no")
        #expect(await all(stream(of: .left(error))) == [.left(.left(error))])
        #expect(await all(stream(of: input)).map(\.right) == [Data("a".utf8)])
        #expect(sent.elements.map { $0.headers["Prefer"] } == ["wait=1"])
    }

    @Test("the consumer sets the pace: at most one piece is delivered ahead")
    func pace() async {
        let given = Recorder<String>()
        let pieces = (0..<50).map { "\($0)" }
        var taken = 0
        for await _ in Endpoint.chunks(input).stream(via: giving(pieces, given: given)) {
            taken += 1
            for _ in 0..<10 { await Task.yield() }
            #expect(given.elements.count <= taken)
        }
        #expect(taken == 50)
    }
}

struct ThrowingResponseStreamTests {
    private typealias Failure = CallError<TransformError<Never>>

    private let numbers = Endpoint.jsonLines(Int.self, .get("https://api.example.com/numbers"), until: { $0 == 0 })

    /// Returns the values, and the error that is thrown after them.
    private func callState(via connector: Connector) async -> ([Int], Failure?) {
        var values: [Int] = []
        do throws(Failure) {
            for try await value in numbers.values(via: connector) { values.append(value) }
        } catch {
            return (values, error)
        }
        return (values, nil)
    }

    private static let refusal = Response(statusCode: .tooManyRequests, payload: Data("no".utf8))

    private static let ends: [(Connector, [Int], Failure?)] = [
        (.stub(parts: ["1\n2\n", "3\n"]), [1, 2, 3], nil), (.stub(parts: ["1\n2\n", "3\n0\n4\n"]), [1, 2, 3], nil),
        (
            .stub(parts: ["1\n"], failingWith: Fixture.lost), [1],
            .left(Fixture.lost(after: Response(statusCode: .ok), reading: 2))
        ),
        (.stub(.hasResponse(refusal)), [], .right(.unexpectedStatusCode(refusal))),
    ]

    @Test(
        "values are returned as they arrive, until the end of the stream, or a failure, which is thrown",
        arguments: ends
    )
    private func values(_ connector: Connector, _ expected: [Int], _ expectedFailure: Failure?) async {
        let (values, failure) = await callState(via: connector)
        #expect(values == expected && failure == expectedFailure)
    }

    @Test("a part that can't be decoded is thrown, and ends the call: no value follows")
    func unreadable() async throws {
        let log = EventLog()
        let connector = Connector.stub(parts: ["1\nx\n3\n", "4\n"]).wrapped(by: .listen(to: log.listener))
        var iterator = numbers.values(via: connector).makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        do throws(Failure) {
            _ = try await iterator.next()
            Issue.record("nothing was thrown")
        } catch {
            #expect(error.right.flatMap { if case .malformedData = $0 { true } else { nil } } == true)
        }
        #expect(try await iterator.next() == nil)
        await eventually { log.names.last == "ended" }
        #expect(log.names.contains("cancelled"))
    }
}
