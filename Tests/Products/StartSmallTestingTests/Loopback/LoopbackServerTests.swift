import Foundation
import StartSmall
import Testing

@testable import StartSmallTesting

@Suite(.timeLimit(.minutes(1))) struct LoopbackServerTests {
    private static let get = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    private let empty = Connector.stub(.hasResponse(Response(statusCode: .noContent)))

    @Test func isStoppedAlthoughTheBodyThrows() async throws {
        struct Failure: Error {}
        let servers = Recorder<LoopbackServer>()
        await #expect(throws: Failure.self) {
            try await LoopbackServer.serving(empty) { server in
                servers.append(server)
                throw Failure()
            }
        }
        let server = try #require(servers.elements.first)
        #expect(await !RawClient.converse(with: server) { $0.isConnected })
    }

    @Test(arguments: [ServerScriptStep.wait(Latch()), .waitForClose, .receiveRequest, .receiveHead, .close])
    func stoppingEndsAScriptWhateverItWaitsFor(step: ServerScriptStep) async throws {
        let server = try LoopbackServer.start(script: { _ in [.send("a"), step] })
        let first = await RawClient.converse(with: server) { client in
            let first = client.read(1)
            server.stop()
            _ = client.readToEnd()
            return first
        }
        #expect(first == "a")
    }

    @Test func stoppingEndsASendingThatNobodyReads() async throws {
        let endless = ServerScriptStep.sendRepeatedly(Data(repeating: 0, count: 65_536), times: .max)
        try await LoopbackServer.playing({ _ in [endless] }) { server in
            await RawClient.converse(with: server) { client in
                #expect(client.read(1).utf8.count == 1)
                server.stop()
            }
        }
    }

    @Test("stopping cancels what the connector does, and waits for none that ignores it", arguments: [true, false])
    func stoppingWhileTheConnectorWaits(isDeaf: Bool) async throws {
        let (begun, cancelled) = (Latch(), Latch())
        let slow = Connector { _ in
            begun.open()
            if isDeaf { await Task.detached { await cancelled.wait() }.value } else { await Latch().wait() }
            if Task.isCancelled { cancelled.open() }
            return .noResponse(.cancelled)
        }
        let server = try LoopbackServer.start(serving: slow)
        async let text = RawClient.exchange(Self.get, with: server)
        await begun.wait()
        server.stop()
        #expect(await text == "")
        if isDeaf { cancelled.open() } else { await cancelled.wait() }
    }

    @Test func servesAThousandConnectionsAtTheSameTime() async throws {
        // No request is answered before all have arrived.
        let (count, all) = (1_000, Latch())
        let asked = Recorder<Void>()
        let connector = Connector { _ in
            asked.append(())
            if asked.elements.count == count { all.open() }
            await all.wait()
            return .hasResponse(Response(statusCode: .noContent))
        }
        let answers = try await LoopbackServer.serving(connector) { server in
            await withTaskGroup(of: String.self) { group in
                for _ in 0..<count { group.addTask { await RawClient.exchange(Self.get, with: server) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
        #expect(answers == Array(repeating: "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n", count: count))
    }

    @Test func stoppingWhileConnectionsComeEndsAll() async throws {
        for _ in 0..<20 {
            let server = try LoopbackServer.start(serving: empty)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<20 { group.addTask { _ = await RawClient.exchange(Self.get, with: server) } }
                group.addTask { server.stop() }
            }
        }
    }

    @Test func holdsASocketForEachConnectionAndNoneOnceStopped() async throws {
        let server = try await LoopbackServer.playing({ _ in [.send("a"), .waitForClose] }) { server in
            await RawClient.converse(with: server) { client in
                _ = client.read(1)
                #expect(RawClient.openSockets(ofPort: server.port) == 2)
            }
            return server
        }
        #expect(RawClient.openSockets(ofPort: server.port) == 0)
    }

    #if os(Linux) && !APPLE_BRANCH
        /// The process has no free descriptor: a limit on their number, in a separate process.
        @Test("a server for which there is no socket fails with the error of the system")
        func noDescriptors() async {
            await #expect(processExitsWith: .success) {
                let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
                var usual = rlimit()
                getrlimit(resource, &usual)
                var none = rlimit(rlim_cur: 0, rlim_max: usual.rlim_max)
                setrlimit(resource, &none)
                let error = #expect(throws: POSIXError.self) { try LoopbackServer.start { _ in [] } }
                setrlimit(resource, &usual)
                #expect(error?.code == .EMFILE)
            }
        }
    #endif
}
