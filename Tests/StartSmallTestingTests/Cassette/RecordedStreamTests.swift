import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// Streams in a cassette: all that arrived, whatever their readers took of it.
@Suite struct RecordedStreamTests {
    private struct Refusal: Decodable, Sendable, Equatable { var error: String }

    private let file = TestFile()
    private let chat = Endpoint.events(.get("https://api.example.com/chat"), until: { $0.data == "[DONE]" })
    private let text = "data: 1\n\ndata: 2\n\ndata: [DONE]\n\n"

    /// Returns the data of a stream's events, and the names of its errors.
    private func texts<Problem>(_ stream: StreamEndpoint<Problem, ServerSentEvent>, via connector: Connector) async
        -> [String]
    {
        var texts: [String] = []
        for await element in stream.stream(via: connector) {
            switch element {
            case .right(let event): texts.append(event.data)
            case .left(.left(let error)): texts.append(error.name)
            case .left(.right(let error)): texts.append("\(error)")
            }
        }
        return texts
    }

    private func recording(_ server: Connector) -> Connector { server.wrapped(by: .record(to: file.url)) }

    @Test("a stream that its condition ends is recorded with the event that ends it, wherever its bytes are cut")
    func ended() async throws {
        let bytes = Array(text.utf8)
        for cut in 0...bytes.count {
            let parts = [Data(bytes[..<cut]), Data(bytes[cut...])]
            let recorder = recording(.stub(parts: parts))
            #expect(await texts(chat, via: recorder) == ["1", "2"])
            #expect(try Cassette(at: file.url).exchanges.map(\.response.payload) == [Data(bytes)])
            #expect(await texts(chat, via: .replay(from: file.url)) == ["1", "2"])
            file.remove()
        }
    }

    @Test("a stream that a problem ends is recorded with that problem, and replayed with it")
    func failed() async throws {
        let refusing = Endpoint.events(.get("https://api.example.com/chat"), problem: Refusal.self)
            .failing(with: { $0.data.contains("error") ? Refusal(error: $0.data) : nil })
        let server = Connector.stub(parts: ["data: 1\n\ndata: error\n\n"])
        let recorded = await texts(refusing, via: recording(server))
        #expect(recorded.count == 2 && recorded.last?.hasPrefix("problem") == true)
        #expect(await texts(refusing, via: .replay(from: file.url)) == recorded)
    }

    @Test("a stream over a socket is recorded up to its end, and replayed")
    func overASocket() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
        try await LoopbackServer.playing({ _ in [.receiveRequest, .send(head + self.text), .close] }) { server in
            let chat = Endpoint.events(.get(server.url.absoluteString), until: { $0.data == "[DONE]" })
            #expect(await texts(chat, via: recording(.standard)) == ["1", "2"])
            #expect(await texts(chat, via: .replay(from: file.url)) == ["1", "2"])
        }
    }
}
