import Foundation
import StartSmallTesting
import Testing

@testable import StartSmall

@Suite struct ConnectionOptionsIdleTimeoutTests {
    @Test(
        "an automatic idle timeout is 15 seconds, and longer than the time left to the call",
        arguments: [
            (nil, 15), (.seconds(-1), 15), (.seconds(5), 15), (.seconds(15), 16), (.seconds(60), 61),
            (.seconds(600), 601),
        ] as [(Duration?, Int)]
    )
    func automatic(remainingTime: Duration?, seconds: Int) {
        #expect(ConnectionOptions().idleTimeout.limit(within: remainingTime) == .seconds(seconds))
    }

    @Test("no time left to a call overflows an automatic idle timeout")
    func longest() throws {
        let limit = ConnectionOptions.IdleTimeout.automatic.limit(within: .seconds(Int64.max))
        #expect(try #require(limit) > .maximumWait)
    }

    @Test("an idle timeout that was set is the same within each time limit", arguments: [nil, Duration.seconds(60)])
    func explicit(remainingTime: Duration?) {
        let limits: [(ConnectionOptions.IdleTimeout, Duration?)] = [
            (.seconds(15), .seconds(15)), (.seconds(0.5), .milliseconds(500)), (.milliseconds(900), .milliseconds(900)),
            (.limit(.seconds(90)), .seconds(90)), (.none, nil), (nil, nil),
        ]
        for (idleTimeout, limit) in limits {
            let options = ConnectionOptions(idleTimeout: idleTimeout)
            #expect(options.idleTimeout.limit(within: remainingTime) == limit)
        }
    }

    @Test("an idle timeout of 15 seconds that was set differs from the automatic one")
    func different() {
        #expect(ConnectionOptions(idleTimeout: .seconds(15)) != ConnectionOptions())
    }

    @Test("a call without a byte reports the idle timeout by name")
    func named() async throws {
        try await expectName(by: .engine(options: Self.short))
    }

    @Test("a call without a byte reports the idle timeout by name, over URLSession")
    func namedByURLSession() async throws {
        try await expectName(by: .urlSession(options: Self.short))
    }

    private static let short = ConnectionOptions(idleTimeout: .milliseconds(50))

    private func expectName(by connector: Connector) async throws {
        try await LoopbackServer.playing({ _ in [.receiveRequest, .waitForClose] }) { server in
            let error = await WebAPI.call(with: Input(url: server.url), via: connector).connectionError
            #expect(error?.name == "timedOut")
            #expect(error?.debugInfo.contains("the idleTimeout of ConnectionOptions") == true)
        }
    }
}
