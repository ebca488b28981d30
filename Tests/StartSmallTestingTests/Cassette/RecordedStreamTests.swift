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

    /// Reads one event of a stream, and leaves it; returns when its call has ended.
    private func readOne(of text: String) async {
        let ended = Latch()
        let observer = Wrapper { input, next in
            let output = await next(input)
            ended.open()
            return output
        }
        // The parts after the first one are not taken before the reader wants them.
        let server = recording(.stub(parts: [text, "data: 3\n\n"])).wrapped(by: observer)
        for await element in chat.stream(via: server) {
            #expect(element.right?.data == "1")
            break
        }
        await ended.wait()
    }

    @Test("a stream that its reader left is recorded as far as it arrived, and replayed to a reader that leaves it")
    func left() async throws {
        await readOne(of: "data: 1\n\ndata: 2\n\n")
        let exchange = try #require(try Cassette(at: file.url).exchanges.first)
        #expect(String(decoding: exchange.response.payload, as: UTF8.self).hasPrefix("data: 1\n\ndata: 2\n\n"))
        #expect(exchange.response.statusCode == .ok && exchange.failure == RecordedFailure(.cancelled))
        for await element in chat.stream(via: .replay(from: file.url)) {
            #expect(element.right?.data == "1")
            break
        }
    }

    @Test("a reader that goes on where the reader of the recording left is told that the recording ends there")
    func further() async throws {
        await readOne(of: "data: 1\n\ndata: 2\n\n")
        var elements: [String] = []
        for await element in chat.stream(via: .replay(from: file.url)) {
            elements.append(element.right?.data ?? element.left.map { "\($0)" } ?? "")
        }
        #expect(elements.first == "1" && elements.dropFirst().first == "2")
        #expect(elements.last?.contains("the recorded call was cancelled here") == true)
    }

    @Test("a stream that was left is replayed, and not requested again, also where new calls are recorded")
    func leftAndReplayed() async throws {
        await readOne(of: "data: 1\n\n")
        let connector = Connector.expectNoCalls(recording: Recorder<Input>()).wrapped(by: .replay(from: file.url))
        for await element in chat.stream(via: connector) {
            #expect(element.right?.data == "1")
            break
        }
    }

    @Test("a stream whose connection is lost is replayed with its events and its error")
    func lost() async throws {
        let lost = ConnectionError.connectionLost(.init(domain: "stub", code: 7, text: "lost"))
        let server = Connector.stub(parts: ["data: 1\n\n", "data: 2"], failingWith: lost)
        #expect(await texts(chat, via: recording(server)) == ["1", "connectionLost"])
        #expect(await texts(chat, via: .replay(from: file.url)) == ["1", "connectionLost"])
        let exchange = try #require(try Cassette(at: file.url).exchanges.first)
        #expect(exchange.response.payload == Data("data: 1\n\ndata: 2".utf8))
        #expect(exchange.failure == RecordedFailure(lost))
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
