import StartSmallCore
import StartSmallSupport
import Foundation

/// An incremental parser of requests from arbitrarily divided bytes: a pure state machine (RFC 9112).
///
/// The parser is strict, since a test server should detect a client's mistakes. It ignores trailers, and has no limits.
struct HTTP1RequestParser: Sendable {
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

    private enum State {
        case start
        case requestLine
        case fields
        case body(length: Int)
        case chunkSize
        case chunk(length: Int)
        case trailers
        case refused(HTTP1Refusal)
    }

    private static let cr = UInt8(ascii: "\r")
    private static let lf = UInt8(ascii: "\n")

    private var bytes: [UInt8] = []

    /// The start of the current request; a complete request is the current one until the next step.
    private var start = 0
    private var position = 0

    /// The end of the bytes that contain no line end, so that no byte is searched twice.
    private var searched = 0
    private var state = State.start
    private var request = HTTP1Request()

    var read: ArraySlice<UInt8> { bytes[start..<position] }

    var rest: ArraySlice<UInt8> { bytes[position...] }

    mutating func append(_ arrived: some Collection<UInt8>) {
        bytes.append(contentsOf: arrived)
    }

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
        case .start:
            // Not after each request: all later ones move.
            if position > bytes.count / 2 {
                bytes.removeFirst(position)
                (position, searched) = (0, 0)
            }
            (start, request, state) = (position, HTTP1Request(), .requestLine)
            return nil
        case .requestLine: return try requestLine()
        case .fields: return try field()
        case .body(let length):
            guard let body = take(length) else { return .needsBytes }
            request.body = Data(body)
            return finished()
        case .chunkSize: return try chunkSize()
        case .chunk(let length): return try chunk(length)
        case .trailers:
            guard let line = try line() else { return .needsBytes }
            return line.isEmpty ? finished() : nil
        case .refused(let refusal): throw refusal
        }
    }

    /// Parses `GET /path HTTP/1.1` (RFC 9112 3), and ignores empty lines before it (RFC 9112 2.2).
    private mutating func requestLine() throws(HTTP1Refusal) -> Step? {
        if position < bytes.count, !HTTPToken.isTokenByte(bytes[position]), bytes[position] != Self.cr {
            throw HTTP1Refusal("the bytes are not the start of a request")
        }
        guard let line = try line() else { return .needsBytes }
        if line.isEmpty { return nil }
        let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == 3, HTTPToken.isToken(parts[0]) else { throw HTTP1Refusal("a malformed request line") }
        guard !parts[1].isEmpty, parts[1].allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw HTTP1Refusal("the target is empty, or has bytes that are invalid in a URL")
        }
        guard parts[2].elementsEqual("HTTP/1.1".utf8) else { throw HTTP1Refusal("the version is not HTTP/1.1") }
        (request.method, request.target) = (Self.text(parts[0]), Self.text(parts[1]))
        state = .fields
        return nil
    }

    /// Parses `Name: value` (RFC 9112 5), or the end of the head.
    private mutating func field() throws(HTTP1Refusal) -> Step? {
        guard let line = try line() else { return .needsBytes }
        if line.isEmpty {
            state = try request.bodyLength().map { .body(length: $0) } ?? .chunkSize
            return .head(request)
        }
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        let value = Self.trimmed(line.dropFirst(name.count + 1))
        guard name.count < line.count, HTTPToken.isToken(name), HTTPToken.isFieldValue(value) else {
            throw HTTP1Refusal("a malformed field")
        }
        request.headers.append(Self.text(name), Self.text(value))
        return nil
    }

    /// Parses `1F;extension`, ignoring the extension (RFC 9112 7.1).
    private mutating func chunkSize() throws(HTTP1Refusal) -> Step? {
        guard let line = try line() else { return .needsBytes }
        let digits = line.prefix { $0 != UInt8(ascii: ";") }
        guard digits.allSatisfy({ $0.hexDigitValue != nil }), let length = Int(Self.text(digits), radix: 16) else {
            throw HTTP1Refusal("a chunk without a size")
        }
        state = length == 0 ? .trailers : .chunk(length: length)
        return nil
    }

    private mutating func chunk(_ length: Int) throws(HTTP1Refusal) -> Step? {
        guard bytes.count - position - 2 >= length, let chunk = take(length), let end = take(2) else {
            return .needsBytes
        }
        guard end.elementsEqual([Self.cr, Self.lf]) else { throw HTTP1Refusal("a chunk is longer than its size") }
        request.body.append(contentsOf: chunk)
        state = .chunkSize
        return nil
    }

    private mutating func finished() -> Step {
        state = .start
        return .request(request)
    }

    /// Reads a number of bytes; nil if they have not all bytes.
    private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard bytes.count - position >= count else { return nil }
        defer { (position, searched) = (position + count, position + count) }
        return bytes[position..<(position + count)]
    }

    /// Reads a line, and returns it without its CRLF; nil if it is incomplete.
    ///
    /// A lone CR or LF is refused: RFC 9112 2.2 would allow a lone LF, but a client of today has no reason to send one.
    private mutating func line() throws(HTTP1Refusal) -> ArraySlice<UInt8>? {
        guard let end = bytes[searched...].firstIndex(of: Self.lf) else {
            searched = bytes.count
            return nil
        }
        let line = bytes[position..<end]
        guard line.firstIndex(of: Self.cr) == end - 1 else { throw HTTP1Refusal("a CR or LF that ends no line") }
        (position, searched) = (end + 1, end + 1)
        return line.dropLast()
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.withUnsafeBufferPointer { FieldText.text(of: $0) }
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = bytes.drop(while: HTTPToken.isBlank)
        while let last = rest.last, HTTPToken.isBlank(last) { rest.removeLast() }
        return rest
    }
}

