import AsyncHTTPClient
import AsyncHTTPClientConnector
import Foundation
import NIOCore
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

/// The requirements of any custom engine, shown on the recipe; the other suites test it beside the engines of the kit.
@Suite("AsyncHTTPClient as a connector", .timeLimit(.minutes(1)))
struct AsyncHTTPClientTests {
    @Test("a cancelled call ends at once: cancelled", .parity("D13"))
    func cancelled() async throws {
        try await TestServer.running { server in
            try await Engine.asyncHTTPClient.use { connector in
                let call = Task { await WebAPI.call(with: Input(url: server.url("/barrier/2/x")), via: connector) }
                _ = await WebAPI.call(with: Input(url: server.url("/arrived/1")), via: connector)
                call.cancel()
                #expect(await call.value == .noResponse(.cancelled))
            }
        }
    }

    @Test("a server that sends nothing: timedOut", .parity("D13"))
    func silent() async throws {
        try await TestServer.running { server in
            var configuration = HTTPClient.Configuration.connector
            configuration.timeout.read = .milliseconds(50)
            let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
            let input = Input(url: server.url("/barrier/2/x"))
            let output = await WebAPI.call(with: input, via: .asyncHTTPClient(client))
            try await client.shutdown()
            #expect(output.connectionError?.name == "timedOut", "\(output)")
        }
    }

    @Test("a port without a listener: connectionRefused", arguments: Engine.allCases)
    func refused(engine: Engine) async throws {
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        let error = try await engine.output(of: Input(url: url)).connectionError
        #expect(error?.name == "connectionRefused", "\(String(describing: error))")
    }

    @Test("a name that no host can have: hostNotFound", arguments: Engine.allCases)
    func unknown(engine: Engine) async throws {
        let url = try #require(URL(string: "http://startsmall.invalid/"))
        let error = try await engine.output(of: Input(url: url)).connectionError
        #expect(error?.name == "hostNotFound", "\(String(describing: error))")
    }

    @Test("a reply that is not HTTP: malformedResponse")
    func malformed() async throws {
        try await LoopbackServer.playing({ _ in [.receiveRequest, .send("SSH-2.0-OpenSSH\r\n"), .close] }) { server in
            let error = try await Engine.asyncHTTPClient.output(of: Input(url: server.url)).connectionError
            #expect(error?.name == "malformedResponse", "\(String(describing: error))")
        }
    }

    @Test("a connection that is lost before the response: connectionLost", arguments: [ServerScriptStep.close, .reset])
    func lost(step: ServerScriptStep) async throws {
        try await LoopbackServer.playing({ _ in [.receiveRequest, step] }) { server in
            let error = try await Engine.asyncHTTPClient.output(of: Input(url: server.url)).connectionError
            #expect(error?.name == "connectionLost", "\(String(describing: error))")
        }
    }

    @Test("a header field that could break a message is not sent: malformedHeader", arguments: Engine.allCases)
    func injection(engine: Engine) async throws {
        try await TestServer.running { server in
            let input = Input(url: server.url("/hello"), headers: ["A": "b\r\nC: d"])
            let error = try await engine.output(of: input).connectionError
            #expect(error?.name == "malformedHeader")
            #expect(server.accepted.elements.isEmpty)
        }
    }
}
