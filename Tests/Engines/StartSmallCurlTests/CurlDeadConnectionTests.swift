#if os(Linux)
    import Dispatch
    import Foundation
    import StartSmallTesting
    import TestSupport
    import Testing

    import StartSmall
    import StartSmallSupport
    @testable import StartSmallCore

    /// A server that stops answering on a connection of HTTP/2, and would answer on another one.
    @Suite(
        "connections of HTTP/2 that do not answer",
        .timeLimit(.minutes(1)),
        .enabled(if: SecureServer.isAvailable, "this machine has no OpenSSL 3")
    )
    struct CurlDeadConnectionTests {
        private typealias Server = SecureServer

        /// The time limit of the calls that get no answer.
        private static let limit = Duration.milliseconds(300)

        @Test("after a call without an answer, the next six use one new connection", arguments: [0, 1], [1, 64])
        func limit(answered: Int, maxConnectionsPerHost: Int) async throws {
            let kinds = Array(repeating: "204", count: answered) + ["timed out"] + Array(repeating: "204", count: 6)
            // By the engine's limit, and by that of the call.
            for (idleTimeout, wrapper) in [(Self.limit, nil), (.seconds(15), .timeout(Self.limit))] as [(_, Wrapper?)] {
                let (outputs, connections) = try await outputs(
                    of: answered + 7,
                    answered,
                    idleTimeout: idleTimeout,
                    maxConnectionsPerHost: maxConnectionsPerHost,
                    by: wrapper
                )
                #expect(outputs.map(\.kind) == kinds)
                #expect(connections == 2)
            }
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
            let asked = Latch()
            let (next, connections) = try await Server.running { url, caFile in
                let connector = Self.connector(caFile, .seconds(15), silence: .seconds(600))
                let first = Task { await WebAPI.call(with: Input(url: url), via: connector) }
                await asked.wait()
                first.cancel()
                #expect(await first.value.kind == "cancelled")
                return await WebAPI.call(with: Input(url: url), via: connector).kind
            } serving: { connection in
                connection.send(.settings())
                _ = connection.readRequest()
                // libcurl 7.88 closes an idle connection on which a part of the TLS handshake was not read yet.
                connection.send(.ping)
                _ = connection.readUntil(\.isPingAnswer)
                asked.open()
                while let stream = connection.readRequest() { connection.send(.noContent(stream)) }
            }
            #expect(next == "204")
            #expect(connections == 1)
        }

        @Test("after a time without a byte, calls use one new connection, though each one before was soon cancelled")
        func allCancelled() async throws {
            let asked = Locked(Latch())
            let (kinds, connections) = try await Server.running { url, caFile in
                let connector = Self.connector(caFile, .seconds(15), silence: .milliseconds(50))
                var kinds: [String] = []
                while kinds.last != "204" {
                    let isAskedOrOver = Latch()
                    asked.withLock { $0 = isAskedOrOver }
                    let call = Task {
                        defer { isAskedOrOver.open() }
                        return await WebAPI.call(with: Input(url: url), via: connector).kind
                    }
                    await isAskedOrOver.wait()
                    call.cancel()
                    kinds.append(await call.value)
                }
                for _ in 0..<5 { kinds.append(await WebAPI.call(with: Input(url: url), via: connector).kind) }
                return kinds
            } serving: { connection in
                connection.send(.settings())
                while let stream = connection.readRequest() {
                    if connection.index > 0 {
                        connection.send(.noContent(stream))
                    } else {
                        asked.withLock { $0 }.open()
                    }
                }
            }
            #expect(kinds.count > 6 && kinds.suffix(6).allSatisfy { $0 == "204" }, "\(kinds)")
            #expect(connections == 2)
        }

        @Test("calls use one connection that has answered each of them, however long ago its last byte arrived")
        func nothingOwed() async throws {
            let calls = 200
            let (kinds, connections) = try await Server.running { url, caFile in
                let connector = Self.connector(caFile, .seconds(15), silence: .zero)
                var kinds: [String] = []
                for _ in 0..<calls { kinds.append(await WebAPI.call(with: Input(url: url), via: connector).kind) }
                return kinds
            } serving: { connection in
                connection.send(.settings())
                while let stream = connection.readRequest() { connection.send(.noContent(stream)) }
            }
            #expect(kinds == [String](repeating: "204", count: calls))
            #expect(connections == 1)
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
                connection.begin(stream)
                asked.open()
                mayEnd.wait()
                connection.send(.data("b", stream, isLast: true))
            }
            #expect(outputs.map(\.kind) == ["200 ab", "timed out", "204"])
            #expect(connections == 2)
        }

        @Test("beside a quiet stream, the calls after one without an answer share one new connection")
        func quietStream() async throws {
            let (asked, mayEnd) = (Latch(), DispatchSemaphore(value: 0))
            let (outputs, connections) = try await Self.outputs(beside: asked, others: 50) { connection in
                connection.send(.settings())
                guard let stream = connection.readRequest() else { return }
                if connection.index == 0 {
                    connection.begin(stream)
                    asked.open()
                    mayEnd.wait()
                    return connection.send(.data("b", stream, isLast: true))
                }
                connection.send(.noContent(stream))
                for _ in 1..<50 { if let next = connection.readRequest() { connection.send(.noContent(next)) } }
                mayEnd.signal()
            }
            #expect(outputs.map(\.kind) == ["200 ab", "timed out"] + [String](repeating: "204", count: 50))
            #expect(connections == 2)
        }

        @Test("a silent connection is closed if the host may have no other one, and its calls end with connectionLost")
        func replaced() async throws {
            let asked = Latch()
            let (outputs, connections) = try await Self.outputs(
                beside: asked,
                maxConnectionsPerHost: 1,
                silence: .milliseconds(100)
            ) { connection in
                connection.send(.settings())
                while let stream = connection.readRequest() {
                    if connection.index > 0 {
                        connection.send(.noContent(stream))
                    } else {
                        connection.begin(stream)
                        asked.open()
                        return
                    }
                }
            }
            let (lost, last) = (outputs[0].connectionError, outputs[2])
            #expect(lost?.name == "connectionLost" && lost?.isTransient == true, "\(outputs[0])")
            #expect(lost?.cause?.partial?.payload == Data("a".utf8))
            #expect(last.kind == "204")
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
                connection.begin(stream)
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

        /// Makes a call, one with a time limit after the latch is open, and then others.
        private static func outputs(
            beside asked: Latch,
            maxConnectionsPerHost: Int = 64,
            silence: Duration = .seconds(600),
            others: Int = 1,
            beforeThird prepare: () async -> Void = {},
            serving serve: @escaping @Sendable (Server.Connection) -> Void
        ) async throws -> (result: [Output], connections: Int) {
            try await Server.running { url, caFile in
                let connector = connector(
                    caFile,
                    .seconds(15),
                    maxConnectionsPerHost: maxConnectionsPerHost,
                    silence: silence
                )
                async let first = WebAPI.call(with: Input(url: url), via: connector)
                await asked.wait()
                let limited = connector.wrapped(by: .timeout(limit))
                let second = await WebAPI.call(with: Input(url: url), via: limited)
                await prepare()
                var last: [Output] = []
                for _ in 0..<others { last.append(await WebAPI.call(with: Input(url: url), via: connector)) }
                return [await first, second] + last
            } serving: {
                serve($0)
            }
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
            maxConnectionsPerHost: Int = 64,
            silence: Duration = .seconds(600)
        ) -> Connector {
            var options = ConnectionOptions(
                idleTimeout: .limit(idleTimeout),
                maxConnectionsPerHost: maxConnectionsPerHost,
                proxy: .none,
                caFile: caFile
            )
            options.silence = silence
            return .curl(options: options)
        }

        /// Calls a server that answers this number of requests on its first connection, and all on others.
        private func outputs(
            of calls: Int,
            _ answered: Int,
            idleTimeout: Duration,
            maxConnectionsPerHost: Int = 64,
            by wrapper: Wrapper?
        ) async throws -> (result: [Output], connections: Int) {
            try await Server.running { url, caFile in
                let engine = Self.connector(caFile, idleTimeout, maxConnectionsPerHost: maxConnectionsPerHost)
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

    extension SecureServer.Connection {
        /// Sends a head and a part of its payload, and waits until the client has read them: until then, libcurl 8.23
        /// lets the next call wait.
        fileprivate func begin(_ stream: UInt32) {
            send(.ok(stream), .data("a", stream), .ping)
            _ = readUntil(\.isPingAnswer)
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
