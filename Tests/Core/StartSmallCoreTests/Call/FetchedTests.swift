import StartSmall
import StartSmallTesting
import TestSupport
import Testing

struct FetchedTests {
    private typealias Text = Fetched<TransformError<Never>, String>

    private let refused = TransformError<Never>.unexpectedStatusCode(Fixture.ok)

    @Test("a fetched value tells apart a missing response, a response without a value, and a value")
    func sides() {
        let all = [Text.left(.left(Fixture.lost)), .left(.right(refused)), .right("hello")]
        #expect(all.map(\.connectionError) == [Fixture.lost, nil, nil])
        #expect(all.map(\.failure) == [nil, refused, nil])
    }

    @Test("a fetched value converts to a Result", .parity("C1"))
    func result() throws {
        #expect(try Text.right("hello").result.get() == "hello")
        #expect(Text.left(.left(Fixture.lost)).result == .failure(.left(Fixture.lost)))
        #expect(Text.left(.right(refused)).result == .failure(.right(refused)))
    }

    @Test(
        "seven kinds of failures can be name apart, with their status and payload if there are any",
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
    func seven(id: String, output: Output, name: String) async {
        let endpoint = Endpoint.json(
            [Int].self,
            .get("https://api.example.com/{id}", ["id": id]),
            problem: ProblemOfC.self
        )
        #expect(ProblemOfC.name(await endpoint.fetch(via: .stub(output))) == name)
    }
}

/// The problem that the API of document C returns, and the names that its client has for failures.
private struct ProblemOfC: Decodable {
    let message: String

    static func name(_ fetched: Fetched<TransformError<ProblemOfC>, [Int]>) -> String {
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
            "errorResponse \(response.statusCode.code) \(problem.message) "
                + String(decoding: response.payload, as: UTF8.self)
        case .left(.right(let other)): "error \(kept(other.response))"
        }
    }
}
