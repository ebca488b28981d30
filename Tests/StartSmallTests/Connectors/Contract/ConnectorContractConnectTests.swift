#if os(Linux) && !APPLE_BRANCH
    import Foundation
    import StartSmall
    import Testing

    extension ConnectorContract {
        /// Behaviour before there is a connection; only where the system can list the sockets that wait for one.
        @Suite("contract of engines: connecting") struct ConnectTests {
            @Test("a call cancelled while connecting stops connecting", arguments: EngineUnderTest.all)
            func cancelled(engine: EngineUnderTest) async throws {
                let listener = try FullListener()
                let others = FullListener.waiting
                let connector = engine.connector()
                let call = Task { await WebAPI.call(with: Input(url: listener.url), via: connector) }
                while FullListener.waiting == others, !Task.isCancelled { await Task.yield() }
                call.cancel()
                #expect(await call.value == .noResponse(.cancelled))
                while FullListener.waiting > others, !Task.isCancelled { await Task.yield() }
                withExtendedLifetime(connector) {}
            }

            @Test("a connection that is not accepted: timedOut, at the limit", arguments: EngineUnderTest.all)
            func unanswered(engine: EngineUnderTest) async throws {
                let listener = try FullListener()
                try await expectOnTime(.milliseconds(300)) {
                    let connector = engine.connector(idle: .seconds(30), connect: .milliseconds(300))
                    let output = await WebAPI.call(with: Input(url: listener.url), via: connector)
                    #expect(output.connectionError?.name == "timedOut")
                }
            }
        }
    }
#endif
