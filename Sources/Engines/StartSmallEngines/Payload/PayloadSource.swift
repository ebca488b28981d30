import Dispatch
public import StartSmallCore
package import StartSmallFoundation
public import StartSmallSupport

/// The bytes of a payload as they are sent: bytes in memory, and files, which are read only while they are sent.
///
/// The length of each file is known, and stated in `Content-Length`, before the first byte is read. If a file has
/// changed by then, the result is an error, and never a truncated message.
public struct PayloadSource: Sendable {
    /// A run of consecutive bytes.
    package enum Piece: Sendable {
        case data(Data)
        case file(PayloadFile)
    }

    /// The pieces in order; no two pieces in memory are adjacent, and no piece in memory is empty.
    let pieces: [Piece]

    /// Makes the finder for a file; nil for no restriction.
    let finder: (@Sendable () -> DelimiterFinder)?

    /// The number of bytes.
    public let count: Int

    /// Creates the source of a content; inspects its files without reading them.
    ///
    /// - Throws: ``ConnectionError/malformedPayload(debugInfo:)`` if a file does not exist, is not accessible, or is
    ///   not a regular file, if a form can't be written, or if the content has a ``PayloadStream``, whose bytes do not
    ///   exist before they are sent.
    public init(_ content: Payload.Content) throws(ConnectionError) {
        switch content {
        case .data(let data): try self.init([.data(data)])
        case .file(let url): try self.init([.file(PayloadFile(at: url))])
        case .assembled(let assembly): self = try Self.source(of: assembly.value)
        case .stream: throw .payloadIsStream
        }
    }

    private static func source(of assembly: any PayloadAssembly) throws(ConnectionError) -> PayloadSource {
        var pieces: [Piece] = []
        for piece in try assembly.pieces() {
            switch piece {
            case .data(let data): pieces.append(.data(data))
            case .file(let url): pieces.append(.file(try PayloadFile(at: url)))
            case .assembled, .stream: throw .payloadIsStream
            }
        }
        return try PayloadSource(pieces, finder: assembly.delimiterFinder)
    }

    package init(
        _ pieces: [Piece],
        finder: (@Sendable () -> DelimiterFinder)? = nil
    ) throws(ConnectionError) {
        var joined: [Piece] = []
        var pending = Data()
        var count = 0
        for piece in pieces {
            let (sum, isTooLarge) = count.addingReportingOverflow(piece.count)
            if isTooLarge { throw .malformedPayload(debugInfo: "more than \(Int.max) bytes") }
            count = sum
            switch piece {
            case .data(let data) where pending.isEmpty: pending = data
            case .data(let data): pending += data
            case .file:
                if !pending.isEmpty { joined.append(.data(pending)) }
                pending = Data()
                joined.append(piece)
            }
        }
        if !pending.isEmpty { joined.append(.data(pending)) }
        (self.pieces, self.finder, self.count) = (joined, finder, count)
    }
}

extension PayloadSource {
    /// Returns a new reader at the beginning; any number of readers may be in use at once.
    public func reader() -> PayloadReader {
        PayloadReader(of: self)
    }

    /// All bytes if none of them is in a file; nil otherwise.
    var inMemory: Data? {
        switch pieces.first {
        case nil: Data()
        case .data(let data)? where pieces.count == 1: data
        default: nil
        }
    }
}

extension PayloadSource {
    /// The bytes as a stream, which is read anew for each attempt.
    package var stream: PayloadStream {
        PayloadStream(length: count) { writer in try await write(to: writer) }
    }

    /// Writes all bytes; a thread outside of Swift's pool waits for the disk.
    package func write(to writer: PayloadWriter) async throws {
        if let inMemory { return try await writer.write(inMemory) }
        let reader = Locked(reader())
        while let bytes = try await Self.next(of: reader).get() { try await writer.write(bytes) }
    }

    private static func next(of reader: Locked<PayloadReader>) async -> Result<Data?, ConnectionError> {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    returning: Result { () throws(ConnectionError) in
                        try reader.withLock { (reader) throws(ConnectionError) in try reader.next() }
                    }
                )
            }
        }
    }
}

extension PayloadSource.Piece {
    var count: Int {
        switch self {
        case .data(let data): data.count
        case .file(let file): file.stamp.count
        }
    }
}

extension PayloadSource: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The size and the number of files; never the content.
    public var description: String {
        let files = pieces.filter { if case .file = $0 { true } else { false } }.count
        return "\(count) bytes" + (files == 0 ? "" : files == 1 ? " with 1 file" : " with \(files) files")
    }
}
