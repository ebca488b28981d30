import Foundation
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct PayloadChunksTests {
    @Test("the chunks are the bytes of the stream, anew for each call")
    func bytes() async throws {
        let whole = Data.pattern(count: 300_000)
        let stream = PayloadStream(length: 300_000) { AsyncStream(elements: whole.split(by: 7_000)) }
        for _ in 0..<2 {
            var bytes = Data()
            for try await chunk in stream.chunks() {
                #expect((1...65_536).contains(chunk.count))
                bytes += chunk
            }
            #expect(bytes.isSame(as: whole))
        }
    }

    @Test("nothing is produced before the first element is asked for, and nothing after the sequence is released")
    func lifetime() async throws {
        let (begun, ended) = (Recorder<Int>(), Latch())
        let stream = PayloadStream { writer in
            begun.append(1)
            do { while true { try await writer.write(Data(count: 1000)) } } catch { ended.open() }
        }
        _ = stream.chunks()
        #expect(begun.elements == [])
        for try await _ in stream.chunks() { break }
        await ended.wait()
        #expect(begun.elements == [1])
    }

    @Test("a cancelled task gets no more chunks, and the producer is cancelled")
    func cancelled() async {
        let (begun, ended) = (Latch(), Latch())
        let stream = PayloadStream { _ in
            begun.open()
            await Latch().wait()
            ended.open()
        }
        let reader = Task { for try await _ in stream.chunks() {} }
        await begun.wait()
        reader.cancel()
        await #expect(throws: ConnectionError.cancelled) { try await reader.value }
        await ended.wait()
    }
}
