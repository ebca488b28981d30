import Foundation

/// Bytes that have arrived but have not been read yet.
struct ByteQueue: Sendable {
    static let cr = UInt8(ascii: "\r")
    static let lf = UInt8(ascii: "\n")

    private var bytes: [UInt8] = []
    private var start = 0

    /// The end of the bytes that contain no line end, so that no byte is searched twice.
    private var searched = 0

    /// The total number of bytes read.
    private(set) var consumedCount = 0

    /// The next byte, which is not removed.
    var first: UInt8? { bytes[start...].first }

    /// Appends bytes.
    mutating func append(_ arrived: some Collection<UInt8>) {
        if start > 0 {
            bytes.removeFirst(start)
            searched -= start
            start = 0
        }
        bytes.append(contentsOf: arrived)
    }

    /// Moves all available bytes, but at most `count`, and returns their number.
    mutating func take(upTo count: Int, into data: inout Data) -> Int {
        let end = start + min(count, bytes.count - start)
        data.append(contentsOf: bytes[start..<end])
        return consume(to: end)
    }

    /// Removes a line and returns it without its CRLF, or returns nil if the line is incomplete.
    ///
    /// The function throws `refusal` if the line with its CRLF is longer than `limit`. A lone CR or LF is refused: RFC
    /// 9112 2.2 would allow a lone LF, but a client of today has no reason to send one.
    mutating func line(
        upTo limit: Int,
        otherwise refusal: @autoclosure () -> HTTP1Refusal
    ) throws(HTTP1Refusal) -> ArraySlice<UInt8>? {
        guard let end = bytes[searched...].firstIndex(of: Self.lf) else {
            searched = bytes.count
            if bytes.count - start > limit { throw refusal() }
            return nil
        }
        guard end - start < limit else { throw refusal() }
        let line = bytes[start..<end]
        guard line.firstIndex(of: Self.cr) == end - 1 else { throw .malformed("a CR or LF that does not end a line") }
        _ = consume(to: end + 1)
        return line.dropLast()
    }

    private mutating func consume(to end: Int) -> Int {
        let count = end - start
        start = end
        searched = max(searched, end)
        consumedCount += count
        return count
    }
}
