import StartSmallCore
import Foundation

/// A connector that is tested against a server, and its violations of a law.
struct ConnectorTrial: Sendable {
    let connector: Connector
    let violations = Recorder<String>()

    func expect<Value: Equatable>(_ what: String, _ actual: Value, _ expected: Value) {
        if actual != expected { violations.append("\(what): \(actual), not \(expected)") }
    }

    /// Adds a violation unless two payloads are equal; two texts of a megabyte each would be useless.
    func expectBytes(_ what: String, _ actual: Data?, _ expected: Data?) {
        if actual == expected { return }
        violations.append("\(what): \(actual?.count ?? 0) bytes, not \(expected?.count ?? 0), or different ones")
    }

    /// Calls the connector, and adds a violation unless the call ends with an error of this name.
    func expectError(_ name: String, _ input: Input) async {
        let error = await WebAPI.call(with: input, via: connector).connectionError?.name
        expect("the error of \(input)", error, name)
    }

    /// Sends a request, and returns the arrived requests and the output; the path and query follow the server's URL.
    func request(
        _ target: String = "/a",
        queries: [URLQueryItem] = [],
        headers: HTTPHeaders = [:],
        _ methodAndPayload: HTTPMethodAndPayload = .get
    ) async throws -> (arrived: [Input], output: Output) {
        let arrived = Recorder<Input>()
        return try await LoopbackServer.serving(.stub(.status(.noContent), recording: arrived)) { server in
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
        _ change: (inout Input) -> Void = { _ in }
    ) async throws -> Output {
        try await LoopbackServer.playing({ _ in [.receiveRequest, .send(bytes)] + steps }) { server in
            var input = Input(url: server.url, methodAndPayload: methodAndPayload)
            change(&input)
            return await WebAPI.call(with: input, via: connector)
        }
    }

    func stream(from server: LoopbackServer) async -> Output {
        await WebAPI.call(with: Input(url: server.url, delivery: .stream), via: connector)
    }
}

extension ConnectorTrial {
    /// Cancels a call when these steps open their latch; the call must end soon, and its connection with it.
    func expectEndOfCancelled(
        _ scheme: String = "http",
        _ methodAndPayload: HTTPMethodAndPayload = .get,
        at steps: @escaping @Sendable (Latch) -> [ServerScriptStep]
    ) async throws {
        let (reached, cancelled, closed) = (Latch(), Latch(), Latch())
        let rest: [ServerScriptStep] = [.wait(cancelled), .waitForClose, .open(closed)]
        try await LoopbackServer.playing({ _ in steps(reached) + rest }) { server in
            guard let url = URL(string: "\(scheme)://127.0.0.1:\(server.port)/") else { return }
            let input = Input(url: url, methodAndPayload: methodAndPayload)
            let call = Task { await WebAPI.call(with: input, via: connector) }
            await reached.wait()
            call.cancel()
            let output = await call.value
            cancelled.open()
            await closed.wait()
            expect("the output", output, .noResponse(.cancelled))
        }
    }

    /// Ends the connection of a call by these steps.
    ///
    /// The error must be a lost connection, and contain `payload` after the head, or no partial response if `payload`
    /// is nil.
    func expectLoss(by steps: [ServerScriptStep], after payload: String? = nil) async throws {
        let error = try await LoopbackServer.playing({ _ in [.receiveRequest] + steps }) { server in
            await WebAPI.call(with: Input(url: server.url), via: connector).connectionError
        }
        let partial = error?.cause?.partial
        expect("the error", error?.name, "connectionLost")
        expect("the status that had arrived", partial?.statusCode, payload.map { _ in .ok })
        expect("A that had arrived", partial?.headers["A"], payload.map { _ in "b" })
        expect("the payload that had arrived", partial?.payload, payload.map { Data($0.utf8) })
    }

    /// Ends bodies before and after their first chunk, while the server is silent: each connection must be closed then.
    func expectEnd(by end: @escaping @Sendable (ResponseBody, ConnectionError) async -> Void) async throws {
        for isBegun in [false, true] {
            let closed = Latch()
            let head = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"
            let steps: [ServerScriptStep] = [
                .receiveRequest, .send(head + (isBegun ? "hi" : "")), .waitForClose, .open(closed),
            ]
            try await LoopbackServer.playing({ _ in steps }) { server in
                try await openAndEnd(server, isBegun, end)
                await closed.wait()
            }
        }
    }

    private func openAndEnd(
        _ server: LoopbackServer,
        _ isBegun: Bool,
        _ end: (ResponseBody, ConnectionError) async -> Void
    ) async throws {
        guard let body = await stream(from: server).response?.body else { return violations.append("there is no body") }
        if isBegun { _ = try await body.next() }
        await end(body, .timedOut(.init(domain: "ConnectorLaw", code: 1, text: "interrupted")))
    }
}

extension ConnectorTrial {
    /// Makes calls, one after another, and returns their outputs, and the number of the requests that a server with
    /// this script has received, or of the connections if these were more.
    func requests(
        of calls: [HTTPMethodAndPayload],
        headers: HTTPHeaders = [:],
        _ script: @escaping @Sendable (Int) -> [ServerScriptStep]
    ) async throws -> (outputs: [Output], count: Int) {
        let connections = Recorder<Int>()
        let (outputs, server) = try await LoopbackServer.playing({ number in
            connections.append(number)
            return script(number)
        }) { server in
            var outputs: [Output] = []
            for call in calls {
                let input = Input(url: server.url, headers: headers, methodAndPayload: call)
                outputs.append(await WebAPI.call(with: input, via: connector))
            }
            return (outputs, server)
        }
        // The server has stopped: it has recorded all requests.
        return (outputs, max(connections.elements.count, server.received.elements.count))
    }
}

extension ResponseBody {
    func bytes() async throws(ConnectionError) -> Data {
        var bytes = Data()
        while let chunk = try await next() { bytes += chunk }
        return bytes
    }

    /// Returns the error of the next chunk; nil if there is none.
    func failure() async -> ConnectionError? {
        do throws(ConnectionError) {
            _ = try await next()
            return nil
        } catch { return error }
    }
}
