import Foundation
import StartSmall
import StartSmallForms
import StartSmallTesting
import Testing

private typealias Built = Either<ConnectionError, Input>

/// The Swift blocks of Sources/StartSmall/StartSmall.docc/Uploads.md, in order.
struct UploadsExamples {
    /// The bytes that a request sends.
    private func bytes(of built: Built) async throws -> String {
        let input = try #require(built.right)
        guard case .stream(let stream)? = input.methodAndPayload.payload?.content else { return "" }
        var bytes = Data()
        for try await chunk in stream.chunks() { bytes += chunk }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("a sequence and a function produce payloads")
    func produced() async throws {
        let lines = AsyncStream { continuation in
            for line in ["one", "two"] { continuation.yield(line) }
            continuation.finish()
        }
        let log = Built.post(
            "https://api.example.com/logs",
            payload: .stream(.text) { lines.map { Data("\($0)\n".utf8) } }
        )
        #expect(try await bytes(of: log) == "one\ntwo\n")

        let numbers = Built.put(
            "https://api.example.com/numbers",
            payload: .writer(.text, length: 6) { writer in
                for number in 1...3 { try await writer.write(Data("\(number)\n".utf8)) }
            }
        )
        #expect(try await bytes(of: numbers) == "1\n2\n3\n")
    }

    @Test("a payload can be for one attempt only, and for a server that is asked first")
    func once() throws {
        let microphone = AsyncStream<Data> { $0.finish() }
        let once = Built.post(
            "https://api.example.com/recordings",
            payload: .stream(.octetStream, replayable: false) { microphone }
        )
        #expect(try #require(once.right?.methodAndPayload.payload).isAvailable)

        let chunks = microphone
        let careful = Built.put(
            "https://api.example.com/archive",
            headers: ["Expect": "100-continue"],
            payload: .stream(.octetStream) { chunks }
        )
        #expect(careful.right?.headers["Expect"] == "100-continue")
    }

    @Test("a part of a form can be a stream")
    func form() throws {
        let chunks = AsyncStream<Data> { $0.finish() }
        let form = Built.post(
            "https://api.example.com/videos",
            payload: .multipart([
                .text("title", "Start small"), .stream("video", PayloadStream { chunks }, fileName: "talk.mp4"),
            ])
        )
        #expect(form.right != nil)
    }
}
