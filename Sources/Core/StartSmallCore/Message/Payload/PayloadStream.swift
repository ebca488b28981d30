public import StartSmallSupport
public import StartSmallFoundation

/// A payload that is produced while it is sent: the chunks of an asynchronous sequence, or the bytes of a writer.
///
/// ```swift
/// .post("https://api.example.com/logs", payload: .stream(.text) { lines.map { Data("\($0)\n".utf8) } })
/// .put("https://api.example.com/video", payload: .writer(.octetStream, length: size) { writer in
///     while let data = try camera.next() { try await writer.write(data) }
/// })
/// ```
///
/// The closure is a factory: it is called anew for each attempt to send the payload, so that retries and redirects send
/// all of it again. A payload that can be produced only once says so (``isReplayable``), and is never sent twice.
///
/// The engine asks for the bytes: the producer waits while the server is slow, and 64 KiB and one chunk wait at most
/// between the two. The sizes of the chunks do not show on the wire.
///
/// An error of the producer ends the call, and the request never looks complete to the server: a `CancellationError`
/// with ``ConnectionError/cancelled``, a ``ConnectionError`` with exactly that error, and any other error with
/// ``ConnectionError/malformedPayload(debugInfo:)`` and its description. When the call is over, the producer's task is
/// cancelled; a producer that ignores that delays nothing.
///
/// A stream is equal to its own copies only.
public struct PayloadStream: Sendable {
    /// The number of bytes, sent as `Content-Length`; nil if it is not known, for chunks (RFC 9112 7.1) or, over
    /// HTTP/2, for frames without a length.
    ///
    /// A stream that produces another number of bytes fails with ``ConnectionError/malformedPayload(debugInfo:)``. Its
    /// last byte is sent when the producer has ended, so that a stream that is too long is never a complete request.
    public let length: Int?

    /// Whether the stream can be produced more than once.
    ///
    /// If not, a retry or a redirect that needs the payload again does not happen; see ``Payload/isAvailable``.
    public let isReplayable: Bool

    private let identity: Identity
    private let body: @Sendable (PayloadWriter) async throws -> Void

    /// The state that copies of the stream share; nil for a replayable stream without credentials.
    private let use: Use?

    /// The credentials of a stream, and the progress of its one production.
    private final class Use: Sendable {
        enum Progress {
            case unused
            case begun

            /// Produced by a server's leave once more, as another stream.
            case copied
        }

        let secrets: [String]

        /// The progress; nil for a replayable stream.
        let progress: Locked<Progress>?

        init(_ secrets: [String], isReplayable: Bool) {
            (self.secrets, progress) = (secrets, isReplayable ? nil : Locked(.unused))
        }
    }

    package enum Identity: Hashable, Sendable {
        case own(UInt64)

        /// The identity of a content with streams among its pieces, which is created anew for each attempt.
        case assembly(Payload.Assembly)
    }

    /// Creates a stream of the bytes that a function writes.
    ///
    /// - Parameters:
    ///   - length: the number of bytes; nil if it is not known.
    ///   - replayable: whether `body` may be called more than once, and writes the same bytes each time.
    ///   - body: writes the bytes; called anew for each attempt, in a task of its own.
    public init(
        length: Int? = nil,
        replayable: Bool = true,
        writing body: @escaping @Sendable (PayloadWriter) async throws -> Void
    ) {
        self.init(length, replayable, .own(.random(in: .min ... .max)), body)
    }

    /// Creates the stream of a form with credentials.
    package init(
        length: Int?,
        replayable: Bool,
        secrets: [String],
        writing body: @escaping @Sendable (PayloadWriter) async throws -> Void
    ) {
        self.init(length, replayable, .own(.random(in: .min ... .max)), secrets: secrets, body)
    }

    /// Creates a stream of the chunks of a sequence.
    ///
    /// - Parameters:
    ///   - length: the number of bytes; nil if it is not known.
    ///   - replayable: whether `chunks` may be called more than once, and returns the same bytes each time.
    ///   - chunks: returns the sequence; called anew for each attempt, in a task of its own.
    public init<Chunks: AsyncSequence & SendableMetatype>(
        length: Int? = nil,
        replayable: Bool = true,
        chunks: @escaping @Sendable () async throws -> Chunks
    ) where Chunks.Element == Data {
        self.init(length: length, replayable: replayable) { writer in
            for try await chunk in try await chunks() { try await writer.write(chunk) }
        }
    }

