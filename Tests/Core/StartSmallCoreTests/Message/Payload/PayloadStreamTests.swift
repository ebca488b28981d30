import Foundation
import StartSmallEngines
import StartSmallForms
@testable import StartSmallCore
import StartSmallTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct PayloadStreamTests {
    private typealias Made = Either<ConnectionError, Payload>
    private struct Broken: Error, CustomStringConvertible { let description = "no disk, token=hunter2" }

    @Test("random chunks arrive in order, none of them empty, anew for each production", arguments: 0..<20)
    func law(seed: UInt64) async {
        var random = SplitMix64(seed: seed)
        let chunks = (0..<Int.random(in: 0...40, using: &random)).map { _ in
            Data.pattern(count: Int.random(in: 0...9, using: &random) * Int.random(in: 0...500, using: &random))
        }
        let whole = chunks.reduce(Data(), +)
        for stream in [
            PayloadStream { AsyncStream(elements: chunks) },
            PayloadStream(length: whole.count) { AsyncStream(elements: chunks) },
            PayloadStream { for chunk in chunks { try await $0.write(chunk) } },
            PayloadStream(length: whole.count) { for chunk in chunks { try await $0.write(chunk) } },
        ] {
            for _ in 1...2 {
                let (produced, error) = await stream.produced()
                #expect(error == nil && produced.reduce(Data(), +) == whole && !produced.contains(Data()))
            }
        }
    }

    @Test("the last byte of a known length is sent only after the producer has ended")
    func withheld() async {
        let order = Recorder<String>()
        let stream = PayloadStream(length: 3) { writer in
            try await writer.write(Data("abc".utf8))
            order.append("end")
        }
        let error = await stream.failure { order.append(String(decoding: $0, as: UTF8.self)) }
        #expect(error == nil)
        #expect(order.elements == ["ab", "end", "c"])
    }

    // Lengths (RFC 9110 8.6: a sender must not send another length than that of the content).

    @Test(
        "another number of bytes than the length is an error with both numbers",
        arguments: [
            (0, [1], "more bytes than its length of 0"), (3, [1, 1], "2 of 3 bytes"), (3, [], "0 of 3 bytes"),
            (3, [2, 2], "more bytes than its length of 3"), (3, [3, 1], "more bytes than its length of 3"),
            (3, [1_000_000], "more bytes than its length of 3"), (.max, [1], "1 of \(Int.max) bytes"),
        ] as [(Int, [Int], String)]
    )
    func lengths(length: Int, sizes: [Int], reason: String) async {
        let stream = PayloadStream(length: length) { writer in
            // A producer may ignore the error.
            for size in sizes { try? await writer.write(Data(count: size)) }
        }
        let (chunks, error) = await stream.produced()
        #expect(error?.name == "malformedPayload")
        #expect(error?.debugInfo.contains(reason) == true, "\(String(describing: error))")
        #expect(length == 0 ? chunks == [] : chunks.reduce(0) { $0 + $1.count } < length)
    }

    // Errors.

    @Test("an error of the producer is a malformed payload with its description, without credentials")
    func failing() async {
        let stream = PayloadStream { writer in
            try await writer.write(Data("a".utf8))
            throw Broken()
        }
        let factory = PayloadStream { () async throws -> AsyncStream<Data> in throw Broken() }
        for (stream, sent) in [(stream, [Data("a".utf8)]), (factory, [])] {
            let (chunks, error) = await stream.produced()
            #expect(chunks == sent)
            #expect(error?.name == "malformedPayload")
            #expect(error?.debugInfo.contains("no disk") == true && error?.debugInfo.contains("hunter2") == false)
        }
    }

    @Test("an error of the reader ends the production, even if the producer ignores it")
    func refused() async {
        let writes = Recorder<Bool>()
        let stream = PayloadStream { writer in
            for _ in 0..<3 {
                do {
                    try await writer.write(Data([1]))
                    writes.append(true)
                } catch {
                    writes.append(false)
                }
            }
        }
        let error = await stream.failure { _ in throw ConnectionError.requestRefused(reason: "full") }
        #expect(error == .requestRefused(reason: "full"))
        #expect(writes.elements == [false, false, false])
    }

    @Test("a writer that outlives its closure, or whose task is cancelled, writes nothing, and known errors are kept")
    func escaped() async throws {
        let escaped = Recorder<PayloadWriter>()
        let stream = PayloadStream { writer in escaped.append(writer) }
        #expect(await stream.produced().chunks == [])
        let writer = try #require(escaped.elements.first)
        await #expect(throws: CancellationError.self) { try await writer.write(Data([1])) }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await PayloadStream { writer in while true { try await writer.write(Data()) } }.produced()
        }
        #expect(await task.value.error == .cancelled)
        let known = ConnectionError.missingCredentials(debugInfo: "none")
        #expect(await PayloadStream { _ in throw known }.produced().error == known)
    }

    // Once only.

    @Test("a stream that can be produced only once is produced once, and says so the second time")
    func once() async {
        let calls = Recorder<Int>()
        let stream = PayloadStream(replayable: false) { _ in calls.append(1) }
        let payload = Payload(.stream(stream), mediaType: nil)
        let form = Payload(.multipart([.text("a", "b"), .init(name: "c", content: .stream(stream))]), mediaType: nil)
        #expect(payload.isAvailable && form.isAvailable)
        #expect(await stream.produced().error == nil)
        #expect(!payload.isAvailable && !form.isAvailable)
        #expect(await stream.produced().error?.debugInfo.contains("only once") == true)
        #expect(ValidatedRequest.from(.put(payload)).left?.debugInfo.contains("only once") == true)
        #expect(ValidatedRequest.from(.put(form)).left?.debugInfo.contains("only once") == true)
        #expect(calls.elements == [1])
    }

    // Values.

    @Test("a stream is equal to its own copies only, and so are payloads and forms with it")
    func identity() {
        let (stream, other) = (PayloadStream { _ in }, PayloadStream { _ in })
        let copy = stream
        #expect(stream == copy && stream.hashValue == copy.hashValue && stream != other)
        #expect(Payload(.stream(stream), mediaType: nil) == Payload(.stream(copy), mediaType: nil))
        #expect(Payload(.stream(stream), mediaType: nil) != Payload(.stream(other), mediaType: nil))
        let forms = [stream, copy, other].map { MultipartForm([.init(name: "a", content: .stream($0))], boundary: "b") }
        #expect(forms[0] == forms[1] && forms[0] != forms[2])
        let wires = forms.map { ValidatedRequest.from(.put(Payload(.multipart($0), mediaType: nil))).right?.stream }
        #expect(wires[0] == wires[1] && wires[0] != wires[2] && wires[0] != nil)
    }

    @Test("a negative length is a malformed payload before anything is sent, and a description shows no bytes")
    func negative() {
        #expect(Made.writer(length: -1) { _ in }.left?.name == "malformedPayload")
        #expect(Made.stream(length: .min) { AsyncStream(elements: []) }.left?.name == "malformedPayload")
        let payload = Payload(.stream(PayloadStream(length: -1) { _ in }), mediaType: nil)
        #expect(ValidatedRequest.from(.put(payload)).left?.name == "malformedPayload")
        #expect(throws: ConnectionError.self) { try PayloadSource(payload.content) }
        let made = Made.writer(.text, length: 7) { _ in }.right
        #expect(made?.description == "stream of 7 bytes of text/plain; charset=utf-8")
    }

    @Test(
        "a stated Content-Length must be the stream's (RFC 9110 8.6)",
        arguments: [
            (nil, "5", false), (5, "5", true), (5, "6", false),
        ] as [(Int?, String, Bool)]
    )
    func contentLength(length: Int?, field: String, isLegal: Bool) {
        var input = Input.put(Payload(.stream(PayloadStream(length: length) { _ in }), mediaType: nil))
        input.headers["Content-Length"] = field
        let wire = ValidatedRequest.from(input)
        #expect((wire.right != nil) == isLegal)
        #expect(isLegal || wire.left?.name == "malformedHeader")
    }
}
