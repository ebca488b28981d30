import Foundation
import StartSmall
import StartSmallForms
import StartSmallTesting
import TestSupport
import Testing

struct StatusMappingTests {
    private struct Problem: Codable, Hashable, Sendable {
        var message: String
    }

    private enum AppError: Error, Equatable {
        case unauthenticated(Response)
        case forbidden(Response)
        case api(TransformError<Problem>)
    }

    private static let common: StatusMapping<AppError> = [
        .unauthorized: AppError.unauthenticated, .forbidden: AppError.forbidden,
    ]

    /// Returns an endpoint made as an app makes all of its endpoints.
    private func endpoint(_ input: Either<ConnectionError, Input>) -> Endpoint<AppError, Int> {
        Endpoint.json(Int.self, input, problem: Problem.self).mapFailure(AppError.api).failing(by: Self.common)
    }

    private let input = Either<ConnectionError, Input>.get("https://api.example.com/count")
    private let body = Data(#"{"message":"no"}"#.utf8)

    @Test(
        "a status of the mapping is its own failure, which keeps the response",
        .parity("D8"),
        arguments: [401, 403]
    )
    func table(_ status: Int) async {
        let response = Response(statusCode: .from(code: status), payload: body)
        let fetched = await endpoint(input).fetch(via: .stub(.hasResponse(response)))
        #expect(fetched.failure == (status == 401 ? .unauthenticated(response) : .forbidden(response)))
        // The first of two counts.
        let twice: StatusMapping<AppError> = [.forbidden: AppError.forbidden, .forbidden: AppError.unauthenticated]
        #expect(twice.failure(of: response) == (status == 401 ? nil : .forbidden(response)))
    }

    @Test("the mapping is applied before any decoding, even for an accepted status", .parity("D8"))
    func beforeDecoding() async {
        let decoded = Recorder<Int>()
        let model = Endpoint<AppError, Int>(input) { response in
            decoded.append(response.statusCode.code)
            return .right(1)
        }
        let strict = model.failing(by: [.ok: AppError.forbidden])
        #expect(await strict.fetch(via: .stub(.hasResponse(Fixture.ok))).failure == .forbidden(Fixture.ok))
        #expect(decoded.elements.isEmpty)
        #expect(await strict.fetch(via: .stub(.status(.created))) == .right(1))
        #expect(decoded.elements == [201])
    }

    @Test("statuses outside of the mapping are decoded as before", .parity("D8"))
    func others() async {
        #expect(await endpoint(input).fetch(via: .stub(.json("3"))) == .right(3))
        let response = Response(statusCode: .conflict, payload: body)
        let fetched = await endpoint(input).fetch(via: .stub(.hasResponse(response)))
        #expect(fetched.failure == .api(.problem(Problem(message: "no"), response)))
    }

    @Test("a validation of the value changes no event of the mapping", .parity("D8"))
    func validated() async {
        let common: StatusMapping<TransformError<Problem>> = [.forbidden: { .invalid($0, reason: "not for you") }]
        let endpoint = Endpoint.json(Int.self, input, problem: Problem.self).failing(by: common)
            .validated { $0 < 3 ? "too few" : nil }
        let log = EventLog()
        _ = await endpoint.fetch(via: Connector.stub(.status(.forbidden)).wrapped(by: .listen(to: log.listener)))
        #expect(log.names == ["started", "received", "rejected", "failed", "ended"])
        let few = Connector.stub(.json("1")).wrapped(by: .listen(to: log.listener))
        #expect(await endpoint.fetch(via: few).failure?.description.hasPrefix("invalid: too few") == true)
        #expect(log.names.suffix(5) == ["started", "received", "invalid", "failed", "ended"])
    }

    @Test("of recover and a mapping, the one that was added last is applied first", .parity("D8"))
    func recover() async {
        let stub = Connector.stub(.status(.forbidden))
        #expect(await endpoint(input).recover(from: .forbidden, as: 0).fetch(via: stub) == .right(0))
        let inner = Endpoint.json(Int.self, input, problem: Problem.self).mapFailure(AppError.api)
        let refused = await inner.recover(from: .forbidden, as: 0).failing(by: Self.common).fetch(via: stub)
        #expect(refused.right == nil)
    }

    @Test("network, client, unauthenticated, forbidden, API and multipart failures can be told apart", .parity("D10"))
    func toldApart() async {
        func kind(_ input: Either<ConnectionError, Input>, _ output: Output) async -> String {
            // As in an engine, invalid requests are not sent.
            let engine = Connector.stub { input in
                ValidatedRequest.from(input).fold({ .noResponse($0) }, { _ in output })
            }
            return switch await endpoint(input).fetch(via: engine) {
            case .right: "none"
            case .left(.left(.malformedURL)): "client"
            case .left(.left(.malformedPayload)): "multipart"
            case .left(.left): "network"
            case .left(.right(.unauthenticated)): "unauthenticated"
            case .left(.right(.forbidden)): "forbidden"
            case .left(.right(.api(let error))): error.problem == nil ? "client" : "api"
            }
        }
        let gone = URL(fileURLWithPath: "/nowhere/at/all")
        let upload = Either<ConnectionError, Input>.post("https://a.example", payload: .multipart([.file("a", gone)]))
        #expect(await kind(input, .noResponse(Fixture.lost)) == "network")
        #expect(await kind(.get("{"), .json("1")) == "client")
        #expect(await kind(input, .status(.unauthorized)) == "unauthenticated")
        #expect(await kind(input, .status(.forbidden)) == "forbidden")
        #expect(await kind(input, .json(#"{"message":"no"}"#, status: .conflict)) == "api")
        #expect(await kind(upload, .json("1")) == "multipart")
        #expect(await kind(input, .json("1")) == "none")
    }
}
