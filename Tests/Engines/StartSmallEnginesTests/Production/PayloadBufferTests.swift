import Foundation
@testable import StartSmallCore
@testable import StartSmallEngines
import StartSmallTesting
import TestSupport
import Testing

struct PayloadBufferTests {
    /// The bytes that one read gives.
    private func read(_ buffer: inout PayloadBuffer, from offset: Int, _ room: Int) -> Data {
        var bytes = Data(count: room)
        let count = bytes.withUnsafeMutableBytes { buffer.read(from: offset, into: $0) }
        return bytes.prefix(count)
    }

    @Test("any chunks, read in any steps, some of them twice, are the same bytes", arguments: 0..<200)
    func law(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let whole = Data.pattern(count: Int.random(in: 0...60_000, using: &random))
        var (buffer, appended, offset, read) = (PayloadBuffer(), 0, 0, Data())
        while read.count < whole.count {
            let size = Int.random(in: 0...3, using: &random) * Int.random(in: 0...3000, using: &random)
            buffer.append(whole[appended..<min(whole.count, appended + size)])
            appended = min(whole.count, appended + size)
            let bytes = self.read(&buffer, from: offset, Int.random(in: 0...5000, using: &random))
            #expect(bytes == whole[offset..<(offset + bytes.count)])
            // An engine that does not send the bytes reads them again.
            if Bool.random(using: &random) { continue }
            offset += bytes.count
            read += bytes
            #expect(buffer.start <= offset)
        }
        #expect(read == whole)
    }

    @Test("an offset beyond the end gives nothing until its bytes have been added")
    func beyond() {
        var buffer = PayloadBuffer()
        buffer.append(Data("ab".utf8))
        #expect(read(&buffer, from: 3, 4) == Data())
        buffer.append(Data("cde".utf8))
        #expect(read(&buffer, from: 3, 4) == Data("de".utf8))
    }

    @Test("the buffer is full at 64 KiB of unread bytes, and has room as soon as some of them are read")
    func full() {
        var buffer = PayloadBuffer()
        buffer.append(Data(count: PayloadBuffer.capacity - 1))
        #expect(!buffer.isFull)
        buffer.append(Data(count: 1))
        #expect(buffer.isFull)
        _ = read(&buffer, from: 0, 1)
        #expect(!buffer.isFull)
        buffer.append(Data(count: 1_000_000))
        #expect(buffer.isFull)
        _ = read(&buffer, from: 1, 1_000_000)
        #expect(!buffer.isFull)
    }

    @Test("many small chunks are joined")
    func joined() {
        var buffer = PayloadBuffer()
        for _ in 0..<PayloadBuffer.capacity { buffer.append(Data([1])) }
        #expect(
            Mirror(reflecting: buffer).children.first { $0.label == "pieces" }.map { ($0.value as! [Data]).count } ?? 0
                <= 17
        )
    }
}
