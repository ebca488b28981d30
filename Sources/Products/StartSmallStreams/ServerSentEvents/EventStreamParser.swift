import StartSmallCore
import StartSmallSupport
import StartSmallFoundation

/// A pure state machine that parses events from bytes that arrive in pieces (WHATWG HTML 9.2.5 and 9.2.6).
///
/// A line ends with LF, CR or CRLF, and a blank line ends an event. An event that has not ended when no more bytes come
/// is discarded.
struct EventStreamParser: Sendable {
    /// An event, or the reason for which there is none.
    typealias Parsed = Either<String, ServerSentEvent>

    /// The ID after the last event, or after the last block without data; nil if there is none.
    private(set) var lastEventID: String?

    /// The delay before a reconnection, as last requested by the stream; nil if not requested.
    private(set) var retry: Duration?

    /// The maximum length of an event in bytes.
    var limit: Int

    private var block: Block
    private var line: [UInt8] = []
    private var content = Content.nothing
    private var isFirstLine = true
    private var isBehindCR = false

    /// Creates a parser for a new stream, or for one that continues after an interrupted one.
    ///
    /// As in Chromium, the ID stays until an event has another. According to the standard, an event without an ID would
    /// reset it, and the next connection would start from the beginning.
    init(after lastEventID: String? = nil, retry: Duration? = nil, limit: Int = DefaultLimits.eventBytes) {
        self.lastEventID = lastEventID
        self.retry = retry
        self.limit = limit
        block = Block(id: lastEventID)
    }

    /// The ID, if it is valid in a header field (RFC 9110 5.5); a stream may send others, and is not ended for that.
    var sendableID: String? { lastEventID.flatMap { HTTPToken.isFieldValue($0) ? $0 : nil } }

    /// A parser for the stream that continues after this interrupted one.
    var resumed: EventStreamParser {
        EventStreamParser(after: lastEventID, retry: retry, limit: limit)
    }

    /// Returns the events that these bytes complete, and a failure where one becomes longer than allowed.
    mutating func events(in chunk: Data) -> [Parsed] {
        chunk.withUnsafeBytes { bytes in
            var events: [Parsed] = []
            var rest = bytes[...]
            while let end = rest.firstIndex(where: { $0 == .lineFeed || $0 == .carriageReturn }) {
                let isRestOfEnd = isBehindCR && end == rest.startIndex && rest[end] == .lineFeed
                isBehindCR = rest[end] == .carriageReturn
                if !isRestOfEnd {
                    if let failure = add(rest[..<end]) { events.append(failure) }
                    if let event = endLine() { events.append(event) }
                }
                rest = rest[(end + 1)...]
            }
            if !rest.isEmpty { isBehindCR = false }
            if let failure = add(rest) { events.append(failure) }
            return events
        }
    }

    private mutating func add(_ piece: Slice<UnsafeRawBufferPointer>) -> Parsed? {
        guard let first = piece.first else { return nil }
        if content == .nothing { content = first == .colon ? .comment : .field }
        // Comments are not stored, so that they may have any length.
        if content == .comment || block.isTooLong { return nil }
        if piece.count > limit - block.size {
            (block, line) = (Block(isTooLong: true), [])
            return .left("an event is longer than \(limit) bytes")
        }
        block.size += piece.count
        line.append(contentsOf: UnsafeRawBufferPointer(rebasing: piece).assumingMemoryBound(to: UInt8.self))
        return nil
    }

    private mutating func endLine() -> Parsed? {
        defer { (content, isFirstLine) = (.nothing, false) }
        switch content {
        case .nothing: return endBlock()
        case .comment: return nil
        case .field:
            let hasMark = isFirstLine && line.starts(with: Self.byteOrderMark)
            if !block.isTooLong { read(line.dropFirst(hasMark ? Self.byteOrderMark.count : 0)) }
            line.removeAll(keepingCapacity: true)
            return nil
        }
    }

    private mutating func endBlock() -> Parsed? {
        if block.size == 0, !block.isTooLong { return nil }
        defer { block = Block(id: lastEventID) }
        if block.isTooLong { return nil }
        lastEventID = block.id
        if block.data.isEmpty { return nil }
        let data = String(decoding: block.data.dropLast(), as: UTF8.self)
        let type = block.type.isEmpty ? ServerSentEvent.defaultType : block.type
        return .right(ServerSentEvent(type: type, data: data, id: lastEventID, retry: retry))
    }

    private mutating func read(_ field: ArraySlice<UInt8>) {
        let colon = field.firstIndex(of: .colon) ?? field.endIndex
        let name = field[..<colon]
        var value = field[colon...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        if name.elementsEqual("data".utf8) {
            block.data += value
            block.data.append(.lineFeed)
        } else if name.elementsEqual("event".utf8) {
            block.type = String(decoding: value, as: UTF8.self)
        } else if name.elementsEqual("id".utf8), !value.contains(0) {
            block.id = value.isEmpty ? nil : String(decoding: value, as: UTF8.self)
        } else if name.elementsEqual("retry".utf8) {
            retry = Self.milliseconds(value) ?? retry
        }
    }

    /// Parses a number that has only digits, of any count.
    private static func milliseconds(_ value: ArraySlice<UInt8>) -> Duration? {
        guard !value.isEmpty, value.allSatisfy(\.isASCIIDigit) else { return nil }
        return min(.milliseconds(Int64(String(decoding: value, as: UTF8.self)) ?? .max), .maximumWait)
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
}

/// The content of a line so far.
private enum Content {
    case nothing
    case comment
    case field
}

/// The lines since the last blank one.
private struct Block {
    var id: String?
    var type = ""

    /// The values, each followed by a line feed; without data, there is no event.
    var data: [UInt8] = []

    /// The size of the lines in bytes, without line ends and comments.
    var size = 0

    /// Whether the event was longer than allowed, and is skipped.
    var isTooLong = false
}

extension UInt8 {
    fileprivate static let colon = UInt8(ascii: ":")
    fileprivate static let lineFeed = UInt8(ascii: "\n")
    fileprivate static let carriageReturn = UInt8(ascii: "\r")
}
