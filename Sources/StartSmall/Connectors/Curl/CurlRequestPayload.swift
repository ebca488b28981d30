#if os(Linux)
    import CCurl
    import Foundation

    /// The payload of a request, which libcurl's thread reads piece by piece.
    ///
    /// The payload is bytes in memory, or a source that is read from the disk only when libcurl asks for its bytes, or
    /// a stream that is produced meanwhile.
    struct CurlRequestPayload: ~Copyable {
        private enum Content {
            case data(Data)
            case source(PayloadSource)
            case production(PayloadProduction, loop: Int)
        }

        /// The value by which the C side recognizes that the payload can't be read.
        static let unreadable = Int.max

        /// The value by which the C side recognizes that there are no bytes yet.
        static let pending = Int(ccurl_source_pending)

        /// The number of bytes; nil if it is not known.
        let count: Int?

        /// The reason why the payload can't be read, after reading failed.
        private(set) var failure: ConnectionError?

        private let content: Content
        private var reader: PayloadReader?
        private var position = 0

        init(_ data: Data) {
            count = data.count
            content = .data(data)
        }

        init(_ source: PayloadSource) {
            count = source.count
            content = .source(source)
        }

        /// Creates a payload that is produced for the call of an event loop.
        init(_ production: PayloadProduction, loop: Int) {
            count = production.length
            content = .production(production, loop: loop)
        }

        /// Whether the payload may be pending.
        var isProduced: Bool { if case .production = content { true } else { false } }

        /// Copies the bytes at this offset into a buffer, as far as there is room.
        ///
        /// - Parameters:
        ///   - offset: the offset of the first byte, in bytes.
        ///   - room: the buffer.
        /// - Returns: The number of copied bytes, or ``unreadable``, or ``pending``.
        mutating func read(from offset: Int, into room: UnsafeMutableRawBufferPointer) -> Int {
            switch content {
            case .data(let data):
                guard offset < data.count else { return 0 }
                let start = data.startIndex + offset
                let part = data[start..<(start + min(room.count, data.count - offset))]
                part.copyBytes(to: room)
                return part.count
            case .source(let source):
                do {
                    return try read(source, from: offset, into: room)
                } catch {
                    failure = error
                    return Self.unreadable
                }
            case .production(let production, let loop):
                switch production.read(from: offset, into: room, by: loop) {
                case .bytes(let count): return count
                case .end: return 0
                case .pending: return Self.pending
                case .failed(let error):
                    failure = error
                    return Self.unreadable
                }
            }
        }

        /// Reads a source from an offset on.
        ///
        /// A source is readable only from its beginning: to go back is to start over, as after a connection was closed.
        private mutating func read(
            _ source: PayloadSource,
            from offset: Int,
            into room: UnsafeMutableRawBufferPointer
        ) throws(ConnectionError) -> Int {
            if reader == nil || offset < position {
                reader = source.reader()
                position = 0
            }
            while true {
                let wanted = offset > position ? min(offset - position, PayloadReader.defaultSize) : room.count
                guard let bytes = try reader?.next(atMost: wanted) else { return 0 }
                let isBefore = position < offset
                position += bytes.count
                if isBefore { continue }
                bytes.copyBytes(to: room)
                return bytes.count
            }
        }
    }
#endif
