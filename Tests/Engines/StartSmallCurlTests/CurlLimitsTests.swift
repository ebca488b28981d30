#if os(Linux)
    import Foundation
    import StartSmallTesting
    import TestSupport
    import Testing

    import StartSmall

    /// Calls that wait for one of the connections of an engine.
    @Suite("limits of connections of the engine for Linux", .timeLimit(.minutes(1))) struct CurlLimitsTests {
        private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"

        /// A server that answers each request, and keeps its connections.
        private static let answering = Array(repeating: [ServerScriptStep.receiveRequest, .send(answer)], count: 500)
            .flatMap { $0 }

        private static func options(perHost: Int, total: Int = 64) -> ConnectionOptions {
            ConnectionOptions(
                connectTimeout: nil,
                idleTimeout: nil,
                maxConnectionsPerHost: perHost,
                maxConnections: total,
                proxy: .none
            )
        }

        @Test("2,000 streams over 64 connections: the others wait, end by limits, can be cancelled, and are read")
        func waitingStreams() async throws {
            let (go, clock, begun) = (Latch(), ManualClock(), Recorder<Int>())
            let half = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"
            let exchange: [ServerScriptStep] = [.receiveRequest, .send(half), .wait(go), .send("world")]
            let script = Array(repeating: exchange, count: 2000).flatMap(\.self)
            try await LoopbackServer.playing({ _ in script }) { server in
                let connector = Connector.curl(options: Self.options(perHost: 64))
                let begins = Wrapper { input, next in
                    begun.append(1)
                    return await next(input)
                }
                let limited = connector.wrapped(by: .timeout(.seconds(60), clock: clock), begins)
                let input = Input(url: server.url, delivery: .stream)
                let open = await withTaskGroup { group in
                    for _ in 0..<64 { group.addTask { await WebAPI.call(with: input, via: connector) } }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                let kinds = ["timedOut", "cancelled", "helloworld"]
                let calls = (0..<1936).map { number in
                    let connector = kinds[number % 3] == "timedOut" ? limited : connector
                    let call = Task {
                        let response = await WebAPI.call(with: input, via: connector)
                        return await Self.payloadOrError(of: response)
                    }
                    return (expected: kinds[number % 3], call: call)
                }
                for (expected, call) in calls where expected == "cancelled" { call.cancel() }
                for (expected, call) in calls where expected == "cancelled" { #expect(await call.value == expected) }
                await eventually { begun.elements.count == 646 }
                clock.advance(by: .seconds(60))
                for (expected, call) in calls where expected == "timedOut" { #expect(await call.value == expected) }
                #expect(server.received.elements.count == 64)
                go.open()
                for output in open { #expect(await Self.payloadOrError(of: output) == "helloworld") }
                for (expected, call) in calls { #expect(await call.value == expected) }
            }
        }

        /// Returns the payload, which is read if it is still to be read, or the name of the error.
        private static func payloadOrError(of output: Output) async -> String {
            let read = await ReadOutput(output)
            return read.error?.name ?? read.text
        }

        @Test("waiting calls complete when their connector is released") func released() async throws {
            let go = Latch()
            let script: [ServerScriptStep] = [.receiveRequest, .wait(go)] + Self.answering.dropFirst()
            try await LoopbackServer.playing({ _ in script }) { server in
                let calls = { (connector: Connector) in
                    (0..<12).map { _ in Task { await WebAPI.call(with: Input(url: server.url), via: connector) } }
                }(Connector.curl(options: Self.options(perHost: 4)))
                await eventually { server.received.elements.count == 4 }
                go.open()
                for call in calls { #expect(await call.value.response != nil) }
            }
        }
    }
#endif
