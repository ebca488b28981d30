import Foundation
import StartSmall
import StartSmallJSON
import StartSmallResilience
import StartSmallTesting
import Testing

/// The Swift blocks of Sources/StartSmall/StartSmall.docc/Errors.md, in order.
struct ErrorsExamples {
    private struct User: Codable, Hashable, Sendable {
        let name: String
    }

    private let user = Endpoint.json(
        User.self,
        .get("https://api.example.com/user"),
        problem: ProblemDetails.self
    )

    /// A connector whose connection is lost in the middle of a payload.
    private let broken = Connector.stub(
        .noResponse(
            .connectionLost(
                ConnectionError.Cause(
                    domain: "test",
                    code: 1,
                    text: "the peer closed the connection",
                    partial: Response(statusCode: .ok, payload: Data(#"{"name":"#.utf8))
                )
            )
        )
    )

    func told<Value>(_ fetched: Fetched<TransformError<ProblemDetails>, Value>) -> String {
        switch fetched {
        case .right: "done"
        case .left(.left(.cancelled)): "stopped"
        case .left(.left(.notConnectedToInternet)): "you are offline"
        case .left(.left(.timedOut)), .left(.left(.connectionLost)): "the network is slow: try again"
        case .left(.left): "there is no connection"
        case .left(.right(.problem(let problem, _))): problem.title ?? "it was refused"
        case .left(.right(let error)) where error.response.statusCode == .unauthorized: "please sign in"
        case .left(.right): "the server said something unexpected"
        }
    }

    @Test("the thrown error is typed")
    func thrown() async {
        let connector = broken
        let name: String

        do {
            name = try await user.value(via: connector).name
        } catch {
            switch error {
            case .left(let connectionError): name = "no response: \(connectionError.name)"
            case .right(let transformError): name = "no user: \(transformError.response.statusCode)"
            }
        }

        #expect(name == "no response: connectionLost")
        #expect(await told(user.fetch(via: connector)) == "the network is slow: try again")
        #expect(await told(user.fetch(via: .stub(.status(.unauthorized)))) == "please sign in")
    }

    @Test("the error of a refusal has the value of its wrapper")
    func refusals() {
        let error = ConnectionError.circuitOpen(until: Date(timeIntervalSince1970: 0))
        if let circuit = error.refusal(CircuitOpen.self) { print("again at \(circuit.until)") }
        #expect(error.refusal(TooManyCalls.self) == nil && error.refusal(CircuitOpen.self) != nil)
    }

    @Test("a lost connection's error has the partial response")
    func partial() async {
        let connector = broken

        let errorOrUser = await user.fetch(via: connector)
        let cause = errorOrUser.connectionError?.cause

        #expect(cause?.text == "the peer closed the connection")
        #expect(cause?.partial?.statusCode == .ok)
        #expect(cause?.partial?.payload == Data(#"{"name":"#.utf8))
    }

    @Test("the error of malformed data has the position")
    func malformed() {
        let response = Response(statusCode: .ok, payload: Data(#"{"name":"#.utf8))

        #expect(
            response.json(User.self).left
                == .malformedData(response, debugInfo: "the payload can't be read: The given data was not valid JSON.")
        )
    }
}
