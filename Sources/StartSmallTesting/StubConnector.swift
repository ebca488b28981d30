import Foundation
import StartSmall
import Synchronization

/// Connectors that answer without a network.
extension Connector {
    /// Stub that answers every input alike.
    public static func stub(_ output: Output, recording sent: Recorder<Input>? = nil) -> Connector {
        stub(recording: sent) { _ in output }
    }

    /// Stub that answers as a function says.
    public static func stub(
        recording sent: Recorder<Input>? = nil,
        _ answer: @escaping @Sendable (Input) async -> Output
    ) -> Connector {
        Connector { input in
            sent?.append(input)
            return await answer(input)
        }
    }

    /// Stub that gives these answers, one a call; a call too many gets no response, and is told so.
    public static func stub(sequence outputs: [Output], recording sent: Recorder<Input>? = nil) -> Connector {
        let count = Mutex(0)
        return stub(recording: sent) { input in
            let call = count.withLock { count in
                count += 1
                return count
            }
            guard call <= outputs.count else {
                return unexpected(input, "call \(call) of a stub with \(outputs.count) answers")
            }
            return outputs[call - 1]
        }
    }

    /// Stub that answers by method and path, as in `["GET /users/octocat": .hasResponse(…)]`; a request to anywhere else
    /// gets no response, and is told what was expected.
    public static func stub(routes: [String: Output], recording sent: Recorder<Input>? = nil) -> Connector {
        stub(recording: sent) { input in
            let path = input.url.path(percentEncoded: true)
            let route = "\(input.methodAndPayload.method) \(path.isEmpty ? "/" : path)"
            let expected = routes.keys.sorted().joined(separator: ", ")
            return routes[route] ?? unexpected(input, "the stub knows \(expected)")
        }
    }

    private static func unexpected(_ input: Input, _ reason: String) -> Output {
        .noResponse(.noDataOrNoResponse(debugInfo: "unexpected request \(input): \(reason)"))
    }
}
