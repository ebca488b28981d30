#if os(Linux)
    import Foundation

    /// What a transfer sends, for libcurl's thread to read piece by piece: bytes in memory, or a source that is read from
    /// the disk only then.
    struct CurlBody: ~Copyable {
        private enum Content {
            case data(Data)
            case source(PayloadSource)
        }

        /// What the C side takes for "it can't be read".
        static let unreadable = Int.max

        /// How many bytes there are.
        let count: Int

        /// Why it can't be read, once it can't.
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

        /// Puts the bytes from this place on where there is room for them; how many, or ``unreadable``.
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
            }
        }

        /// A source is read from its beginning on: to go back is to begin anew, as where a connection was closed.
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
