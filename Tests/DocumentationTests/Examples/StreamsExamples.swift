import Foundation
import StartSmall
import StartSmallStreams
import StartSmallTesting
import Testing

/// The Swift blocks of Sources/StartSmall/StartSmall.docc/Streams.md, in order.
struct StreamsExamples {
    private let url = URL(string: "https://api.example.com/log")!

    private func stub(_ text: String) -> Connector {
        .stub(.hasResponse(Response(statusCode: .ok, payload: Data(text.utf8))))
    }

    @Test("a download's file appears when it is complete")
    func download() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let stub = stub("bytes")

        let archive = Endpoint.download(.get("https://api.example.com/archive"), to: file)
        let errorOrFile = await archive.fetch(via: stub)

        #expect(errorOrFile == .right(file))
        let content = try Data(contentsOf: file)
        #expect(content == Data("bytes".utf8))
    }

    @Test("lines of JSON are decoded as they arrive")
    func jsonLines() async {
        struct Entry: Decodable, Sendable {
            let level: Int
        }
        let stub = stub(#"{"level": 1}"# + "\n" + #"{"level": 2}"#)
        var entries: [Entry] = []

        let log = Endpoint.jsonLines(Entry.self, .get("https://api.example.com/log"))
        for await errorOrEntry in log.stream(via: stub) {
            guard let entry = errorOrEntry.right else { continue }
            entries.append(entry)
        }

        #expect(entries.map(\.level) == [1, 2])
    }

    @Test("the events of one call are decoded as JSON")
    func events() async throws {
        struct Word: Decodable, Sendable {
            let text: String
        }
        let prompt = ["question": "why?"]
        let text = #"data: {"text": "There"}"# + "\n\n" + #"data: {"text": "fore"}"# + "\n\ndata: [DONE]\n\n"
        let stub = Connector.stub(parts: [text])
        var answer = ""

        let chat = Endpoint.events(
            .post("https://api.example.com/chat", payload: .json(prompt)),
            until: { $0.data == "[DONE]" }
        )
        for try await event in chat.values(via: stub) {
            answer += try event.json(Word.self).get().text
        }

        #expect(answer == "Therefore")

        let words = chat.map { try $0.json(Word.self).get().text }

        var found: [String?] = []
        for await word in words.stream(via: .stub(parts: [text, "data: none\n\n"])) { found.append(word.right) }
        #expect(found == ["There", "fore"])
    }

    @Test("the events of a server continue after a reconnection")
    func eventsOfManyCalls() async {
        let clock = ManualClock()
        let lost = ConnectionError.connectionLost(.init(domain: "stub", code: 1, text: "lost"))
        let headers: HTTPHeaders = ["Content-Type": "text/event-stream"]
        let server = Connector.stub(sequence: [
            .text("id: 1\ndata: 100\n\n", headers: headers), .noResponse(lost),
            .text("data: 101\n\n", headers: headers), .status(.noContent),
        ])
        let hurry = Task {
            while !Task.isCancelled {
                await clock.waitForSleepers(count: 1)
                clock.advance(by: .seconds(60))
            }
        }
        defer { hurry.cancel() }
        var prices: [String] = []

        let events = Endpoint.events(.get("https://api.example.com/prices")).reconnecting(clock: clock)
        for await errorOrEvent in events.stream(via: server) {
            prices.append(errorOrEvent.right?.data ?? "none")
        }

        #expect(prices == ["100", "none", "101"])
    }

    @Test("a body is read chunk after chunk, and a progress bar can be a listener")
    func body() async throws {
        let (counts, shown) = (Recorder<Int>(), Recorder<Double>())

        let bar = Listener { (event: Event) in
            guard case .progress(let progress) = event, let fraction = progress.received.fraction else { return }
            shown.append(fraction)
        }

        let half = Connector { _, context in
            context.report(.progress(TransferProgress(received: .init(bytes: 5, total: 10))))
            return .text("12345")
        }
        let stub = half.wrapped(by: .listen(to: bar))

        let output = await WebAPI.call(with: Input(url: url, delivery: .stream), via: stub)
        if let body = output.response?.body {
            for try await chunk in body { counts.append(chunk.count) }
        }

        #expect(counts.elements == [5])
        #expect(shown.elements == [0.5])
    }
}
