#if os(Linux)
    import Foundation
    import StartSmallMetrics
    import StartSmallTesting
    import Testing

    @testable import StartSmall

    /// The numbers of connections that the engine for Linux reports to listeners.
    @Suite("connections of the engine for Linux", .timeLimit(.minutes(1))) struct CurlConnectionsTests {
        private typealias Counts = ConnectionPool.Counts
        private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
        private static let serves = Array(repeating: [ServerScriptStep.receiveRequest, .send(answer)], count: 50)
            .flatMap(\.self)

        private func connector(_ options: ConnectionOptions, _ log: EventLog) -> Connector {
            .curl(options: options).wrapped(by: .listen(to: log.listener))
        }

        private func pool(_ log: EventLog) throws -> ConnectionPool {
            try #require(timings(log).last?.pool)
        }

        private func timings(_ log: EventLog) -> [RequestTimings] {
            log.events.compactMap { if case .timings(let timings) = $0 { timings } else { nil } }
        }

        @Test("a connection is in use during its request, idle after it, and gone with its engine")
        func life() async throws {
            let (log, received, go) = (EventLog(), Latch(), Latch())
            let script: [ServerScriptStep] = [
                .receiveRequest, .send(Self.answer), .receiveRequest, .open(received), .wait(go), .send(Self.answer),
                .waitForClose,
            ]
            try await LoopbackServer.playing({ _ in script }) { server in
                let origin = try #require(Origin(server.url))
                var connector: Connector? = self.connector(ConnectionOptions(proxy: .none), log)
                let first = connector
                _ = await WebAPI.call(with: Input(url: server.url), via: try #require(first))
                let pool = try self.pool(log)
                await eventually { pool.counts == [origin: Counts(idle: 1)] }
                let second = Task { [connector] in
                    if let connector { _ = await WebAPI.call(with: Input(url: server.url), via: connector) }
                }
                await received.wait()
                await eventually { pool.counts == [origin: Counts(inUse: 1)] }
                go.open()
                await second.value
                await eventually { pool.counts == [origin: Counts(idle: 1)] }
                connector = nil
                _ = consume first
            }
            // The engine ends with its connector.
            let pool = try self.pool(log)
            await eventually { pool.counts == [:] }
        }

        @Test("a connection that a server closes is not counted any more")
        func closed() async throws {
            let (log, go) = (EventLog(), Latch())
            let script: [ServerScriptStep] = [.receiveRequest, .send(Self.answer), .wait(go), .close]
            try await LoopbackServer.playing({ $0 == 0 ? script : Self.serves }) { server in
                let origin = try #require(Origin(server.url))
                let connector = self.connector(ConnectionOptions(proxy: .none), log)
                _ = await WebAPI.call(with: Input(url: server.url), via: connector)
                let pool = try self.pool(log)
                await eventually { pool.counts == [origin: Counts(idle: 1)] }
                go.open()
                await eventually { pool.counts == [:] }
                _ = await WebAPI.call(with: Input(url: server.url), via: connector)
                await eventually { pool.counts == [origin: Counts(idle: 1)] }
                withExtendedLifetime(connector) {}
            }
        }

        @Test("connections past their age are not counted any more, without another call")
        func aged() async throws {
            let log = EventLog()
            try await LoopbackServer.playing({ _ in Self.serves }) { server in
                let options = ConnectionOptions(idleConnectionAge: .milliseconds(50), proxy: .none)
                let connector = self.connector(options, log)
                _ = await WebAPI.call(with: Input(url: server.url), via: connector)
                let pool = try self.pool(log)
                await eventually { pool.counts == [:] }
                withExtendedLifetime(connector) {}
            }
        }

        @Test("the numbers stay within the limits, are never negative, and end at zero", arguments: [1, 2, 4])
        func law(threads: Int) async throws {
            let log = EventLog()
            try await LoopbackServer.playing({ _ in Self.serves }) { one in
                try await LoopbackServer.playing({ _ in Self.serves }) { other in
                    let options = ConnectionOptions(
                        maxConnectionsPerHost: 4,
                        maxConnections: 6,
                        threads: threads,
                        proxy: .none
                    )
                    let connector = self.connector(options, log)
                    let origins = Set([one, other].compactMap { Origin($0.url) })
                    await withTaskGroup { group in
                        for index in 0..<200 {
                            group.addTask {
                                let server = index.isMultiple(of: 3) ? one : other
                                let call = Task {
                                    await WebAPI.call(with: Input(url: server.url), via: connector)
                                }
                                if index.isMultiple(of: 7) { call.cancel() }
                                _ = await call.value
                                guard let pool = self.timings(log).last?.pool else { return }
                                let counts = pool.counts
                                #expect(Set(counts.keys).isSubset(of: origins))
                                for count in counts.values {
                                    #expect(count.inUse >= 0 && count.idle >= 0)
                                    #expect(count.inUse + count.idle <= 4, "\(counts)")
                                }
                            }
                        }
                    }
                    let pool = try self.pool(log)
                    await eventually { pool.counts.values.allSatisfy { $0.inUse == 0 } }
                    withExtendedLifetime(connector) {}
                }
            }
            let pool = try self.pool(log)
            await eventually { pool.counts == [:] }
        }

        @Test("a call that waits for a connection has the time of that wait, and later times include it")
        func queued() async throws {
            let (log, go, received) = (EventLog(), Latch(), Latch())
            let script: [ServerScriptStep] = [
                .receiveRequest, .open(received), .wait(go), .send(Self.answer), .receiveRequest, .send(Self.answer),
            ]
            try await LoopbackServer.playing({ _ in script }) { server in
                let connector = self.connector(ConnectionOptions(maxConnectionsPerHost: 1, proxy: .none), log)
                let first = Task { await WebAPI.call(with: Input(url: server.url), via: connector) }
                await received.wait()
                let second = Task { await WebAPI.call(with: Input(url: server.url), via: connector) }
                await eventually { log.calls.count == 2 }
                let waited = ContinuousClock().now
                await eventually { waited.duration(to: .now) > .milliseconds(50) }
                go.open()
                _ = (await first.value, await second.value)
                // The tasks of the two calls report in any order.
                let timings = self.timings(log).sorted { $0.queued ?? .zero < $1.queued ?? .zero }
                let last = try #require(timings.last)
                let (queued, firstByte) = (try #require(last.queued), try #require(last.firstByte))
                #expect(queued > .milliseconds(1) && queued <= firstByte && firstByte <= last.total, "\(last)")
                #expect(last.timeToConnect == nil)
                let opened = try #require(timings.first)
                #expect(opened.origin == Origin(server.url))
                #expect(try #require(opened.timeToConnect) >= .zero)
                #expect(try #require(opened.queued) <= (try #require(opened.connect)), "\(opened)")
            }
        }

        @Test("metrics have the connections of each origin, and no secret of a URL")
        func metrics() async throws {
            let metrics = CallMetrics()
            try await LoopbackServer.playing({ _ in Self.serves }) { server in
                let connector = Connector.curl(options: ConnectionOptions(proxy: .none))
                    .wrapped(by: .listen(to: .metrics(metrics)))
                let path = "/hunter2?k=hunter2#hunter2"
                let url = try #require(URL(string: "http://user:hunter2@127.0.0.1:\(server.port)\(path)"))
                for _ in 0..<3 { _ = await WebAPI.call(with: Input(url: url), via: connector) }
                let name = "http://127.0.0.1:\(server.port)"
                await eventually { metrics.snapshot.connections[name]?.idle == 1 }
                let statistics = try #require(metrics.snapshot.connections[name])
                #expect((statistics.inUse, statistics.queued.count, statistics.connecting.count) == (0, 3, 1))
                #expect(metrics.snapshot.connections.count == 1)
                let text = metrics.snapshot.openMetrics
                #expect(text.contains("startsmall_connections{origin=\"\(name)\",state=\"idle\"} 1\n"))
                #expect(!text.contains("hunter2") && !text.contains("user"))
                withExtendedLifetime(connector) {}
            }
            await eventually { metrics.snapshot.connections.values.allSatisfy { $0.idle == 0 } }
        }
    }
#endif
