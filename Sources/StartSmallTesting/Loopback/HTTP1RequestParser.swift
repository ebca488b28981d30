import Foundation
import StartSmall

/// An incremental parser of requests from arbitrarily divided bytes: a pure state machine (RFC 9112).
///
/// ```swift
/// parser.append(bytes)
/// while true {
///     switch parser.next() { … }
/// }
/// ```
struct HTTP1RequestParser: Sendable {
    /// A result of the parser.
    enum Step: Hashable, Sendable {
        /// More bytes are needed.
        case needsBytes

        /// A head is complete; its body may follow.
        case head(HTTP1Request)

        /// A request with its body is complete.
        case request(HTTP1Request)

        /// The bytes can't be parsed as a request; no later bytes can be parsed.
        case refused(HTTP1Refusal)
    }

    /// The limits of a client's requests.
    struct Limits: Sendable {
        /// The limit of request line and fields, and also of trailers: 64 KiB.
        ///
        /// The limit is more than any server accepts by default (8 KiB in nginx and Apache), so that no ordinary test
        /// reaches it.
        static let headBytes = 64 * 1024

        /// The limit of the body: 64 MiB.
        ///
        /// Upload tests stay below, and a client with an endless body can't exhaust the memory.
        static let bodyBytes = 64 * 1024 * 1024

        /// The limit of a chunk's size line: 4 KiB, including extensions, which are unused in practice.
        static let chunkLineBytes = 4 * 1024

        var head = headBytes
        var body = bodyBytes
        var chunkLine = chunkLineBytes
    }

    private enum State {
        case requestLine
        case fields
        case body(remaining: Int)
        case chunkSize
        case chunk(remaining: Int)
        case chunkEnd
        case trailers
        case refused(HTTP1Refusal)
    }

    private let limits: Limits
    private var state = State.requestLine
    private var request = HTTP1Request.empty
    private var bytes = ByteQueue()

    /// The number of bytes read of the current head or trailers.
    private var headCount = 0

    /// The total number of bytes read, which marks the end of a request.
    var consumedCount: Int { bytes.consumedCount }

    init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Appends arrived bytes.
    mutating func append(_ arrived: some Collection<UInt8>) {
        bytes.append(arrived)
    }

    /// Returns the next step.
    mutating func next() -> Step {
        do throws(HTTP1Refusal) {
            while true {
                if let step = try advance() { return step }
            }
        } catch {
            state = .refused(error)
            return .refused(error)
        }
    }

    /// Advances the state once; returns nil if there is no step yet, but more to parse.
    private mutating func advance() throws(HTTP1Refusal) -> Step? {
        switch state {
        case .requestLine: try requestLine()
        case .fields: try field()
        case .body(let remaining): take(remaining) { .body(remaining: $0) } ?? finished()
        case .chunkSize: try chunkSize()
        case .chunk(let remaining): chunk(remaining)
        case .chunkEnd: try chunkEnd()
        case .trailers: try trailer()
        case .refused(let refusal): throw refusal
        }
    }

    private mutating func requestLine() throws(HTTP1Refusal) -> Step? {
        if let first = bytes.first, !HTTPToken.isTokenByte(first), first != ByteQueue.cr {
            throw .malformed("the bytes are not the start of a request")
        }
        guard let line = try headLine() else { return .needsBytes }
        // RFC 9112 2.2: the parser ignores empty lines before a request.
        guard !line.isEmpty else { return nil }
        request = try HTTP1Lines.request(line)
        state = .fields
        return nil
    }

    private mutating func field() throws(HTTP1Refusal) -> Step? {
        guard let line = try headLine() else { return .needsBytes }
        guard line.isEmpty else {
            let field = try HTTP1Lines.field(line)
            request.headers.append(field.name, field.value)
            return nil
        }
        switch try HTTP1Framing.from(request, bodyLimit: limits.body) {
        case .length(let length): state = .body(remaining: length)
        case .chunked: state = .chunkSize
        }
        headCount = 0
        return .head(request)
    }

    /// Parses the size of a chunk (RFC 9112 7.1).
    private mutating func chunkSize() throws(HTTP1Refusal) -> Step? {
        let most = limits.chunkLine
        let line = try bytes.line(upTo: most, otherwise: .malformed("a chunk's size is longer than \(most) bytes"))
        guard let line else { return .needsBytes }
        guard let size = HTTP1Lines.chunkSize(line) else { throw .malformed("a chunk without a size") }
        guard size <= limits.body - request.body.count else { throw .bodyTooLarge(limit: limits.body) }
        state = size == 0 ? .trailers : .chunk(remaining: size)
        return nil
    }

    private mutating func chunk(_ remaining: Int) -> Step? {
        if let step = take(remaining, or: { .chunk(remaining: $0) }) { return step }
        state = .chunkEnd
        return nil
    }

    private mutating func chunkEnd() throws(HTTP1Refusal) -> Step? {
        let tooLong = HTTP1Refusal.malformed("a chunk is longer than its size")
        guard let line = try bytes.line(upTo: 2, otherwise: tooLong) else { return .needsBytes }
        guard line.isEmpty else { throw tooLong }
        state = .chunkSize
        return nil
    }

    /// Parses a trailer (RFC 9112 7.1.2).
    private mutating func trailer() throws(HTTP1Refusal) -> Step? {
        guard let line = try headLine() else { return .needsBytes }
        guard !line.isEmpty else { return finished() }
        let field = try HTTP1Lines.field(line)
        request.trailers.append(field.name, field.value)
        return nil
    }

    /// Takes the rest of the body or of a chunk; if it is incomplete, the state contains the missing count.
    private mutating func take(_ remaining: Int, or state: (Int) -> State) -> Step? {
        let taken = bytes.take(upTo: remaining, into: &request.body)
        guard taken < remaining else { return nil }
        self.state = state(remaining - taken)
        return .needsBytes
    }

    private mutating func finished() -> Step {
        let finished = request
        (request, state, headCount) = (.empty, .requestLine, 0)
        return .request(finished)
    }

    private mutating func headLine() throws(HTTP1Refusal) -> ArraySlice<UInt8>? {
        let before = bytes.consumedCount
        let line = try bytes.line(upTo: limits.head - headCount, otherwise: .headTooLarge(limit: limits.head))
        headCount += bytes.consumedCount - before
        return line
    }
}