struct HTTP1Refusal: Error, Hashable, Sendable {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}

/// A request in the form of an HTTP/1 message (RFC 9112 2.1).
struct HTTP1Request: Hashable, Sendable {
    var method = ""
    var target = ""
    var headers = HTTPHeaders()
    var body = Data()
}

extension HTTP1Request {
    /// Whether the client waits for `100 Continue` before it sends the body (RFC 9110 10.1.1).
    var expectsContinue: Bool { headers.tokens(of: "Expect").contains("100-continue") }

    /// Whether the connection ends with the response (RFC 9112 9.3).
    var wantsClose: Bool { headers.tokens(of: "Connection").contains("close") }

    /// Returns the length of the body by its head, or nil if it comes in chunks (RFC 9112 6.3).
    ///
    /// Ambiguous framing is refused (RFC 9112 11.2).
    fileprivate func bodyLength() throws(HTTP1Refusal) -> Int? {
        guard headers.values(of: "Host").count == 1 else { throw HTTP1Refusal("no Host, or several (RFC 9112 3.2)") }
        let (lengths, codings) = (headers.values(of: "Content-Length"), headers.values(of: "Transfer-Encoding"))
        if lengths.isEmpty, codings.isEmpty { return 0 }
        if lengths.isEmpty, codings.map({ $0.lowercased() }) == ["chunked"] { return nil }
        guard codings.isEmpty, lengths.count == 1, lengths[0].utf8.allSatisfy(\.isASCIIDigit),
            let length = Int(lengths[0])
        else { throw HTTP1Refusal("a body whose end is unknown") }
        return length
    }

    /// Returns the request as a connector's input, or nil if its target is neither a path nor a URL.
    func input(origin: String) -> Input? {
        let text = target.hasPrefix("/") ? origin + target : target
        guard let url = URL(string: text, encodingInvalidCharacters: false), url.scheme != nil, url.host() != nil else {
            return nil
        }
        let mediaType = headers.contentType
        let hasNoType = mediaType == nil || ["GET", "HEAD", "TRACE"].contains(method)
        let payload = body.isEmpty && hasNoType ? nil : Payload(.data(body), mediaType: mediaType)
        let methodAndPayload = HTTPMethodAndPayload(method: method, payload: payload)
        return Input(url: url, headers: headers, methodAndPayload: methodAndPayload)
    }
}

extension HTTPHeaders {
    /// Returns the members of a comma-separated field, in lower case (RFC 9110 5.6.1).
    func tokens(of name: String) -> [String] {
        values(of: name)
            .flatMap { $0.unicodeScalars.split(separator: ",") }
            .map { String($0).trimmingCharacters(in: .whitespaces).lowercased() }
    }
}
