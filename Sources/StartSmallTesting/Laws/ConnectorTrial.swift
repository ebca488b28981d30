import Foundation
import StartSmall

/// A connector that is tested against a server.
struct ConnectorTrial: Sendable {
    let connector: Connector

    /// Sends a request, and returns the arrived requests and the output; the path and query follow the server's URL.
    func request(
        _ target: String = "/",
        queries: [URLQueryItem] = [],
        headers: HTTPHeaders = [:],
        _ methodAndPayload: HTTPMethodAndPayload = .get,
        answering output: Output = .status(.noContent)
    ) async throws -> (arrived: [Input], output: Output) {
        let arrived = Recorder<Input>()
        return try await LoopbackServer.serving(.stub(output, recording: arrived)) { server in
            guard let url = URL(string: server.url.absoluteString + target) else { return ([], .status(.badRequest)) }
            let input = Input(url: url, queries: queries, headers: headers, methodAndPayload: methodAndPayload)
            let output = await WebAPI.call(with: input, via: connector)
            return (arrived.elements, output)
        }
    }

    /// Returns the output of a call to which a server sends exact bytes.
    func response(
        to bytes: String,
        _ methodAndPayload: HTTPMethodAndPayload = .get,
        then steps: [ServerScriptStep] = [.close],
        _ change: @escaping (inout Input) -> Void = { _ in }
    ) async throws -> Output {
        try await LoopbackServer.playing({ _ in [.receiveRequest, .send(bytes)] + steps }) { server in
            var input = Input(url: server.url, methodAndPayload: methodAndPayload)
            change(&input)
            return await WebAPI.call(with: input, via: connector)
        }
    }
}

extension ConnectorTrial {
    /// Returns the violations of a call that is cancelled when these steps open their latch.
    ///
    /// The call must end soon, and its connection with it.
    func cancelled(
        _ scheme: String = "http",
        _ methodAndPayload: HTTPMethodAndPayload = .get,
        at steps: @escaping @Sendable (Latch) -> [ServerScriptStep]
    ) async throws -> [String] {
        let (reached, cancelled, closed) = (Latch(), Latch(), Latch())
        let rest: [ServerScriptStep] = [.wait(cancelled), .waitForClose, .open(closed)]
        return try await LoopbackServer.playing({ _ in steps(reached) + rest }) { server in
            guard let url = URL(string: "\(scheme)://127.0.0.1:\(server.port)/") else { return [] }
            let input = Input(url: url, methodAndPayload: methodAndPayload)
            let call = Task { await WebAPI.call(with: input, via: connector) }
            await reached.wait()
            call.cancel()
            let output = await call.value
            cancelled.open()
            await closed.wait()
            return output == .noResponse(.cancelled) ? [] : ["the output was \(output)"]
        }
    }

    /// Returns the violations of a call whose connection is ended by these steps.
    ///
    /// The error must be a lost connection, and contain `payload` after the head, or no partial response if `payload`
    /// is nil.
    func lost(by steps: [ServerScriptStep], after payload: String? = nil) async throws -> [String] {
        let error = try await LoopbackServer.playing({ _ in [.receiveRequest] + steps }) { server in
            await WebAPI.call(with: Input(url: server.url), via: connector).connectionError
        }
        let partial = error?.cause?.partial
        return [
            rejectionReason("the error", error?.name, "connectionLost"),
            rejectionReason("the status that had arrived", partial?.statusCode, payload.map { _ in .ok }),
            rejectionReason("A that had arrived", partial?.headers["A"], payload.map { _ in "b" }),
            rejectionReason("the payload that had arrived", partial?.payload, payload.map { Data($0.utf8) }),
        ].compactMap(\.self)
    }
}

/// Returns a description of the actual and the expected value; nil if they are equal.
func rejectionReason<Value: Equatable>(_ what: String, _ actual: Value, _ expected: Value) -> String? {
    actual == expected ? nil : "\(what): \(actual), not \(expected)"
}
