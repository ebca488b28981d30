import StartSmall

/// The length of a request's body (RFC 9112 6.3).
enum HTTP1Framing: Hashable, Sendable {
    case length(Int)
    case chunked

    /// Returns the framing of a request by its head; ambiguous framing is refused (RFC 9112 11.2).
    static func from(_ request: HTTP1Request, bodyLimit: Int) throws(HTTP1Refusal) -> HTTP1Framing {
        guard request.minorVersion == 0 || request.headers.values(of: "Host").count == 1 else {
            throw .malformed("HTTP/1.1 requires one Host (RFC 9112 3.2)")
        }
        let lengths = request.headers.values(of: "Content-Length")
        let codings = request.headers.values(of: "Transfer-Encoding")
        guard codings.isEmpty || lengths.isEmpty else {
            throw .malformed("both Transfer-Encoding and Content-Length")
        }
        guard codings.isEmpty else { return try chunked(codings, minorVersion: request.minorVersion) }
        guard lengths.count <= 1 else { throw .malformed("more than one Content-Length") }
        return .length(try lengths.first.map { text throws(HTTP1Refusal) in try length(text, limit: bodyLimit) } ?? 0)
    }

    private static func chunked(_ codings: [String], minorVersion: Int) throws(HTTP1Refusal) -> HTTP1Framing {
        guard minorVersion >= 1 else { throw .malformed("Transfer-Encoding in HTTP/1.0") }
        let coding = codings.joined(separator: ", ")
        guard coding.lowercased().isSame(as: "chunked") else { throw .unknownCoding(coding) }
        return .chunked
    }

    private static func length(_ text: String, limit: Int) throws(HTTP1Refusal) -> Int {
        guard !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) else {
            throw .malformed("the Content-Length is not a number")
        }
        guard let length = Int(text), length <= limit else { throw .bodyTooLarge(limit: limit) }
        return length
    }
}
