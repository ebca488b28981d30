import Foundation
import StartSmall

/// A connector that is tried against a server.
struct ConnectorTrial: Sendable {
    let connector: Connector

    /// What arrives of a request, and what comes of the call; the path and query are put behind the server's URL.
    func request(
        _ target: String = "/",
        queries: [URLQueryItem] = [],
        headers: HTTPHeaders = [:],
        _ methodAndPayload: HTTPMethodAndPayload = .get,
        answering answer: Output = .status(.noContent)
    ) async throws -> (arrived: [Input], output: Output) {
        let arrived = Recorder<Input>()
        return try await LoopbackServer.serving(.stub(answer, recording: arrived)) { server in
            guard let url = URL(string: server.url.absoluteString + target) else { return ([], .status(.badRequest)) }
            let input = Input(url: url, queries: queries, headers: headers, methodAndPayload: methodAndPayload)
            let output = await WebAPI.call(with: input, via: connector)
            return (arrived.elements, output)
        }
    }

    /// What comes of a server's very bytes.
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
    /// What is wrong where a call is cancelled as far on as these steps open their gate; it ends soon, and its connection
    /// with it.
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
            return output == .noResponse(.cancelled) ? [] : ["it came to \(output)"]
        }
    }

    /// What is wrong where a connection ends like this: it was lost, and this is kept of the payload behind the head, or
    /// nothing.
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

/// What is expected, and what is there instead; nil if it is the same.
func rejectionReason<Value: Equatable>(_ what: String, _ actual: Value, _ expected: Value) -> String? {
    actual == expected ? nil : "\(what): \(actual), not \(expected)"
}
