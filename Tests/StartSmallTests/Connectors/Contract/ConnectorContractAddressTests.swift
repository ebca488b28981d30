import Foundation
import StartSmall
import StartSmallTesting
import Testing

extension ConnectorContract {
    /// The addresses that options forbid, or fix: an engine obeys, or refuses to make the call.
    @Suite("contract of engines: addresses") struct AddressTests {
        private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"

        @Test("a server at a refused address receives no byte", arguments: EngineUnderTest.all)
        func refused(engine: EngineUnderTest) async throws {
            try await LoopbackServer.playing({ _ in [.receiveRequest, .send(Self.answer)] }) { server in
                let connector = engine.makeWith(ConnectionOptions(proxy: .none, addressPolicy: .publicOnly))
                for _ in 0..<2 {
                    let output = await WebAPI.call(with: Input(url: server.url), via: connector)
                    engine.expectRefusal(output, naming: "addressPolicy", "requestRefused")
                }
                #expect(server.received.elements.isEmpty)
            }
        }

        @Test("a redirect to a refused address is not followed", arguments: EngineUnderTest.all)
        func redirected(engine: EngineUnderTest) async throws {
            try await LoopbackServer.playing({ _ in [.receiveRequest, .send(Self.answer)] }) { target in
                // The same server by another address: 127.0.0.1 is allowed, and ::ffff:127.0.0.1 is not.
                let location = "Location: http://[::ffff:127.0.0.1]:\(target.port)/\r\n"
                let redirect = "HTTP/1.1 302 Found\r\n\(location)Content-Length: 0\r\n\r\n"
                try await LoopbackServer.playing({ _ in [.receiveRequest, .send(redirect)] }) { server in
                    let options = ConnectionOptions(
                        proxy: .none,
                        addressPolicy: .publicOnly(alsoAllowing: ["127.0.0.1"])
                    )
                    let connector = Connector.standard(over: engine.makeWith(options))
                    let output = await WebAPI.call(with: Input(url: server.url), via: connector)
                    engine.expectRefusal(output, naming: "addressPolicy", "requestRefused")
                    #expect(target.received.elements.isEmpty)
                    #expect(server.received.elements.count == (engine.knowsAddresses ? 1 : 0))
                }
            }
        }

        @Test(
            "a name with a refused and an allowed address is connected at the allowed one",
            arguments: EngineUnderTest.all
        )
        func mixed(engine: EngineUnderTest) async throws {
            try await LoopbackServer.playing({ _ in [.receiveRequest, .send(Self.answer)] }) { server in
                let options = ConnectionOptions(
                    proxy: .none,
                    addressPolicy: .only(["127.0.0.1"]),
                    resolve: ["startsmall.invalid": ["10.9.8.7", "127.0.0.1"]]
                )
                let url = try #require(URL(string: "http://startsmall.invalid:\(server.port)/"))
                let output = await WebAPI.call(with: Input(url: url), via: engine.makeWith(options))
                if engine.knowsAddresses {
                    #expect(output.response?.payload == Data("hi".utf8), "\(output)")
                } else {
                    engine.expectRefusal(output, naming: "addressPolicy", "requestRefused")
                }
            }
        }

        @Test("a fixed address is used, or the call is refused", arguments: EngineUnderTest.all)
        func fixed(engine: EngineUnderTest) async throws {
            try await LoopbackServer.playing({ _ in [.receiveRequest, .send(Self.answer)] }) { server in
                let options = ConnectionOptions(proxy: .none, resolve: ["startsmall.invalid": ["127.0.0.1"]])
                let url = try #require(URL(string: "http://startsmall.invalid:\(server.port)/"))
                let output = await WebAPI.call(with: Input(url: url), via: engine.makeWith(options))
                if engine.knowsAddresses {
                    #expect(output.response?.payload == Data("hi".utf8), "\(output)")
                } else {
                    engine.expectRefusal(output, naming: "resolve", "requestRefused")
                    #expect(server.received.elements.isEmpty)
                }
            }
        }
    }
}

extension EngineUnderTest {
    /// Expects the error of a refused address, or of an engine that can't honour an option.
    fileprivate func expectRefusal(_ output: Output, naming option: String, _ name: String) {
        #expect(output.connectionError?.name == (knowsAddresses ? name : "engineUnavailable"), "\(output)")
        if !knowsAddresses { #expect(output.connectionError?.debugInfo.contains(option) == true, "\(output)") }
    }
}
