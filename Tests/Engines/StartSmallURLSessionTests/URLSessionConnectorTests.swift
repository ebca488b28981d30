import Foundation
import StartSmall
import StartSmallURLSession
import StartSmallTesting
import TestSupport
import Testing

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
            let there = try #require(URL(string: "there", relativeTo: server.url)).absoluteURL
            #expect(output.response?.payload == Data("hi".utf8) && output.response?.url == there)
            let trail = [Redirection(from: server.url, statusCode: .found, to: there)]
            #expect(output.response?.redirections == trail)
            #expect(server.received.elements.last.map { RawMessage($0).requestLine } == "GET /there HTTP/1.1")
        }
    }

    #if os(Linux) && !APPLE_BRANCH
        @Test("a call whose options the session does not support is refused, and nothing is sent")
        func refused() async throws {
            try await LoopbackServer.playing({ _ in [.receiveRequest, .send(Self.ok)] }) { server in
                for options in [
                    ConnectionOptions(addressPolicy: .publicOnly), .init(resolve: ["a.example": ["127.0.0.1"]]),
                ] {
                    let connector = Connector.standard(over: .urlSession(options: options))
                    let output = await WebAPI.call(with: Input(url: server.url), via: connector)
                    #expect(output.connectionError?.name == "engineUnavailable", "\(output)")
                }
                #expect(server.received.elements.isEmpty)
            }
        }
    #endif
}
