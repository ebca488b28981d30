import Foundation
import StartSmall
import StartSmallForms
import StartSmallTesting
import Testing

/// Requests with a stream are recorded without their bytes, which the cassette can't know.
@Suite struct StreamedUploadTests {
    private let file = TestFile()

    private static func put(_ path: String, _ content: Payload.Content? = nil) -> Input {
        let stream = PayloadStream { try await $0.write(Data("hunter2".utf8)) }
        return Sample.input("https://a/\(path)", .put(payload: Payload(content ?? .stream(stream), mediaType: .text)))
    }

    private func record(_ input: Input) async -> Data {
        let sent = Recorder<Data>()
        let connector = Connector.stub { input in
            guard case .right(let wire) = ValidatedRequest.from(input), let stream = wire.stream else {
                return .noResponse(.cancelled)
            }
            do { for try await chunk in stream.chunks() { sent.append(chunk) } } catch {
                return .noResponse(.cancelled)
            }
            return .text("thanks")
        }
        let recording = connector.wrapped(by: .record(to: file.url, now: { Sample.noon }))
        #expect(await WebAPI.call(with: input, via: recording) == .text("thanks"))
        return sent.elements.reduce(Data(), +)
    }

    private static let form: MultipartForm = [
        .text("a", "b"), .stream("c", PayloadStream { try await $0.write(Data("hunter2".utf8)) }),
    ]

    @Test("a stream, also of a form, is sent as it is, and recorded without its bytes", arguments: [nil, form])
    func recorded(form: MultipartForm?) async throws {
        let sent = await record(Self.put("upload", form.map { .multipart($0) }))
        #expect(String(decoding: sent, as: UTF8.self).contains("hunter2"))
        let omitted = try #require(try Cassette(at: file.url).exchanges.first?.omittedInput)
        if form == nil { #expect(omitted == "a stream, whose bytes are made while it is sent") }
        #expect(!file.text.contains("hunter2"))
    }

    @Test("any payload is answered by the exchange of a stream, and none is not")
    func replayed() async {
        _ = await record(Self.put("upload"))
        let replay = { await WebAPI.call(with: $0, via: .replay(from: file.url)) as Output }
        #expect(await replay(Self.put("upload")) == .text("thanks"))
        #expect(await replay(Self.put("upload", .data(Data("other".utf8)))) == .text("thanks"))
        #expect(await replay(Self.put("upload", .data(Data()))).response == nil)
    }

    @Test("an empty recorded payload is not the payload of a stream")
    func empty() {
        let (stream, none) = (Self.put("a"), Self.put("a", .data(Data())))
        #expect(!RequestMatching.payload(stream, none) && !RequestMatching.payload(none, stream))
        #expect(RequestMatching.payload(stream, stream) && !RequestMatching.payload(stream, Self.put("a")))
    }

    @Test("two inputs with different streams differ in their payloads")
    func difference() {
        let input = Self.put("a")
        #expect(StartSmallTesting.difference(between: input, and: input) == nil)
        #expect(StartSmallTesting.difference(between: input, and: Self.put("a"))?.contains("payload: stream") == true)
    }
}
