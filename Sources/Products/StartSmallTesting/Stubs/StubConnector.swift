public import StartSmallCore
import Foundation
import Synchronization

/// Connectors that respond without a network.
extension Connector {
    /// Returns a stub that gives each request the same output.
    ///
    /// - Parameters:
    ///   - output: the output of each call.
    ///   - sent: records the inputs.
    public static func stub(_ output: Output, recording sent: Recorder<Input>? = nil) -> Connector {
        stub(recording: sent) { _ in output }
    }

    /// Returns a stub that gives each request the output of `respond`.
    ///
    /// - SeeAlso: ``stub(_:recording:)``
    public static func stub(
        recording sent: Recorder<Input>? = nil,
        _ respond: @escaping @Sendable (Input) async -> Output
    ) -> Connector {
        Connector { input in
            sent?.append(input)
            return await respond(input)
        }
        .named("stub")
    }

    /// Returns a stub that gives a sequence of outputs, one per call; none, if no call is expected.
    ///
    /// A call beyond the last output gets no response, and an error that says so. A test that expects any failure would
    /// accept that error too: with `unexpected`, the test can also expect that there was no such call.
    ///
    /// - Parameters:
    ///   - outputs: the outputs, one per call.
    ///   - sent: records the inputs.
    ///   - unexpected: records the inputs that have no output.
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
                return refusal(of: input, unexpected, "call \(call) of a stub with \(outputs.count) outputs")
            }
            return outputs[call - 1]
        }
    }

    /// Returns a stub that selects its output by method and path, as in `["GET /users/octocat": .json("{}")]`.
    ///
    /// Paths of `routes` are percent-encoded. Any other request gets no response, and an error that lists the routes.
    ///
    /// - SeeAlso: ``stub(sequence:recording:unexpected:)``
    public static func stub(
        routes: [String: Output],
        recording sent: Recorder<Input>? = nil,
        unexpected: Recorder<Input>? = nil
    ) -> Connector {
        stub(recording: sent) { input in
            let path = input.url.path(percentEncoded: true)
            let route = "\(input.methodAndPayload.method) \(path.isEmpty ? "/" : path)"
            if let output = routes[route] { return output }
            let known = routes.keys.sorted().joined(separator: ", ")
            return refusal(of: input, unexpected, "the stub's routes are \(known)")
        }
    }

    /// Returns a stub that never responds: each call ends with `ConnectionError.cancelled` when cancelled.
    ///
    /// ```swift
    /// let begun = Latch()
    /// let call = Task { await user.fetch(via: .silent(begun: begun)) }
    /// await begun.wait()
    /// call.cancel()
    /// ```
    ///
    /// - Parameters:
    ///   - begun: a latch that opens when the stub is called.
    ///   - ended: a latch that opens when a call of the stub ends.
    ///   - release: a latch that ends the calls when opened, even if they are not cancelled.
    public static func silent(begun: Latch = Latch(), ended: Latch = Latch(), until release: Latch = Latch())
        -> Connector
    {
        Connector { _ in
            begun.open()
            await release.wait()
            ended.open()
            return .noResponse(.cancelled)
        }.named("silent")
    }

    private static func refusal(of input: Input, _ unexpected: Recorder<Input>?, _ reason: String) -> Output {
        unexpected?.append(input)
        return .noResponse(.noDataOrNoResponse(debugInfo: "unexpected request \(input): \(reason)"))
    }
}
