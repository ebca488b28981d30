#if os(Linux)
    import CCurl
    import Foundation
    import StartSmallTesting
    import Testing

    @testable import StartSmall

    /// Calls over real connections with several event loops; the decisions are tested in `CallRouterTests`.
    @Suite("several event loops of the engine for Linux", .timeLimit(.minutes(1))) struct CurlLoopsTests {
        private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"

        /// A server that answers each request, and keeps its connections.
        private static let answering = Array(repeating: [ServerScriptStep.receiveRequest, .send(answer)], count: 500)
            .flatMap { $0 }

        fileprivate static func options(_ threads: Int, perHost: Int, total: Int = 64) -> ConnectionOptions {
            ConnectionOptions(
                connectTimeout: nil,
                idleTimeout: nil,
                maxConnectionsPerHost: perHost,
                maxConnections: total,
                threads: threads,
                proxy: .none
            )
        }

        @Test("successive calls use one connection, whatever the number of threads", arguments: [1, 2, 4])
        func lowLoad(threads: Int) async throws {
            let opened = Recorder<Int>()
            try await LoopbackServer.playing({
                opened.append($0)
                return Self.answering
            }) { server in
                let connector = Connector.curl(options: Self.options(threads, perHost: 64))
                for _ in 0..<50 {
                    #expect(await WebAPI.call(with: Input(url: server.url), via: connector).response != nil)
                }
            }
            #expect(opened.elements == [0])
        }

        @Test(
            "no more connections to a host are ever opened than allowed, idle ones included, and all of them are used",
            arguments: [(2, 2), (2, 5), (4, 4), (4, 6), (4, 3)]
        )
        func perHost(threads: Int, limit: Int) async throws {
            let opened = Recorder<Int>()
            // Connections are never closed, so that those ever opened are those open.
            try await LoopbackServer.playing({
                opened.append($0)
                return Self.answering
            }) { server in
                let connector = Connector.curl(options: Self.options(threads, perHost: limit))
                for concurrent in [20, 1, limit, 40] {
                    let outputs = await outputs(concurrent, via: connector) { _ in server.url }
                    #expect(outputs.allSatisfy { $0.response != nil })
                }
            }
            #expect(opened.elements.count == limit)
        }

        @Test("calls to many hosts never have more connections than allowed in all", arguments: [1, 2, 4])
        func total(threads: Int) async throws {
            let limit = 4
            let most = Recorder<Int>()
            try await LoopbackServer.playing({ _ in Self.answering }) { first in
                try await LoopbackServer.playing({ _ in Self.answering }) { second in
                    try await LoopbackServer.playing({ _ in Self.answering }) { third in
                        let urls = [first.url, second.url, third.url]
                        let ports = Set(urls.compactMap(\.port))
                        let connector = Connector.curl(options: Self.options(threads, perHost: 3, total: limit))
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

        @Test("no call waits behind a slow one while another loop has a free connection", arguments: [2, 4])
        func beside(threads: Int) async throws {
            let go = Latch()
            try await LoopbackServer.playing({ _ in [.receiveRequest, .wait(go), .send(Self.answer), .waitForClose] }) {
                slow in
                try await LoopbackServer.playing({ _ in Self.answering }) { server in
                    // Each loop has one connection to a host, and two in all.
                    let connector = Connector.curl(options: Self.options(threads, perHost: threads, total: threads + 1))
                    let blocked = (0..<threads).map { _ in
                        Task { await WebAPI.call(with: Input(url: slow.url), via: connector) }
                    }
                    await eventually { slow.received.elements.count == threads }
                    let outputs = await outputs(50, via: connector) { _ in server.url }
                    #expect(outputs.allSatisfy { $0.response != nil })
                    go.open()
                    for call in blocked { #expect(await call.value.response != nil) }
                }
            }
        }

        @Test("all connections of a host in all loops carry calls at the same time; one more call waits for them")
        func full() async throws {
            let go = Latch()
            let script: [ServerScriptStep] = [
                .receiveRequest, .wait(go), .send(Self.answer), .receiveRequest, .send(Self.answer), .waitForClose,
            ]
            try await LoopbackServer.playing({ _ in script }) { server in
                let connector = Connector.curl(options: Self.options(4, perHost: 8))
                let calls = (0..<8).map { _ in Task { await WebAPI.call(with: Input(url: server.url), via: connector) }
                }
                await eventually { server.received.elements.count == 8 }
                let cancelled = Task { await WebAPI.call(with: Input(url: server.url), via: connector) }
                let waiting = Task { await WebAPI.call(with: Input(url: server.url), via: connector) }
                cancelled.cancel()
                #expect(await cancelled.value == .noResponse(.cancelled))
                #expect(server.received.elements.count == 8)
                go.open()
                for call in calls + [waiting] { #expect(await call.value.response != nil) }
            }
        }

        @Test("a stream is asked of the loop that has it", arguments: [2, 4])
        func streams(threads: Int) async throws {
            let block = Data(repeating: 7, count: 64 * 1024)
            let head = "HTTP/1.1 200 OK\r\nContent-Length: \(block.count * 32)\r\n\r\n"
            try await LoopbackServer.playing({ _ in
                [.receiveRequest, .send(head), .sendRepeatedly(block, times: 32), .waitForClose]
            }) { server in
                let connector = Connector.curl(options: Self.options(threads, perHost: threads))
                let counts = await withTaskGroup { group in
                    for _ in 0..<threads {
                        group.addTask {
                            let input = Input(url: server.url, delivery: .stream)
                            let output = await WebAPI.call(with: input, via: connector)
                            return (try? await output.response?.wholePayload().count) ?? 0
                        }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                #expect(counts == Array(repeating: block.count * 32, count: threads))
            }
        }

        @Test("2,000 streams over 64 connections: the others wait, end by limits, can be cancelled, and are read")
        func waitingStreams() async throws {
            let (go, clock, begun) = (Latch(), ManualClock(), Recorder<Int>())
            let half = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"
            let exchange: [ServerScriptStep] = [.receiveRequest, .send(half), .wait(go), .send("world")]
            let script = Array(repeating: exchange, count: 2000).flatMap(\.self)
            try await LoopbackServer.playing({ _ in script }) { server in
                let connector = Connector.curl(options: Self.options(1, perHost: 64))
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
                }(Connector.curl(options: Self.options(4, perHost: 4)))
                await eventually { server.received.elements.count == 4 }
                go.open()
                for call in calls { #expect(await call.value.response != nil) }
            }
        }

        @Test("threads start only when they are needed: none without a call, one at low load, all under full load")
        func threads() async {
            await #expect(processExitsWith: .success) {
                guard Connector.curlUnavailable == nil else { throw Unexpected("no libcurl") }
                let answer = Connector.stub(.hasResponse(Response(statusCode: .ok)))
                try await LoopbackServer.serving(answer) { server in
                    let options = CurlLoopsTests.options(4, perHost: 256, total: 256)
                    // A thread with this clock is always on a processor.
                    let (idle, busy) = (Connector.made(options), Connector.made(options, threadTime: ccurl_now))
                    guard let idle, let busy, EngineThread.all.isEmpty else { throw Unexpected("threads") }
                    for _ in 0..<20 { _ = await WebAPI.call(with: Input(url: server.url), via: idle) }
                    guard EngineThread.all.count == 1 else { throw Unexpected("\(EngineThread.all.count) threads") }
                    await withTaskGroup { group in
                        for _ in 0..<64 {
                            group.addTask {
                                while EngineThread.all.count < 5 {
                                    for _ in 0..<10 { _ = await WebAPI.call(with: Input(url: server.url), via: busy) }
                                }
                            }
                        }
                    }
                    withExtendedLifetime((idle, busy)) {}
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
