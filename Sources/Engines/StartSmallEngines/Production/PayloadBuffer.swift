import StartSmallFoundation

/// The bytes of a streamed payload between its producer and an engine: pure, and bounded.
///
/// The producer's chunks are kept as they are, without a copy, except that small ones are joined. Bytes that were read
/// stay until a later offset is read, since an engine may ask for the same bytes twice.
package struct PayloadBuffer: Sendable {
    /// The number of unread bytes at which the producer has to wait: 64 KiB.
    ///
    /// libcurl reads as many at once (`CURLOPT_UPLOAD_BUFFERSIZE`), so that the next bytes are ready when it has sent
    /// the last ones. More are kept only if a single chunk is larger.
    package static let capacity = 64 * 1024

    /// The largest chunk that is joined with its neighbour: 4 KiB, so that a full buffer has few pieces.
    private static let joinedBytes = 4 * 1024

    private var pieces: [Data] = []

    /// The number of bytes of the first piece that are not needed any more.
    private var dropped = 0

    /// The offset in the payload of the first byte that is kept.
    private(set) var start = 0

    /// The offset in the payload after the last byte that is kept.
    private var end = 0

    /// The offset in the payload after the last byte that was read.
    private var readEnd = 0

    /// Whether the producer has to wait.
    var isFull: Bool { end - readEnd >= Self.capacity }

    mutating func append(_ data: Data) {
        if data.isEmpty { return }
        end += data.count
        if data.count <= Self.joinedBytes, let last = pieces.last, last.count <= Self.joinedBytes {
            pieces[pieces.count - 1] += data
        } else {
            pieces.append(data)
        }
    }

    /// Copies bytes from an offset on, as far as there are bytes and room, and drops all bytes before the offset.
    ///
    /// - Parameter offset: the offset in the payload, not before ``start``; bytes before it need not have been added
    ///   yet.
    /// - Returns: the number of copied bytes.
    mutating func read(from offset: Int, into room: UnsafeMutableRawBufferPointer) -> Int {
        drop(before: min(offset, end))
        readEnd = max(readEnd, start)
        if offset > end { return 0 }
        var (copied, skipped) = (0, dropped)
        for piece in pieces where copied < room.count {
            let count = min(piece.count - skipped, room.count - copied)
            let first = piece.startIndex + skipped
            piece[first..<(first + count)].copyBytes(to: UnsafeMutableRawBufferPointer(rebasing: room[copied...]))
            (copied, skipped) = (copied + count, 0)
        }
        readEnd = max(readEnd, start + copied)
        return copied
    }

    private mutating func drop(before offset: Int) {
        guard offset > start else { return }
        dropped += offset - start
        start = offset
        var index = 0
        while index < pieces.count, dropped >= pieces[index].count {
            dropped -= pieces[index].count
            index += 1
        }
        pieces.removeFirst(index)
    }
}
