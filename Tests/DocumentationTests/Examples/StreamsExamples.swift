import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// The Swift blocks of Docs/StartSmall.docc/Streams.md, in their order.
struct StreamsExamples {
    private let url = URL(string: "https://api.example.com/log")!

    private func stub(_ text: String) -> Connector {
        .stub(.hasResponse(Response(statusCode: .ok, payload: Data(text.utf8))))
    }

    @Test("a download is a file when it is whole")
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

    @Test("a progress bar is a listener")
    func progress() async {
        let shown = Recorder<Double>()

        let bar = Listener { (event: Event) in
            guard case .progress(let progress) = event, let fraction = progress.received.fraction else { return }
            shown.append(fraction)
        }

        let half = Connector { _, report in
            report(.progress(Progress(received: .init(bytes: 5, total: 10))))
            return .noResponse(.cancelled)
        }
        _ = await WebAPI.call(with: Input(url: url), via: half.wrapped(by: .listen(to: bar)))
        #expect(shown.elements == [0.5])
    }

    @Test("lines of JSON are values as they arrive")
    func jsonLines() async {
        struct Entry: Decodable, Sendable {
            let level: Int
        }
        let stub = stub(#"{"level": 1}"# + "\n" + #"{"level": 2}"#)
        var entries: [Entry] = []

        for await errorOrEntry in Endpoint.jsonLines(Entry.self, .get("https://api.example.com/log"), via: stub) {
            guard let entry = errorOrEntry.right else { continue }
            entries.append(entry)
        }

        #expect(entries.map(\.level) == [1, 2])
    }

    @Test("a receiver takes chunk after chunk")
    func receiver() async {
        let counts = Recorder<Int>()
        let stub = stub("12345")

        let counter = Receiver { part in
            if case .chunk(let data) = part { counts.append(data.count) }
        }
        let input = Input(url: url, destination: .receiver(counter))

        _ = await WebAPI.call(with: input, via: stub)
        #expect(counts.elements == [5])
    }
}
