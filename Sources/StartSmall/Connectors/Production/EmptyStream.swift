import Foundation

extension PayloadStream {
    /// Produces a stream whose length is 0, and returns the error of the producer, or of a stream that is not empty.
    ///
    /// An engine never asks for the bytes of an empty payload.
    func failureOfNothing() async -> ConnectionError? {
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self)
        let production = PayloadProduction(self) { _ in wake.yield() }
        defer { production.end() }
        return await withTaskCancellationHandler {
            var iterator = wakes.makeAsyncIterator()
            while true {
                switch production.read(from: 0, into: UnsafeMutableRawBufferPointer(start: nil, count: 0)) {
                case .bytes, .end: return nil
                case .failed(let error): return error
                case .pending: if await iterator.next() == nil { return .cancelled }
                }
            }
        } onCancel: {
            production.end()
        }
    }
}
