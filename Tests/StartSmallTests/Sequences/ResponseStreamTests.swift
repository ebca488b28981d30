import Foundation
import StartSmall
import StartSmallTesting
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

    private func all<S: AsyncSequence>(_ sequence: S) async -> [S.Element] where S.Failure == Never {
        var elements: [S.Element] = []
        for await element in sequence { elements.append(element) }
        return elements
    }

    @Test("chunks are elements as they arrive")
    func chunks() async {
        let chunks = await all(Endpoint.chunks(input).stream(via: giving(["ab", "c"])))
        #expect(chunks == [.right(Data("ab".utf8)), .right(Data("c".utf8))])
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

    @Test("a refused response is one failure, with its payload")
    func refused() async {
        let response = Response(statusCode: .forbidden, payload: Data("no".utf8))
        let elements = await all(Endpoint.lines(input).stream(via: .stub(.hasResponse(response))))
        #expect(elements == [.left(.right(.unexpectedStatusCode(response)))])
    }

    @Test("the API's problem in a refused response is decoded if its type is known")
    func problem() async {
        struct FaultInjector: Decodable, Equatable {
            let message: String
        }
        let response = Response(statusCode: .forbidden, payload: Data(#"{"message":"no"}"#.utf8))
        let stub = Connector.stub(.hasResponse(response))
        let said = TransformError.problem(FaultInjector(message: "no"), response)
        let chunks = Endpoint.chunks(input, problem: FaultInjector.self).stream(via: stub)
        #expect(await all(chunks) == [.left(.right(said))])
        let lines = Endpoint.lines(input, problem: FaultInjector.self).stream(via: stub)
        #expect(await all(lines) == [.left(.right(said))])
        let numbers = Endpoint.jsonLines(Int.self, input, problem: FaultInjector.self).stream(via: stub)
        #expect(await all(numbers) == [.left(.right(said))])
    }

    @Test("lines may be of any length")
    func noLimit() async {
        let elements = await all(Endpoint.lines(input, limit: .max).stream(via: giving(["a", "b\nc"])))
        #expect(elements == [.right("ab"), .right("c")])
    }

    @Test("an input that could not be built is one failure")
    func unbuilt() async {
        let error = ConnectionError.malformedURL(debugInfo: "no")
        #expect(await all(Endpoint.chunks(.left(error)).stream(via: giving([]))) == [.left(.left(error))])
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
