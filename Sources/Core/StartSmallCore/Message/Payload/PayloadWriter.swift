public import StartSmallFoundation

/// The place where the closure of a ``PayloadStream`` writes the bytes of a payload.
public struct PayloadWriter: Sendable {
    private let take: @Sendable (Data) async throws -> Void

    init(_ take: @escaping @Sendable (Data) async throws -> Void) {
        self.take = take
    }

    /// Writes the next bytes, and waits until there is room for more.
    ///
    /// Several tasks may write at a time, in an unknown order. When the call is over, or the closure has returned, no
    /// bytes are wanted any more.
    ///
    /// - Parameter data: the bytes; none are written if it is empty.
    /// - Throws: `CancellationError` if no bytes are wanted any more; ``ConnectionError/malformedPayload(debugInfo:)``
    ///   if there are more bytes than the length of the stream, and from then on always.
    public func write(_ data: Data) async throws {
        try Task.checkCancellation()
        do {
            try await take(data)
        } catch ConnectionError.cancelled {
            throw CancellationError()
        }
    }
}

/// The number of bytes that a stream has produced, compared with its stated length: pure.
struct PayloadCount: Sendable {
    private let length: Int?
    private var count = 0
    private var isOver = false
    private var failure: ConnectionError?

    /// The last byte of the stated length, until the producer has ended.
    private var last = Data()

    init(length: Int?) { self.length = length }

    /// Counts the next bytes, and returns those to send now.
    mutating func accept(_ data: Data) throws(ConnectionError) -> Data {
        if let failure { throw failure }
        if isOver { throw .cancelled }
        let (sum, isTooLarge) = count.addingReportingOverflow(data.count)
        if isTooLarge || sum > length ?? .max { throw fail(with: Self.tooLong(length)) }
        count = sum
        guard sum == length, !data.isEmpty else { return data }
        last = data.suffix(1)
        return data.dropLast()
    }

    /// Ends the stream, and returns the bytes that are left to send.
    mutating func finish() throws(ConnectionError) -> Data {
        if let failure { throw failure }
        isOver = true
        if let length, count < length {
            throw .malformedPayload(debugInfo: "the stream ended after \(count) of \(length) bytes")
        }
        defer { last = Data() }
        return last
    }

    /// Ends the stream with an error, and returns its first error.
    mutating func fail(with error: any Error) -> ConnectionError {
        let failure = failure ?? Self.failure(of: error)
        self.failure = failure
        return failure
    }

    private static func tooLong(_ length: Int?) -> ConnectionError {
        .malformedPayload(debugInfo: "the stream has more bytes than its length of \(length ?? .max) bytes")
    }

    private static func failure(of error: any Error) -> ConnectionError {
        if error is CancellationError { return .cancelled }
        return error as? ConnectionError
            ?? .malformedPayload(debugInfo: "the producer failed: \(Redaction.standard.shown(text: "\(error)"))")
    }
}
