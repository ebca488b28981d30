import Foundation
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

struct EndpointFactoriesTests {
    private struct User: Codable, Equatable {
        let createdAt: Date
    }

    private struct FaultInjector: Codable, Equatable {
        let message: String
    }

    private let input = Either<ConnectionError, Input>.get("https://api.example.com/user")
    private let user = Data(#"{"created_at":0}"#.utf8)
    private let trouble = Response(statusCode: .forbidden, payload: Data(#"{"message":"no"}"#.utf8))

    private var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .secondsSince1970
        return decoder
    }

    @Test("JSON is decoded by the given decoder", .parity("B23"))
    func decoding() async {
        let stub = Connector.stub(.hasResponse(Response(statusCode: .ok, payload: user)))
        let expected = User(createdAt: Date(timeIntervalSince1970: 0))
        #expect(await Endpoint.json(User.self, input, decoder: decoder).fetch(via: stub) == .right(expected))
        let withProblem = Endpoint.json(User.self, input, decoder: decoder, problem: FaultInjector.self)
        #expect(await withProblem.fetch(via: stub) == .right(expected))
    }

    @Test("every form decodes a problem if its type is given", .parity("B23"))
    func problems() async {
        let stub = Connector.stub(.hasResponse(trouble))
        let said = TransformError<FaultInjector>.problem(FaultInjector(message: "no"), trouble)
        #expect(await Endpoint.json(Int.self, input, problem: FaultInjector.self).fetch(via: stub).failure == said)
        #expect(await Endpoint.text(input, problem: FaultInjector.self).fetch(via: stub).failure == said)
        #expect(await Endpoint.data(input, problem: FaultInjector.self).fetch(via: stub).failure == said)
        #expect(await Endpoint.empty(input, problem: FaultInjector.self).fetch(via: stub).failure == said)
        #expect(await Endpoint.model(input, problem: FaultInjector.self) { $0.count }.fetch(via: stub).failure == said)
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        #expect(await Endpoint.download(input, to: file, problem: FaultInjector.self).fetch(via: stub).failure == said)
    }

    @Test("every form accepts the given statuses", .parity("B23"))
    func accepting() async {
        let stub = Connector.stub(.hasResponse(trouble))
        let text = #"{"message":"no"}"#
        let read = Endpoint.json(FaultInjector.self, input, accepting: .only(.forbidden))
        #expect(await read.fetch(via: stub) == .right(FaultInjector(message: "no")))
        #expect(await Endpoint.text(input, accepting: .all).fetch(via: stub) == .right(text))
        #expect(await Endpoint.data(input, accepting: .all).fetch(via: stub) == .right(Data(text.utf8)))
        #expect(await Endpoint.empty(input, accepting: .all).fetch(via: stub).right != nil)
        #expect(await Endpoint.model(input, accepting: .all) { $0.count }.fetch(via: stub) == .right(text.utf8.count))
        let refused = Endpoint.text(input, problem: Never.self, accepting: .only(.ok))
        #expect(await refused.fetch(via: stub).failure == .unexpectedStatusCode(trouble))
    }
}
