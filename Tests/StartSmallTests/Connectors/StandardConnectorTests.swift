#if os(Linux)
    import Foundation
    import StartSmallTesting
    import Testing

    @testable import StartSmall

    struct StandardConnectorTests {
        @Test(
            "the engine is libcurl's on Linux, and Foundation's where that can't be loaded",
            arguments: [nil, "no libcurl.so.4"]
        )
        func engine(curlUnavailable reason: String?) async throws {
            let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
            try await LoopbackServer.playing({ _ in [.receiveRequest, .send(answer)] }) { server in
                let connector = Connector.engine(curlUnavailable: reason)
                let output = await WebAPI.call(with: Input(url: server.url), via: connector)
                #expect(output.response?.payload == Data("hi".utf8), "\(output)")
                let message = RawMessage(try #require(server.received.elements.first))
                #expect((message.headers["User-Agent"] == "StartSmall") == (reason == nil))
            }
        }
    }
#endif
