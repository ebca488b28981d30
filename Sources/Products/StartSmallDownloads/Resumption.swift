import StartSmallCore
import StartSmallFoundation

/// The state of a download: what has arrived, and what each response and each of its chunks means for it.
struct Resumption: Sendable {
    /// The use of a successful response.
    enum Use: Equatable {
        /// Its first byte follows the last one that has arrived.
        case rest

        /// The whole of the version that is received: it begins with the bytes that have arrived.
        case same

        /// The whole of another version, or of one that can't be compared.
        case other

        /// None: the whole has to be requested without `Range`.
        case none
    }

    /// The head of the version that is received.
    let head: Response

    /// Whether the download can begin anew: a stream can't take its bytes back.
    let isFile: Bool

    /// The version that is received; nil if the download can only start over.
    private var version: ReceivedPart?

    /// The head of the response that is read now, if it is not the first one of its version.
    private var rest: Response?

    /// The number of bytes that have arrived.
    private(set) var size = 0

    /// The position of the next byte of the body: before `size` if the bytes have arrived before.
    private var position = 0

    /// The position at which the body has to end; nil if it is not known.
    private var end: Int?

    /// The complete length; nil if it is not known.
    private var total: Int?

    init(_ response: Response, isFile: Bool) {
        (head, version, self.isFile) = (response.head, response.version, isFile)
        (end, total) = (response.wholeCount, response.wholeCount)
    }

    /// Whether all bytes have arrived, and those of the response that is read are compared.
    var isWhole: Bool { size == total && position == size }

    /// Whether the response that was read was none of the version: the whole is requested at once.
    var isRefuted: Bool { isFile && rest != nil && version == nil }

    /// The part that has arrived, to request its rest; nil if the whole has to be requested.
    var missing: ReceivedPart? {
        guard var version, size > 0 else { return nil }
        version.offset = size
        return version
    }

    /// Returns the use of a successful response to a request for the rest, or without a part, for the whole.
    ///
    /// A 200 may be the rest alone, from a server or a proxy that forgot the status. Therefore, it must begin with the
    /// bytes that have arrived, unless it is of another version. `Content-Range` has no meaning in it (RFC 9110 14.4).
    func use(of response: Response, to missing: ReceivedPart?) -> Use {
        switch response.statusCode {
        case .partialContent:
            guard let missing, response.called.requested.map({ $0.range == missing.range }) != false else {
                return .none
            }
            return response.continues(missing) ? .rest : .none
        case .ok where missing == nil && isFile: return .other
        case .ok:
            guard let received = missing ?? version, let other = response.version, missing == nil || isFile,
                missing == nil || !response.headers.contains("Content-Range")
            else { return .none }
            if received.isVersion(of: response, total: other.total) { return .same }
            // A tag that a server computes of the bytes that it sends differs for the rest alone.
            let isRest = other.total != nil && other.total == received.total.map { $0 - received.offset }
            // Validators of different kinds can't be compared.
            let isComparable = other.validator.hasPrefix("\"") == received.validator.hasPrefix("\"")
            return isFile && isComparable && other.validator != received.validator && !isRest ? .other : .none
        default: return .none
        }
    }

    /// Reads a response from now on.
    mutating func read(_ response: Response, as use: Use) {
        switch use {
        case .rest:
            (end, position) = (response.contentRange?.end, size)
            total = version?.total ?? response.contentRange?.total
        case .same:
            (end, position) = (response.wholeCount ?? total, 0)
            total = end
        case .other, .none:
            self = Resumption(response, isFile: isFile)
            return
        }
        rest = response.head
        version?.total = total
    }

    /// Takes the bytes of a chunk; nil if the body has more bytes than it may have.
    ///
    /// - Returns: the number of first bytes that must be those at a position; the others are new, once these are equal.
    mutating func take(_ count: Int) -> (known: Int, position: Int)? {
        if let end, end - position < count { return nil }
        defer { position += count }
        return (min(count, size - position), position)
    }

    /// Counts the bytes that were taken as arrived.
    mutating func keep() { size = max(size, position) }

    /// Distrusts the response that is read, and all bytes so far.
    ///
    /// - Returns: the error of such a response.
    mutating func refute() -> ConnectionError {
        version = nil
        return .malformedResponse(.wrongRange(rest ?? head))
    }

    /// Returns the error of a body that has ended before the payload was complete; nil if the payload is complete.
    mutating func failureAtEnd() -> ConnectionError? {
        // A whole must have its length, and begin with all bytes that have arrived.
        if isFile, rest?.statusCode == .ok, position < max(size, total ?? 0) { return refute() }
        guard let total, size < total else { return nil }
        return .connectionLost(.shortRange(rest ?? head, size: size, total: total))
    }
}
