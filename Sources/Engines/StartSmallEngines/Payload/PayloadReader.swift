public import StartSmallCore
public import StartSmallFoundation

/// A reader of a payload from beginning to end, with at most 64 KiB of it in memory.
///
/// ```swift
/// var reader = source.reader()
/// while let bytes = try reader.next() { … }
/// ```
///
/// Reading blocks the thread while the disk works, so use a thread that may block. A file is opened when its turn
/// comes, and closed at its end, or when the reader is destroyed. A file that is removed in between is read to its end.
public struct PayloadReader: ~Copyable, Sendable {
    /// The maximum number of bytes to read at once: 64 KiB.
    ///
    /// libcurl asks for as many in an upload (`CURLOPT_UPLOAD_BUFFERSIZE`), and they are enough to make the cost of a
    /// system call small compared with that of the bytes.
    @usableFromInline package static let defaultSize = 64 * 1024

    private let source: PayloadSource
    private var index = 0
    private var offset = 0
    private var file: OpenPayloadFile?
    private var hasDelimiter: DelimiterFinder?
    private var failure: ConnectionError?

    init(of source: PayloadSource) {
        self.source = source
    }

    /// Reads the next bytes.
    ///
    /// - Parameter limit: the maximum number of bytes, at most 64 KiB, the default; a value below 1 means 1.
    /// - Returns: at least one byte, and at most `limit` or 64 KiB, whichever is less; nil at the end.
    /// - Throws: ``ConnectionError/malformedPayload(debugInfo:)``, and from then on always the same error, if a file
    ///   has changed since the source was created, ends early, or contains a form's boundary. The last bytes of a file
    ///   are returned only once the file is known to be complete, so that a message without them stays incomplete.
    public mutating func next(atMost limit: Int = defaultSize) throws(ConnectionError) -> Data? {
        if let failure { throw failure }
        do {
            return try advance(min(max(1, limit), Self.defaultSize))
        } catch {
            failure = error
            file = nil
            throw error
        }
    }

    private mutating func advance(_ limit: Int) throws(ConnectionError) -> Data? {
        while index < source.pieces.count {
            let piece = source.pieces[index]
            let room = min(limit, piece.count - offset)
            let bytes =
                switch piece {
                case .data(let data): data.subdata(in: data.startIndex + offset..<data.startIndex + offset + room)
                case .file(let file): try read(file, room)
                }
            offset += bytes.count
            if offset == piece.count { endPiece() }
            if !bytes.isEmpty { return bytes }
        }
        return nil
    }

    private mutating func read(_ expected: PayloadFile, _ room: Int) throws(ConnectionError) -> Data {
        if file == nil {
            file = try OpenPayloadFile(expected.path)
            hasDelimiter = source.finder?()
            try checkUnchanged(expected)
        }
        let bytes = try file?.read(atMost: room, from: offset) ?? Data()
        try checkUnchanged(expected)
        if bytes.isEmpty, room > 0 { throw expected.malformed("the file ended early") }
        if offset + bytes.count == expected.stamp.count { try checkEnd(of: expected) }
        if hasDelimiter?(bytes) == true { throw expected.malformed("the boundary occurs in a part") }
        return bytes
    }

    private func checkUnchanged(_ expected: PayloadFile) throws(ConnectionError) {
        guard let stamp = try file?.stamp(), stamp != expected.stamp else { return }
        let was = expected.stamp.count
        throw expected.malformed(
            stamp.count == was
                ? "the file changed after the payload was created"
                : "the file changed from \(was) to \(stamp.count) bytes after the payload was created"
        )
    }

    /// Checks that the file has no more bytes than expected.
    ///
    /// A file that the system generates while it is read, as in `/proc`, is longer than its stated size.
    private func checkEnd(of expected: PayloadFile) throws(ConnectionError) {
        guard try file?.read(atMost: 1, from: expected.stamp.count).isEmpty != false else {
            throw expected.malformed("the file is longer than its reported size")
        }
    }

    private mutating func endPiece() {
        index += 1
        offset = 0
        file = nil
    }
}
