import Foundation
import StartSmall
import Testing

@testable import StartSmallTesting

@Suite struct LoopbackServerTests {
    private let hello = Connector.stub(.hasResponse(Response(statusCode: .ok, payload: Data("hello".utf8))))

    @Test func answersOverASocket() async throws {
        let text = try await LoopbackServer.serving(hello) { server in
            await RawClient.exchange("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", with: server)
        }
        #expect(text == "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello")
    }

    @Test func keepsAConnectionAlive() async throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
        let texts = try await LoopbackServer.serving(hello) { server in
            await RawClient.converse(with: server) { client in
                (0..<3).map { _ in
                    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                    return client.read(answer.utf8.count)
                }
            }
        }
        #expect(texts == [answer, answer, answer])
    }

    @Test func playsAScript() async throws {
        try await LoopbackServer.playing({ _ in [.receiveRequest, .send("bad\r\n"), .close] }) { server in
            let text = await RawClient.exchange(
                "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi",
                with: server
            )
            #expect(text == "bad\r\n")
            #expect(
                server.received.elements == [Data("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi".utf8)]
            )
        }
    }

    @Test func aResetIsSeenAsOne() async throws {
        let error = try await LoopbackServer.playing({ _ in [.receiveRequest, .reset] }) { server in
            await RawClient.converse(with: server) { client in
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                return client.readToEnd().error
            }
        }
        #expect(error == ECONNRESET)
    }
}
