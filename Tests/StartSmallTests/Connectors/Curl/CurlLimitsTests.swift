#if os(Linux)
    import CCurl
    import Foundation
    import StartSmallTesting
    import Testing

    @testable import StartSmall

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

        @Test(
            "no more connections to a host are ever opened than allowed, idle ones included, and all of them are used",
            arguments: [1, 5]
        )
        func perHost(limit: Int) async throws {
            let opened = Recorder<Int>()
            // Connections are never closed, so that those ever opened are those open.
            try await LoopbackServer.playing({
                opened.append($0)
                return Self.answering
            }) { server in
                let connector = Connector.curl(options: Self.options(perHost: limit))
                for concurrent in [20, 1, limit, 40] {
                    let outputs = await outputs(concurrent, via: connector) { _ in server.url }
                    #expect(outputs.allSatisfy { $0.response != nil })
                }
            }
            #expect(opened.elements.count == limit)
        }

        @Test("calls to many hosts never have more connections than allowed in all")
        func total() async throws {
            let limit = 4
            let most = Recorder<Int>()
            try await LoopbackServer.playing({ _ in Self.answering }) { first in
                try await LoopbackServer.playing({ _ in Self.answering }) { second in
                    try await LoopbackServer.playing({ _ in Self.answering }) { third in
                        let urls = [first.url, second.url, third.url]
                        let ports = Set(urls.compactMap(\.port))
                        let connector = Connector.curl(options: Self.options(perHost: 3, total: limit))
                        let outputs = await outputs(120, via: connector) { number in
                            most.append(OpenConnections.count(to: ports))
                            return urls[number % 3]
                        }
                        #expect(outputs.allSatisfy { $0.response != nil })
                    }
                }
            }
            #expect(most.elements.max() ?? .max <= limit)
        }

        @Test("no call waits behind those to another host, however many of them wait")
        func beside() async throws {
            let go = Latch()
            let script = [ServerScriptStep.receiveRequest, .wait(go), .send(Self.answer)] + Self.answering
            try await LoopbackServer.playing({ _ in script }) { slow in
                try await LoopbackServer.playing({ _ in Self.answering }) { server in
                    let connector = Connector.curl(options: Self.options(perHost: 1, total: 2))
                    let blocked = (0..<400).map { _ in
                        Task { await WebAPI.call(with: Input(url: slow.url), via: connector) }
                    }
                    await eventually { slow.received.elements.count == 1 }
                    let outputs = await outputs(50, via: connector) { _ in server.url }
                    #expect(outputs.allSatisfy { $0.response != nil })
                    go.open()
                    for call in blocked { #expect(await call.value.response != nil) }
                }
            }
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
                let open = await outputs(64, via: connector, to: .stream) { _ in server.url }
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

        @Test("two engines under spread have a thread each")
        func threads() async {
            await #expect(processExitsWith: .success) {
                guard Connector.curlUnavailable == nil else { throw Unexpected("no libcurl") }
                let answer = Connector.stub(.hasResponse(Response(statusCode: .ok)))
                try await LoopbackServer.serving(answer) { server in
                    let connector = Connector.spread(over: [.curl(), .curl()])
                    for count in [0, 1, 2, 2] {
                        let all = EngineThread.all.count
                        guard all == count else { throw Unexpected("\(all) threads instead of \(count)") }
                        _ = await WebAPI.call(with: Input(url: server.url), via: connector)
                    }
                }
            }
        }

        private func outputs(
            _ count: Int,
            via connector: Connector,
            to delivery: Delivery = .memory,
            _ url: @escaping @Sendable (Int) -> URL
        ) async -> [Output] {
            await withTaskGroup { group in
                for number in 0..<count {
                    group.addTask {
                        let input = Input(url: url(number), delivery: delivery)
                        let output = await WebAPI.call(with: input, via: connector)
                        // The URL is asked for after the call, too: a test counts connections then.
                        _ = url(number)
                        return output
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
    }

    /// The connections of this process, as the system lists them (proc(5)).
    private enum OpenConnections {
        /// Returns the number of sockets that are connected, or are connecting, to one of these ports.
        static func count(to ports: Set<Int>) -> Int {
            let (established, connecting) = ("01", "02")
            let table = (try? String(contentsOfFile: "/proc/self/net/tcp", encoding: .utf8)) ?? ""
            return table.split(separator: "\n").dropFirst().count { line in
                let columns = line.split(separator: " ").map(String.init)
                guard columns.count > 3, [established, connecting].contains(columns[3]) else { return false }
                guard let port = columns[2].split(separator: ":").last else { return false }
                return Int(port, radix: 16).map { ports.contains($0) } ?? false
            }
        }
    }
#endif