    /// Creates the stream of a content with streams among its pieces; equal to that of an equal content.
    package init(
        of content: some PayloadAssembly,
        length: Int?,
        replayable: Bool,
        writing body: @escaping @Sendable (PayloadWriter) async throws -> Void
    ) {
        self.init(length, replayable, .assembly(Payload.Assembly(content)), body)
    }

    private init(
        _ length: Int?,
        _ isReplayable: Bool,
        _ identity: Identity,
        secrets: [String] = [],
        _ body: @escaping @Sendable (PayloadWriter) async throws -> Void
    ) {
        (self.length, self.isReplayable, self.identity, self.body) = (length, isReplayable, identity, body)
        use = isReplayable && secrets.isEmpty ? nil : Use(secrets, isReplayable: isReplayable)
    }

    /// Returns a copy to send once more, for a server that says that it has not taken the credentials; nil for a stream
    /// without any, whose bytes may exist only once, and nil if there is such a copy already.
    ///
    /// This stream stays as it is: what is outside of the sender of the copy does not send the credentials again.
    package func unused() -> PayloadStream? {
        if secrets.isEmpty { return nil }
        let isFirst = use?.progress?.withLock { progress in
            defer { progress = .copied }
            return progress != .copied
        }
        if isFirst == false { return nil }
        return PayloadStream(length, isReplayable, identity, secrets: secrets, body)
    }

    /// The credentials in the bytes of a form of OAuth, which are hidden wherever a server repeats them.
    package var secrets: [String] { use?.secrets ?? [] }
}

extension PayloadStream {
    /// Produces all bytes once, from the beginning.
    ///
    /// - Parameter take: takes the next bytes, never empty; the producer waits until it returns. An error that it
    ///   throws ends the production.
    /// - Throws: the error of the producer or of `take`, as ``PayloadStream`` maps it; or
    ///   ``ConnectionError/malformedPayload(debugInfo:)`` if the number of bytes is not ``length``, or if the stream
    ///   can be produced only once, and has been.
    package func produce(
        _ take: @escaping @Sendable (Data) async throws -> Void
    ) async throws(ConnectionError) {
        try begin()
        let count = Locked(PayloadCount(length: length))
        let writer = PayloadWriter { data in
            let bytes = try count.withLock { (count) throws(ConnectionError) in try count.accept(data) }
            if bytes.isEmpty { return }
            do {
                try await take(bytes)
            } catch {
                _ = count.withLock { $0.fail(with: error) }
                throw error
            }
        }
        do {
            try await body(writer)
            let last = try count.withLock { (count) throws(ConnectionError) in try count.finish() }
            if !last.isEmpty { try await take(last) }
        } catch {
            throw count.withLock { $0.fail(with: error) }
        }
    }

    private func begin() throws(ConnectionError) {
        let isFirst = use?.progress?.withLock { progress in
            if progress != .unused { return false }
            progress = .begun
            return true
        }
        if isFirst == false { throw Self.sentBefore }
    }

    /// Whether the stream can be produced now.
    package var isAvailable: Bool { use?.progress?.withLock { $0 == .unused } ?? true }

    /// Checks that the stream can be sent.
    package func check() throws(ConnectionError) {
        if let length, length < 0 { throw .malformedPayload(debugInfo: "a stream of \(length) bytes") }
        if !isAvailable { throw Self.sentBefore }
    }

    private static let sentBefore = ConnectionError.malformedPayload(
        debugInfo: "the payload can be produced only once (replayable: false), and an earlier attempt has begun to"
    )
}

extension Payload.Content {
    /// Returns the checked stream of a content that has one; nil for a content whose bytes exist before they are sent.
    package func stream() throws(ConnectionError) -> PayloadStream? {
        switch self {
        case .data, .file: return nil
        case .assembled(let assembly): return assembly.value.streams.isEmpty ? nil : try assembly.value.stream()
        case .stream(let stream):
            try stream.check()
            return stream
        }
    }
}

extension PayloadStream: Hashable, ComparedByKey {
    /// The identity, which all copies of one stream share.
    package var comparedKey: Identity { identity }
}

extension PayloadStream: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The size, if it is known; never the content.
    public var description: String {
        length.map { "stream of \($0) bytes" } ?? "stream"
    }
}
