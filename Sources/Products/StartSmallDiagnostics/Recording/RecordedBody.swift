package import StartSmallCore
import StartSmallSupport
package import StartSmallFoundation

/// The bytes of a body that has ended, and the way in which it has ended.
package struct RecordedBody: Sendable {
    /// The bytes that arrived, up to the limit.
    package var payload = Data()

    /// The sizes in bytes of the parts in which `payload` arrived; none with a limit, since each takes eight bytes.
    package private(set) var chunks: [Int] = []

    /// The number of bytes that arrived: 64 bits, since a stream can go on for days.
    package private(set) var count: Int64 = 0

    /// The fields after a complete payload.
    package private(set) var trailers: HTTPHeaders = [:]

    /// The reason why the payload is not complete; nil for a complete one.
    package private(set) var error: ConnectionError?

    /// Whether all bytes arrived: a reader may leave a stream behind its last event (`until:`), within a secret.
    package private(set) var isWhole = false

    /// Creates the payload of a response without a body to read: that of an error, for example.
    package init(_ payload: Data? = nil, upTo limit: Int = .max, endedBy error: ConnectionError? = nil) {
        let payload = payload ?? Data()
        (self.payload, count, self.error, isWhole) = (payload.prefix(limit), Int64(payload.count), error, error == nil)
    }

    fileprivate mutating func append(_ chunk: Data, upTo limit: Int) {
        count += Int64(chunk.count)
        let kept = chunk.prefix(max(0, limit - payload.count))
        if kept.isEmpty { return }
        payload += kept
        if limit == .max { chunks.append(kept.count) }
    }

    fileprivate mutating func end(_ error: ConnectionError?, _ trailers: HTTPHeaders, isWhole: Bool) {
        (self.error, self.trailers, self.isWhole) = (error, trailers, isWhole)
    }
}

extension ResponseBody {
    /// Returns a body that is recorded when it ends, before its reader learns of the end.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of bytes that are kept in memory.
    ///   - whenRead: receives a body that its reader has read to the end, or to an error. The reader waits, and gets the
    ///     error that this function throws.
    ///   - otherwise: receives a body with any other end, in the thread that ends the body.
    package func recorded(
        upTo limit: Int = .max,
        whenRead: @escaping @Sendable (RecordedBody) async throws(ConnectionError) -> Void,
        otherwise: @escaping @Sendable (RecordedBody) -> Void
    ) -> ResponseBody {
        // Nil after the end.
        let arrived = Locked<RecordedBody?>(RecordedBody())
        let end = { @Sendable (error: ConnectionError?, trailers: HTTPHeaders, isWhole: Bool) -> RecordedBody? in
            var ended = arrived.withLock { $0.take() }
            ended?.end(error, trailers, isWhole: isWhole)
            return ended
        }
        let recorded = around { inner async throws(ConnectionError) -> Data? in
            do throws(ConnectionError) {
                if let chunk = try await inner.next() {
                    arrived.withLock { $0?.append(chunk, upTo: limit) }
                    return chunk
                }
            } catch {
                if let ended = end(error, [:], false) { try await whenRead(ended) }
                throw error
            }
            if let ended = end(nil, self.trailers, true) { try await whenRead(ended) }
            return nil
        }
        recorded.onEnd { bodyEnd in
            let error: ConnectionError? =
                switch bodyEnd {
                case .complete: nil
                case .failed(let error): error
                case .discarded: .cancelled
                }
            if let ended = end(error, [:], false) { otherwise(ended) }
        }
        return recorded
    }
}
