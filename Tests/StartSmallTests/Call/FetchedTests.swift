import StartSmall
import StartSmallTesting
import Testing
import ParityTrait

struct FetchedTests {
    private typealias Text = Fetched<TransformError<Never>, String>

    private let refused = TransformError<Never>.unexpectedStatusCode(Fixture.ok)

    @Test("why there was no response")
    func connectionError() {
        let fetched = Text.left(.left(Fixture.lost))
        #expect(fetched.connectionError == Fixture.lost)
        #expect(fetched.failure == nil)
    }

    @Test("why a response could not become a value")
    func failure() {
        let fetched = Text.left(.right(refused))
        #expect(fetched.failure == refused)
        #expect(fetched.connectionError == nil)
    }

    @Test("what comes of a call is a Result for whoever wants one", .parity("C1"))
    func result() throws {
        #expect(try Text.right("hello").result.get() == "hello")
        #expect(Text.left(.left(Fixture.lost)).result == .failure(.left(Fixture.lost)))
        #expect(Text.left(.right(refused)).result == .failure(.right(refused)))
    }

    @Test(
        "each of seven ways to fail can be told apart, with the status and payload where there are any",
        .parity("C3"),
        arguments: [
            ("..", Output.status(.ok), "url"),
            ("1", .noResponse(Fixture.lost), "network"),
            ("1", .noResponse(.malformedResponse(.init(domain: "stub", code: 1, text: "no HTTP"))), "response"),
            ("1", .status(.ok), "emptyResponse"),
            ("1", .text("<html>"), "parse 200 <html>"),
            ("1", .json(#"{"message":"no"}"#, status: .forbidden), #"errorResponse 403 no {"message":"no"}"#),
            ("1", .text("no", status: .badGateway), "error 502 no"),
        ]
    )
    func seven(id: String, output: Output, told: String) async {
        let endpoint = Endpoint.json(
            [Int].self,
            .get("https://api.example.com/{id}", ["id": id]),
            problem: ProblemOfC.self
        )
        #expect(ProblemOfC.told(await endpoint.fetch(via: .stub(output))) == told)
    }

    @Test("a value is neither")
    func value() {
        let fetched = Text.right("hello")
        #expect(fetched.connectionError == nil)
        #expect(fetched.failure == nil)
    }
}

/// What the API of document C says when it refuses, and the names that its client has for what went wrong.
private struct ProblemOfC: Decodable {
    let message: String

    static func told(_ fetched: Fetched<TransformError<ProblemOfC>, [Int]>) -> String {
        func kept(_ response: Response) -> String {
            "\(response.statusCode.code) \(String(decoding: response.payload, as: UTF8.self))"
        }
        return switch fetched {
        case .right(let value): "\(value)"
        case .left(.left(.malformedURL)): "url"
        case .left(.left(.malformedResponse)): "response"
        case .left(.left): "network"
        case .left(.right(.malformedData(let response, _))) where response.payload.isEmpty: "emptyResponse"
        case .left(.right(.malformedData(let response, _))): "parse \(kept(response))"
        case .left(.right(.problem(let problem, let response))):
            "errorResponse \(response.statusCode.code) \(problem.message) \(String(decoding: response.payload, as: UTF8.self))"
        case .left(.right(let other)): "error \(kept(other.response))"
        }
    }
}
