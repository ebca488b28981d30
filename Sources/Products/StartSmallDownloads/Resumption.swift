import StartSmallCore
import StartSmallSupport
import StartSmallFoundation
import StartSmallRetry

/// The state of a download: a pure function from heads, chunks, breaks and outputs to the next step.
struct Resumption: Sendable {
    /// The next step of a download that is broken.
    enum Step: Equatable, Sendable {
        /// Reads the body of the last response, or starts over with it.
        case read, restart

        /// Requests the whole at once, or after a delay what is missing, if the last output is a transient failure.
        case requestWhole, retry

        /// Ends the download: all bytes have arrived, or they never will.
        case end
        case fail(ConnectionError)
    }

    private enum Use {
        /// Its first byte follows the last one that has arrived.
        case rest

        /// The whole of the version that is received: it begins with the bytes that have arrived.
        case same

        /// The whole of another version, or of one that can't be compared.
        case other

        /// No use: it is neither, and proves nothing.
        case unfit
    }

    let head: Response

    /// Whether the download can begin anew: a stream can't take its bytes back.
    let isFile: Bool

    /// The version that is received; nil if the download can only start over.
    private var version: ReceivedPart?

    /// The head of the response that is read now, if it is not the first one of its version.
    private var rest: Response?
    private(set) var size = 0

    /// The position of the next byte of the body: before `size` if the bytes have arrived before.
    private var position = 0

    /// The position at which the body has to end; nil if it is not known.
    private var end: Int?
    private var total: Int?

    /// The position of the first byte of the body that is read.
    private(set) var offset = 0

    /// The attempts since the last new byte: the next number, the time of the first one, and the size at that time.
    private var attempts = (number: 1, start: Duration.zero, size: -1)

    init(_ response: Response, isFile: Bool) {
        (head, version, self.isFile) = (response.head, response.version, isFile)
        (end, total) = (response.wholeCount, response.wholeCount)
    }

    /// The part that has arrived, to request its rest; nil if the whole has to be requested.
    var missing: ReceivedPart? {
        guard var version, size > 0 else { return nil }
        version.offset = size
        return version
    }

    /// Returns the step after a break of the body that is read.
    func step(after failure: ConnectionError) -> Step {
        // All bytes have arrived and are compared, whatever broke after them.
        if failure.isTransient, size == total, position == size { return .end }
        // A response that does not fit is no failure of the server: the whole is requested at once, and once.
        return isFile && rest != nil && version == nil ? .requestWhole : .retry
    }

    /// Returns the step after the output of a request for the rest, or without a part, for the whole.
    mutating func step(after output: Output, to missing: ReceivedPart?) -> Step {
        guard case .hasResponse(let response) = output, response.body != nil else {
            guard missing != nil, let response = output.response, response.statusCode == .rangeNotSatisfiable
            else { return .retry }
            return startOver(without: response)
        }
        switch use(of: response, to: missing) {
        case .rest:
            (offset, position, end) = (size, size, response.contentRange?.end)
            total = version?.total ?? response.contentRange?.total
        case .same:
            total = response.wholeCount ?? total
            (offset, position, end) = (0, 0, total)
        case .other:
            let attempts = attempts
            self = Resumption(response, isFile: isFile)
            self.attempts = attempts
            return .restart
        case .unfit:
            // A part that was not requested, or a status that has no version, such as 204.
            if missing == nil, isFile || response.statusCode != .ok {
                return .fail(.malformedResponse(.wrongRange(response.head)))
            }
            return startOver(without: response)
        }
        rest = response.head
        version?.total = total
        return .read
    }

    mutating func attempt(after output: Output, at time: Duration, randomBits: UInt64, now: Date) -> RetryContext {
        if size > attempts.size { attempts = (number: 1, start: time, size: size) }
        defer { attempts.number += 1 }
        let elapsed = time - attempts.start
        return RetryContext(number: attempts.number, output: output, elapsed: elapsed, randomBits: randomBits, now: now)
    }

    /// Requests the whole in place of a response that has no use; a stream can't.
    private mutating func startOver(without response: Response) -> Step {
        guard isFile else { return .fail(.connectionLost(.wrongRange(response.head))) }
        version = nil
        return .requestWhole
    }

    /// Returns the use of a successful response to a request for the rest, or without a part, for the whole.
    ///
    /// A 200 may be the rest alone, from a server or a proxy that forgot the status. Therefore, it must begin with the
    /// bytes that have arrived, unless it is of another version. `Content-Range` has no meaning in it (RFC 9110 14.4).
    private func use(of response: Response, to missing: ReceivedPart?) -> Use {
        switch response.statusCode {
        case .partialContent:
            return missing.map(response.continues) == true ? .rest : .unfit
        case .ok where missing == nil && isFile: return .other
        case .ok:
            guard let received = missing ?? version, let other = response.version, missing == nil || isFile,
                missing == nil || !response.headers.contains("Content-Range")
            else { return .unfit }
            if received.isVersion(of: response, total: other.total) { return .same }
            // A tag that a server computes of the bytes that it sends differs for the rest alone.
            let isRest = other.total != nil && other.total == received.total.map { $0 - received.offset }
            // Validators of different kinds can't be compared.
            let isComparable = other.validator.hasPrefix("\"") == received.validator.hasPrefix("\"")
            return isFile && isComparable && other.validator != received.validator && !isRest ? .other : .unfit
        default: return .unfit
        }
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
