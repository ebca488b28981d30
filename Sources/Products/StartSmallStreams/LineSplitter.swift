import StartSmallCore
import StartSmallSupport
import StartSmallFoundation
import Synchronization

/// A pure state machine that splits bytes, which arrive in pieces, into lines.
///
/// A line ends with LF or CRLF. Bytes after the last line end are a line too, unless there are none.
struct LineSplitter: Sendable {
    /// A line without its line end; nil for a line that was longer than allowed.
    typealias Line = Data?

    private let limit: Int
    private var rest = Data()
    private var isTooLong = false

    init(limit: Int = DefaultLimits.lineBytes) {
        self.limit = limit
    }

    mutating func lines(in chunk: Data) -> [Line] {
        chunk.withUnsafeBytes { bytes in
            var lines: [Line] = []
            var rest = bytes[...]
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                add(rest[..<end])
                lines.append(take())
                rest = rest[(end + 1)...]
            }
            add(rest)
            return lines
        }
    }

    /// Returns the remaining line when no more bytes come.
    mutating func last() -> [Line] {
        rest.isEmpty && !isTooLong ? [] : [take()]
    }

    private mutating func add(_ piece: Slice<UnsafeRawBufferPointer>) {
        if piece.isEmpty { return }
        // One byte more than allowed, as a carriage return at the end does not count. The piece is not empty, so that
        // nothing overflows.
        if isTooLong || rest.count + piece.count - 1 > limit {
            (isTooLong, rest) = (true, Data())
        } else {
            rest.append(UnsafeRawBufferPointer(rebasing: piece).assumingMemoryBound(to: UInt8.self))
        }
    }

    private mutating func take() -> Line {
        defer { (isTooLong, rest) = (false, Data()) }
        let line = rest.last == UInt8(ascii: "\r") ? rest.dropLast() : rest
        return isTooLong || line.count > limit ? nil : line
    }
}

extension LineSplitter {
    /// Reads the payload of one call line by line, for ``StreamEndpoint``.
    static func reading<Value>(
        limit: Int,
        skippingBlank: Bool = false,
        _ read: @escaping @Sendable (Data) -> Either<String, Value>
    ) -> @Sendable (Data?) -> [Either<String, Value>] {
        let splitter = Mutex(LineSplitter(limit: limit))
        return { data in
            let lines = splitter.withLock { splitter in data.map { splitter.lines(in: $0) } ?? splitter.last() }
            return lines.filter { !skippingBlank || $0?.allSatisfy(isBlank) != true }.map { line in
                line.map(read) ?? .left("a line is longer than \(limit) bytes")
            }
        }
    }

    /// Whether a byte is white space of JSON inside of a line (RFC 8259 2).
    private static func isBlank(_ byte: UInt8) -> Bool { HTTPToken.isBlank(byte) || byte == UInt8(ascii: "\r") }
}
