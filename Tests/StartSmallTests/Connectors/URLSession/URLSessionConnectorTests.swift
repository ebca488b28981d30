import Foundation
import StartSmall
import StartSmallTesting
import Testing
import ParityTrait

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(1))) struct URLSessionConnectorTests {
    private static let ok = "HTTP/1.1 200 OK\r\nSet-Cookie: a=1; Path=/\r\nContent-Length: 2\r\n\r\nhi"
    private static let moved = "HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n"

    @Test("cookies are kept and sent if the options ask for it", .parity("B7"))
    func cookies() async throws {
        let connector = Connector.urlSession(options: ConnectionOptions(keepsCookies: true))
        let steps: [ServerScriptStep] = [.receiveRequest, .send(Self.ok)]
        try await LoopbackServer.playing({ _ in steps + steps }) { server in
            for _ in 0..<2 { _ = await WebAPI.call(with: Input(url: server.url), via: connector) }
            #expect(server.received.elements.map { RawMessage($0).headers["Cookie"] } == [nil, "a=1"])
        }
    }

    @Test("the session follows redirects if the options ask for it", .parity("B7"))
    func redirects() async throws {
        let connector = Connector.urlSession(options: ConnectionOptions(followsRedirects: true))
        let steps: [ServerScriptStep] = [.receiveRequest, .send(Self.moved), .receiveRequest, .send(Self.ok)]
        try await LoopbackServer.playing({ _ in steps }) { server in
            let output = await WebAPI.call(with: Input(url: server.url), via: connector)
            #expect(output.response?.payload == Data("hi".utf8))
            #expect(server.received.elements.last.map { RawMessage($0).requestLine } == "GET /there HTTP/1.1")
        }
    }

    @Test("a body has bytes before the payload is complete")
    func parts() async throws {
        let isTaken = Latch()
        let steps: [ServerScriptStep] = [
            .receiveRequest, .send("HTTP/1.1 200 OK\r\n\(unsniffed)Content-Length: 4\r\n\r\nhe"), .wait(isTaken),
            .send("re"),
        ]
        try await LoopbackServer.playing({ _ in steps }) { server in
            let input = Input(url: server.url, delivery: .stream)
            let output = await WebAPI.call(with: input, via: .urlSession())
            let body = try #require(output.response?.body)
            var taken = Data()
            for try await chunk in body {
                taken += chunk
                isTaken.open()
            }
            #expect(taken == Data("here".utf8))
        }
    }

    @Test("after a body is discarded, the connector keeps working")
    func discarded() async throws {
        let steps: [ServerScriptStep] = [.receiveRequest, .send(Self.ok), .receiveRequest, .send(Self.ok)]
        try await LoopbackServer.playing({ _ in steps }) { server in
            let connector = Connector.urlSession()
            let output = await WebAPI.call(with: Input(url: server.url, delivery: .stream), via: connector)
            try #require(output.response?.body).discard()
            let next = await WebAPI.call(with: Input(url: server.url), via: connector)
            #expect(next.response?.payload == Data("hi".utf8))
        }
    }
}
