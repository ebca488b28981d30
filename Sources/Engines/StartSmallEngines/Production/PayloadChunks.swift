public import StartSmallCore
public import StartSmallFoundation
import StartSmallSupport

extension PayloadStream {
    /// Produces all bytes once, from the beginning, for a connector that sends them.
    ///
    /// ```swift
    /// for try await bytes in stream.chunks() { try await socket.send(bytes) }
    /// ```
    ///
    /// The production begins with the first element that is asked for, waits while 64 KiB are not asked for, and is
    /// cancelled when the sequence is released. A connector asks for the chunks anew for each attempt.
    ///
    /// - Returns: the bytes in order, in pieces of 1 to 65,536 bytes. The sequence throws the ``ConnectionError`` of
    ///   the call: the error of the producer, as ``PayloadStream`` says; and
    ///   ``ConnectionError/malformedPayload(debugInfo:)`` if the number of bytes is not ``length``, or if the stream
    ///   can be produced only once, and has been.
    public func chunks() -> AsyncThrowingStream<Data, any Error> {
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self)
        let production = PayloadProduction(self) { wake.yield() }
        let lifetime = ProductionLifetime(production: production)
        let offset = Locked(0)
        return AsyncThrowingStream(unfolding: {
            try await withTaskCancellationHandler {
                try await lifetime.production.next(from: offset, wakes)
            } onCancel: {
                production.end()
            }
        })
    }
}

extension PayloadStream {
    /// Produces a stream whose length is 0, and returns the error of the producer, or of a stream that is not empty.
    ///
    /// An engine never asks for the bytes of an empty payload.
    package func failureOfNothing() async -> ConnectionError? {
        do {
            for try await _ in chunks() {}
        } catch {
            return error as? ConnectionError ?? .malformedPayload(debugInfo: "\(error)")
        }
        // A sequence also ends when the task that reads it is cancelled.
        return Task.isCancelled ? .cancelled : nil
    }
}

extension PayloadProduction {
    /// Waits for the next bytes; returns nil at the end.
    fileprivate func next(from offset: Locked<Int>, _ wakes: AsyncStream<Void>) async throws -> Data? {
        let start = offset.withLock { $0 }
        var iterator = wakes.makeAsyncIterator()
        var bytes = Data(count: PayloadBuffer.capacity)
        while true {
            switch bytes.withUnsafeMutableBytes({ read(from: start, into: $0) }) {
            case .bytes(let count):
                offset.withLock { $0 += count }
                return bytes.prefix(count)
            case .end: return nil
            case .failed(let error): throw error
            case .pending: if await iterator.next() == nil { throw ConnectionError.cancelled }
            }
        }
    }
}

/// The lifetime of a production that a sequence reads: ends the production when the sequence is released.
private struct ProductionLifetime: ~Copyable, Sendable {
    let production: PayloadProduction

    deinit { production.end() }
}
