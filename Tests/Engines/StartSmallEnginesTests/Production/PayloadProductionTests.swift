import Foundation
@testable import StartSmallCore
@testable import StartSmallEngines
import StartSmallTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct PayloadProductionTests {
    @Test("the producer waits while 64 KiB are unread, and goes on with the next read")
    func bounded() async {
        let written = Recorder<Int>()
        let full = Latch()
        let reader = ProductionReader(
            PayloadStream { writer in
                for number in 0..<1000 {
                    if number == 15 { full.open() }
                    try await writer.write(Data(count: 4096))
                    written.append(4096)
                }
            }
        )
        #expect(await reader.read(from: 0, 1) == .right(Data(count: 1)))
        await full.wait()
        for _ in 0..<100 { await Task.yield() }
        #expect(written.elements.reduce(0, +) <= PayloadBuffer.capacity + 1)
        #expect(await reader.all(from: 1).right?.count == 1000 * 4096 - 1)
    }

    @Test("a read of earlier bytes starts the stream anew, and the earlier producer is cancelled")
    func anew() async {
        let (attempts, cancelled) = (Recorder<Int>(), Latch())
        let whole = Data.pattern(count: 500_000)
        let reader = ProductionReader(
            PayloadStream { writer in
                attempts.append(1)
                do {
                    try await writer.write(whole)
                    try await writer.write(whole)
                } catch {
                    cancelled.open()
                    throw error
                }
            }
        )
        #expect(await reader.read(from: 0, 1000) == .right(whole.prefix(1000)))
        #expect(await reader.read(from: 1000, 1000) == .right(whole[1000..<2000]))
        #expect(await reader.all() == .right(whole + whole))
        #expect(attempts.elements.count == 2)
        await cancelled.wait()
    }

    @Test("bytes that the reader has not left behind are read again without a new start")
    func again() async {
        let attempts = Recorder<Int>()
        let reader = ProductionReader(
            PayloadStream(replayable: false) { writer in
                attempts.append(1)
                try await writer.write(Data("abc".utf8))
            }
        )
        for _ in 0..<3 { #expect(await reader.read(from: 0, 2) == .right(Data("ab".utf8))) }
        #expect(await reader.read(from: 2, 2) == .right(Data("c".utf8)))
        #expect(await reader.read(from: 0, 2).left?.debugInfo.contains("only once") == true)
        #expect(attempts.elements == [1])
    }

    @Test("a task that still writes after its producer has returned is refused")
    func late() {
        var (state, effects) = (ProductionState(), ProductionState.Effects())
        let room = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        #expect(state.read(from: 0, into: room, isReplayable: true, &effects) == .pending)
        state.finish(1, .complete, &effects)
        guard case .refused = state.append(Data("b".utf8), 1, &effects) else {
            Issue.record("the bytes were taken, though the end may have been sent")
            return
        }
        #expect(state.read(from: 0, into: room, isReplayable: true, &effects) == .end)
    }

    @Test("the end of a call cancels the producer, and releases a write that waits")
    func ended() async {
        let (waits, ended) = (Latch(), Latch())
        let reader = ProductionReader(
            PayloadStream { writer in
                waits.open()
                do { try await writer.write(Data(count: 1_000_000)) } catch { ended.open() }
            }
        )
        _ = await reader.read(from: 0, 1)
        await waits.wait()
        reader.production.end()
        await ended.wait()
        #expect(await reader.read(from: 0, 1) == .left(.cancelled))
    }

    @Test("the end of a call wakes the reader, and a producer that ignores its cancellation delays nothing")
    func ignoring() async {
        let (begun, released) = (Latch(), Latch())
        let reader = ProductionReader(
            PayloadStream { _ in
                begun.open()
                await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                    Task.detached {
                        await released.wait()
                        done.resume()
                    }
                }
            }
        )
        async let reading = reader.read(from: 0, 1)
        await begun.wait()
        reader.production.end()
        #expect(await reading == .left(.cancelled))
        released.open()
    }

    @Test("neither the closure of the stream nor a chunk is kept after the end of the call")
    func released() async {
        weak var kept: Box?
        do {
            let box = Box()
            kept = box
            let reader = ProductionReader(
                PayloadStream { writer in
                    _ = box
                    try await writer.write(Data(count: 1_000_000))
                }
            )
            _ = await reader.read(from: 0, 1)
            reader.production.end()
        }
        for _ in 0..<10_000 where kept != nil { await Task.yield() }
        #expect(kept == nil)
    }

    @Test("the producer has the task-local values of the call")
    func taskLocal() async {
        let values = Recorder<Int>()
        await Call.$number.withValue(7) {
            let reader = ProductionReader(PayloadStream { _ in values.append(Call.number) })
            _ = await reader.all()
        }
        #expect(values.elements == [7])
    }

    @Test("a stream of length 0 is produced to learn whether it is empty")
    func empty() async {
        #expect(await PayloadStream(length: 0) { _ in }.failureOfNothing() == nil)
        let error = await PayloadStream(length: 0) { try await $0.write(Data([1])) }.failureOfNothing()
        #expect(error?.debugInfo.contains("more bytes than its length of 0") == true)
        let (begun, silent) = (Latch(), Latch())
        let call = Task {
            await PayloadStream(length: 0) { _ in
                begun.open()
                await silent.wait()
            }.failureOfNothing()
        }
        await begun.wait()
        call.cancel()
        #expect(await call.value == .cancelled)
    }
}

private final class Box: Sendable {}

private enum Call {
    @TaskLocal static var number = 0
}

/// A reader that waits for the bytes of a production, and ends it when it is released.
final class ProductionReader: Sendable {
    let production: PayloadProduction
    private let wakes: AsyncStream<Void>

    /// Creates a production and its reader.
    init(_ stream: PayloadStream) {
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self)
        self.wakes = wakes
        production = PayloadProduction(stream) { wake.yield() }
    }

    deinit { production.end() }

    /// Reads at least one byte; none at the end.
    func read(from offset: Int, _ room: Int) async -> Either<ConnectionError, Data> {
        var iterator = wakes.makeAsyncIterator()
        while true {
            var bytes = Data(count: room)
            switch bytes.withUnsafeMutableBytes({ production.read(from: offset, into: $0) }) {
            case .bytes(let count): return .right(Data(bytes.prefix(count)))
            case .end: return .right(Data())
            case .failed(let error): return .left(error)
            case .pending: await iterator.next()
            }
        }
    }

    /// Reads everything from an offset on.
    func all(from offset: Int = 0) async -> Either<ConnectionError, Data> {
        var bytes = Data()
        while true {
            switch await read(from: offset + bytes.count, 10_000) {
            case .right(let next) where next.isEmpty: return .right(bytes)
            case .right(let next): bytes += next
            case .left(let error): return .left(error)
            }
        }
    }
}
