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
            let output = await WebAPI.call(with: input, via: connector) as Output
            return (arrived.elements, output)
        }
    }

    /// What comes of a server's very bytes.
    func response(
        to bytes: String,
        _ methodAndPayload: HTTPMethodAndPayload = .get,
        then steps: [RawStep] = [.close],
        _ change: @escaping (inout Input) -> Void = { _ in }
    ) async throws -> Output {
        try await LoopbackServer.playing({ _ in [.receiveRequest, .send(bytes)] + steps }) { server in
            var input = Input(url: server.url, methodAndPayload: methodAndPayload)
            change(&input)
            return await WebAPI.call(with: input, via: connector)
        }
    }
}

/// What is expected, and what is there instead; nil if it is the same.
func objection<Value: Equatable>(_ what: String, _ actual: Value, _ expected: Value) -> String? {
    actual == expected ? nil : "\(what): \(actual), not \(expected)"
}
