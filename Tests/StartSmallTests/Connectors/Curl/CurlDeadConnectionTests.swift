#if os(Linux)
    import Dispatch
    import Foundation
    import ParityTrait
    import StartSmall
    import StartSmallTesting
    import Testing

    /// A server that stops answering on a connection of HTTP/2, and would answer on another one.
    @Suite(
        "connections of HTTP/2 that do not answer",
        .timeLimit(.minutes(1)),
        .enabled(if: SecureHTTP2Server.isAvailable, "this machine has no OpenSSL 3")
    )
    struct CurlDeadConnectionTests {
        private typealias Server = SecureHTTP2Server

        /// The time limit of the calls that get no answer.
        private static let limit = Duration.milliseconds(300)

        @Test("after a call without an answer, the next six use one new connection", arguments: [0, 1])
        func idleLimit(answered: Int) async throws {
            let (outputs, connections) = try await outputs(of: answered + 7, answered, idleTimeout: Self.limit)
            #expect(outputs.map(\.kind) == Self.kinds(of: 7, after: answered))
            #expect(connections == 2)
        }

        @Test("after a call without an answer in its own time limit, the next six use one new connection")
        func timeout() async throws {
            let (outputs, connections) = try await outputs(of: 8, 1, by: .timeout(Self.limit))
            #expect(outputs.map(\.kind) == Self.kinds(of: 7, after: 1))
            #expect(connections == 2)
        }

        @Test("a retry of a call without an answer succeeds", arguments: [0, 1])
        func retry(answered: Int) async throws {
            let retry = Wrapper.retry(.exponential(baseDelay: .zero), random: { 0 })
            let calls = answered + 3
            let (outputs, connections) = try await outputs(of: calls, answered, idleTimeout: Self.limit, by: retry)
            #expect(outputs.map(\.kind) == [String](repeating: "204", count: calls))
            #expect(connections == 2)
        }

        @Test("a call that is soon cancelled does not end its connection")
        func cancelled() async throws {
            // After a second without a response, the connection is doubted; a busy machine may need as long.
            for _ in 0..<20 {
                let (next, connections) = try await Self.callAfterCancelled()
                guard let next else { continue }
                #expect(next.kind == "204")
                #expect(connections == 1)
                return
            }
            Issue.record("no call was cancelled in time")
        }

        /// Calls a server after a call that is cancelled.
        ///
        /// - Returns: The output, or nil if the cancelled call lasted for a second; the number of connections.
        private static func callAfterCancelled() async throws -> (result: Output?, connections: Int) {
            let asked = Latch()
            return try await Server.running { url, caFile in
                let connector = Self.connector(caFile, .seconds(15))
                let start = ContinuousClock.now
                let first = Task { await WebAPI.call(with: Input(url: url), via: connector) }
                await asked.wait()
                first.cancel()
                #expect(await first.value.kind == "cancelled")
                guard ContinuousClock.now - start < .seconds(1) else { return nil }
                return await WebAPI.call(with: Input(url: url), via: connector)
            } serving: { connection in
                connection.send(.settings())
                _ = connection.readRequest()
                // libcurl 7.88 closes an idle connection on which a part of the TLS handshake was not read yet.
                connection.send(.ping)
                _ = connection.readUntil(\.isPingAnswer)
                asked.open()
                while let stream = connection.readRequest() { connection.send(.noContent(stream)) }
            }
        }

        @Test("a call on the same connection as one without an answer is not disturbed, and new calls use another one")
        func silentNeighbour() async throws {
            let (asked, mayEnd) = (Latch(), DispatchSemaphore(value: 0))
            let (outputs, connections) = try await Self.outputs(beside: asked) { connection in
                connection.send(.settings())
                guard let stream = connection.readRequest() else { return }
                if connection.index > 0 {
                    connection.send(.noContent(stream))
                    mayEnd.signal()
                    return
                }
                connection.send(.ok(stream), .data("a", stream))
                asked.open()
                mayEnd.wait()
                connection.send(.data("b", stream, isLast: true))
            }
            #expect(outputs.map(\.kind) == ["200 ab", "timed out", "204"])
            #expect(connections == 2)
        }

        @Test("new calls use a connection on which a call had no answer, if another one has received something since")
        func livelyNeighbour() async throws {
            let (asked, mayAnswer, answered) = (Latch(), DispatchSemaphore(value: 0), Latch())
            let (outputs, connections) = try await Self.outputs(beside: asked) {
                mayAnswer.signal()
                await answered.wait()
            } serving: { connection in
                connection.send(.settings())
                guard let stream = connection.readRequest() else { return }
                connection.send(.ok(stream), .data("a", stream))
                asked.open()
                // The request of the call that times out.
                _ = connection.readRequest()
                mayAnswer.wait()
                connection.send(.data("b", stream), .ping)
                // The client has read everything that was sent before.
                _ = connection.readUntil(\.isPingAnswer)
                answered.open()
                guard let last = connection.readRequest() else { return }
                connection.send(.noContent(last), .data("c", stream, isLast: true))
            }
            #expect(outputs.map(\.kind) == ["200 abc", "timed out", "204"])
            #expect(connections == 1)
        }

        @Test("beside a quiet stream, a request is sent on a doubted connection if the host may have no other one")
        func noOtherConnection() async throws {
            let asked = Latch()
            let (outputs, connections) = try await Self.outputs(beside: asked, maxConnectionsPerHost: 1) { connection in
                connection.send(.settings())
                guard let stream = connection.readRequest() else { return }
                connection.send(.ok(stream), .data("a", stream))
                asked.open()
                _ = connection.readRequest()
                guard let last = connection.readRequest() else { return }
                connection.send(.noContent(last), .data("b", stream, isLast: true))
            }
            #expect(outputs.map(\.kind) == ["200 ab", "timed out", "204"])
            #expect(connections == 1)
        }

        /// Makes a call, one with a time limit after the latch is open, and then a third one.
        private static func outputs(
            beside asked: Latch,
            maxConnectionsPerHost: Int = 64,
            beforeThird prepare: () async -> Void = {},
            serving serve: @escaping @Sendable (Server.Connection) -> Void
        ) async throws -> (result: [Output], connections: Int) {
            try await Server.running { url, caFile in
                let connector = connector(caFile, .seconds(15), maxConnectionsPerHost: maxConnectionsPerHost)
                async let first: Output = WebAPI.call(with: Input(url: url), via: connector)
                await asked.wait()
                let limited = connector.wrapped(by: .timeout(limit))
                let second = await WebAPI.call(with: Input(url: url), via: limited)
                await prepare()
                let third = await WebAPI.call(with: Input(url: url), via: connector)
                return [await first, second, third]
            } serving: {
                serve($0)
            }
        }

        @Test("a connection that has answered another request meanwhile is not doubted")
        func answeredMeanwhile() async throws {
            let asked = Latch()
            let (outputs, connections) = try await Server.running { url, caFile in
                let connector = Self.connector(caFile, .seconds(15))
                let limited = connector.wrapped(by: .timeout(.seconds(1)))
                async let slow: Output = WebAPI.call(with: Input(url: url), via: limited)
                await asked.wait()
                let second = await WebAPI.call(with: Input(url: url), via: connector)
                return [await slow, second, await WebAPI.call(with: Input(url: url), via: connector)]
            } serving: { connection in
                connection.send(.settings())
                _ = connection.readRequest()
                asked.open()
                while let stream = connection.readRequest() { connection.send(.noContent(stream)) }
            }
            #expect(outputs.map(\.kind) == ["timed out", "204", "204"])
            #expect(connections == 1)
        }

        @Test("a call ends with its response, while others on its connection and on others begin and end")
        func together() async throws {
            let rounds = isExhaustive ? 300 : 30
            let plain = Connector.stub(.text("plain"))
            let (kinds, connections) = try await LoopbackServer.serving(plain) { other in
                try await Server.running { url, caFile in
                    let connector = Self.connector(caFile, .seconds(5))
                    var kinds: Set<[String]> = []
                    for _ in 0..<rounds {
                        async let first = WebAPI.call(with: Input(url: url), via: connector).kind
                        async let second = WebAPI.call(with: Input(url: url), via: connector).kind
                        async let third = WebAPI.call(with: Input(url: other.url), via: connector).kind
                        kinds.insert(await [first, second].sorted() + [third])
                    }
                    return kinds
                } serving: { connection in
                    connection.send(.settings())
                    while let first = connection.readRequest() {
                        connection.send(.ok(first), .data("a", first))
                        guard let second = connection.readRequest() else { return }
                        connection.send(.noContent(second), .data("b", first, isLast: true))
                    }
                }
            }
            #expect(kinds == [["200 ab", "204", "200 plain"]])
            #expect(connections == 1)
        }

        private static func connector(
            _ caFile: URL,
            _ idleTimeout: Duration,
            maxConnectionsPerHost: Int = 64
        ) -> Connector {
            .curl(
                options: ConnectionOptions(
                    idleTimeout: .limit(idleTimeout),
                    maxConnectionsPerHost: maxConnectionsPerHost,
                    proxy: .none,
                    caFile: caFile
                )
            )
        }

        private static func kinds(of count: Int, after answered: Int) -> [String] {
            let answer = "204"
            return [String](repeating: answer, count: answered) + ["timed out"]
                + [String](repeating: answer, count: count - 1)
        }

        /// Calls a server that answers this number of requests on its first connection, and all on others.
        private func outputs(
            of calls: Int,
            _ answered: Int,
            idleTimeout: Duration = .seconds(15),
            by wrapper: Wrapper? = nil
        ) async throws -> (result: [Output], connections: Int) {
            try await Server.running { url, caFile in
                let engine = Self.connector(caFile, idleTimeout)
                let connector = wrapper.map { engine.wrapped(by: $0) } ?? engine
                var outputs: [Output] = []
                for _ in 0..<calls { outputs.append(await WebAPI.call(with: Input(url: url), via: connector)) }
                return outputs
            } serving: { connection in
                connection.send(.settings())
                var count = 0
                while let stream = connection.readRequest() {
                    count += 1
                    if connection.index == 0, count > answered { return }
                    connection.send(.noContent(stream))
                }
            }
        }
    }

    extension Output {
        /// The status and the payload, or the kind of the error, in short.
        fileprivate var kind: String {
            switch self {
            case .hasResponse(let response):
                let payload = String(decoding: response.payload, as: UTF8.self)
                return "\(response.statusCode.code)" + (payload.isEmpty ? "" : " " + payload)
            case .noResponse(.timedOut): return "timed out"
            case .noResponse(.cancelled): return "cancelled"
            case .noResponse(let error): return "\(error)"
            }
        }
    }
#endif
