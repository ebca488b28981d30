#if CURL_ENGINE
    import StartSmallCore
    import StartSmallSupport
    import StartSmallFoundation

    /// The parsed lines of libcurl's header callback: heads of 1xx, the head of the response, and trailers.
    ///
    /// The bytes are arbitrary. Those that are not HTTP are not a head, and have no other effect.
    ///
    /// - A line `HTTP/…`, in any case, begins a block, and an empty line ends the block; within a block, `HTTP/…` is a
    ///   line like any other.
    /// - A block of 1xx is dropped (RFC 9110 15.2), but 101 is the response: no other follows it.
    /// - Fields after the response's block are trailers (RFC 9110 6.5).
    /// - A value is UTF-8; any other byte is marked, so that none is lost (``FieldText``, RFC 9110 5.5).
    /// - A line that begins with a space continues the previous value (RFC 9112 5.2).
    struct CurlHead: Sendable {
        private enum Stage {
            case betweenBlocks, inBlock, behindHead
        }

        private(set) var statusCode: Int?
        private(set) var fields: [HTTPHeaders.Field] = []
        private(set) var trailers: [HTTPHeaders.Field] = []
        private var stage = Stage.betweenBlocks

        /// Whether the last line was a field, which the next one may continue.
        private var isBehindField = false

        /// Whether all bytes are ASCII, of which any text consists then.
        private let isASCII: Bool

        var isComplete: Bool { stage == .behindHead }

        init(_ bytes: UnsafeBufferPointer<UInt8>) {
            // Without an early exit, so that the compiler checks 16 bytes at once.
            isASCII = bytes.reduce(0, |) < 0x80
            var rest = bytes[...]
            while let end = rest.firstLineFeed {
                take(UnsafeBufferPointer(rebasing: rest[..<end]))
                rest = rest[(end + 1)...]
            }
        }

        private mutating func take(_ line: UnsafeBufferPointer<UInt8>) {
            let line = line.last == .carriageReturn ? UnsafeBufferPointer(rebasing: line.dropLast()) : line
            switch stage {
            case .behindHead: Self.take(line, into: &trailers, &isBehindField, isASCII)
            case .betweenBlocks where line.starts(with: Self.blockStart, by: { $0 == $1 || $0 == $1 | 0x20 }):
                (stage, statusCode, fields) = (.inBlock, Self.statusCode(in: line), [])
                fields.reserveCapacity(Self.usualFields)
            case .inBlock where line.isEmpty: endBlock()
            case .inBlock: Self.take(line, into: &fields, &isBehindField, isASCII)
            case .betweenBlocks: break
            }
        }

        private mutating func endBlock() {
            guard let statusCode, statusCode >= 200 || statusCode == 101 else {
                (stage, self.statusCode, fields) = (.betweenBlocks, nil, [])
                return
            }
            stage = .behindHead
        }

        /// The initial capacity for fields, enough for most responses, so that the array is rarely reallocated.
        private static let usualFields = 12

        private static let blockStart = Array("HTTP/".utf8)

        /// Returns the digits after the first space of `HTTP/1.1 200 OK`; nil if there are none.
        private static func statusCode(in line: UnsafeBufferPointer<UInt8>) -> Int? {
            guard let space = line.firstIndex(of: .space) else { return nil }
            let digits = line[(space + 1)...].drop { $0 == .space }.prefix(3)
            guard digits.count == 3, digits.allSatisfy(\.isASCIIDigit) else { return nil }
            return digits.reduce(0) { $0 * 10 + Int($1 & 0x0F) }
        }

        private static func take(
            _ line: UnsafeBufferPointer<UInt8>,
            into fields: inout [HTTPHeaders.Field],
            _ isBehindField: inout Bool,
            _ isASCII: Bool
        ) {
            guard let first = line.first else { return }
            if first == .space || first == .tab {
                guard isBehindField, let last = fields.indices.last else { return }
                let more = text(of: line[...], isASCII)
                if !more.isEmpty { fields[last].value += fields[last].value.isEmpty ? more : " " + more }
            } else if let colon = line.firstIndex(of: .colon) {
                let (name, value) = (text(of: line[..<colon], isASCII), text(of: line[(colon + 1)...], isASCII))
                fields.append(HTTPHeaders.Field(name: name, value: value))
                isBehindField = true
            } else {
                isBehindField = false
            }
        }

        /// Returns a text without the white space around it.
        private static func text(of bytes: Slice<UnsafeBufferPointer<UInt8>>, _ isASCII: Bool) -> String {
            var bytes = bytes
            while let first = bytes.first, first == .space || first == .tab { bytes.removeFirst() }
            while let last = bytes.last, last == .space || last == .tab { bytes.removeLast() }
            let trimmed = UnsafeBufferPointer(rebasing: bytes)
            return isASCII ? String(decoding: trimmed, as: UTF8.self) : FieldText.text(of: trimmed)
        }
    }

    extension Slice<UnsafeBufferPointer<UInt8>> {
        /// The index of the first line feed, which the C library finds several times as fast as `firstIndex(of:)`.
        var firstLineFeed: Int? {
            guard !isEmpty, let start = base.baseAddress else { return nil }
            guard let found = memchr(start + startIndex, Int32(UInt8.lineFeed), count) else { return nil }
            return found - UnsafeMutableRawPointer(mutating: start)
        }
    }

    extension UInt8 {
        fileprivate static let colon = UInt8(ascii: ":")
        fileprivate static let tab = UInt8(ascii: "\t")
        fileprivate static let lineFeed = UInt8(ascii: "\n")
        fileprivate static let carriageReturn = UInt8(ascii: "\r")
        fileprivate static let space = UInt8(ascii: " ")
    }
#endif
