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
    ///
    /// A test that expects any failure would take that one for it: with `unexpected`, it can also expect that nothing
    /// went there.
    public static func stub(
        sequence outputs: [Output],
        recording sent: Recorder<Input>? = nil,
        unexpected: Recorder<Input>? = nil
    ) -> Connector {
        let count = Mutex(0)
        return stub(recording: sent) { input in
            let call = count.withLock { count in
                count += 1
                return count
            }
            guard call <= outputs.count else {
                return refusal(of: input, unexpected, "call \(call) of a stub with \(outputs.count) answers")
            }
            return outputs[call - 1]
        }
    }

    /// Stub that answers by method and path, as in `["GET /users/octocat": .json("{}")]`; a request to anywhere else
    /// gets no response, and is told what was expected.
    ///
    /// A test that expects any failure would take that one for it: with `unexpected`, it can also expect that nothing
    /// went there.
    public static func stub(
        routes: [String: Output],
        recording sent: Recorder<Input>? = nil,
        unexpected: Recorder<Input>? = nil
    ) -> Connector {
        stub(recording: sent) { input in
            let path = input.url.path(percentEncoded: true)
            let route = "\(input.methodAndPayload.method) \(path.isEmpty ? "/" : path)"
            if let output = routes[route] { return output }
            return refusal(of: input, unexpected, "the stub knows \(routes.keys.sorted().joined(separator: ", "))")
        }
    }

    private static func refusal(of input: Input, _ unexpected: Recorder<Input>?, _ reason: String) -> Output {
        unexpected?.append(input)
        return .noResponse(.noDataOrNoResponse(debugInfo: "unexpected request \(input): \(reason)"))
    }
}
