public import StartSmallCore
import StartSmallSupport
import StartSmallFoundation

/// A form of several parts, `multipart/form-data` (RFC 7578): texts, data and files side by side.
///
/// ```swift
/// .post("https://api.example.com/articles", payload: .multipart([
///     .text("title", "Start small"),
///     .file("cover", URL(fileURLWithPath: "cover.png")),
/// ]))
/// ```
public struct MultipartForm: Hashable, Sendable {
    /// The parts, in the order in which they are sent; names may repeat (RFC 7578 4.3).
    public var parts: [Part]

    /// The delimiter of the parts: 1 to 70 characters, the last not a space (RFC 2046 5.1.1).
    ///
    /// No part may contain the boundary after `--`.
    public var boundary: String

    /// Creates a form.
    public init(_ parts: [Part], boundary: String = MultipartForm.randomBoundary()) {
        self.parts = parts
        self.boundary = boundary
    }

    @usableFromInline
    static func randomBoundary() -> String {
        "StartSmall-" + String((0..<26).map { _ in boundaryLetters.randomElement() ?? "-" })
    }

    /// The value of `Content-Type`; a boundary that is not a token is quoted (RFC 2045 5.1).
    public var mediaType: MediaType {
        MediaType(rawValue: "multipart/form-data; boundary=\(HTTPToken.tokenOrQuoted(boundary))")
    }

    /// The 32 letters of a boundary: 5 bits each, so that 26 of them have more than 128 bits.
    private static let boundaryLetters = Array("abcdefghijklmnopqrstuvwxyz234567")
}

extension MultipartForm: PayloadAssembly {
    /// The delimiter that begins a part and ends the previous one (RFC 2046 5.1.1); no part may contain it.
    var delimiter: String { "--\(boundary)" }

    /// The form as it is sent (RFC 2046 5.1.1, RFC 7578 4), without any checks.
    package var contents: [Part.Content] {
        var contents: [Part.Content] = []
        for part in parts {
            contents += [.data(Data("\(delimiter)\r\n".utf8) + part.head), part.content, .data(Data("\r\n".utf8))]
        }
        return contents + [.data(Data("\(delimiter)--\r\n".utf8))]
    }

    /// Returns the form as it is sent; the content of its files is checked when they are read.
    package func pieces() throws(ConnectionError) -> [Part.Content] {
        try checkContents()
        return contents
    }

    package var delimiterFinder: @Sendable () -> DelimiterFinder {
        { [delimiter] in DelimiterScanner.finder(of: Data(delimiter.utf8)) }
    }

    /// Checks the boundary, the headers of the parts, and their bytes in memory.
    func checkContents() throws(ConnectionError) {
        try check()
        for part in parts {
            try checkBoundary(in: part.head)
            if case .data(let data) = part.content { try checkBoundary(in: data) }
        }
    }

    private func checkBoundary(in data: Data) throws(ConnectionError) {
        var scanner = DelimiterScanner(Data(delimiter.utf8))
        guard !scanner.finds(in: data) else {
            throw .malformedPayload(debugInfo: "the boundary occurs in a part: \(boundary)")
        }
    }

    /// Checks the boundary, the kinds and the headers of the parts, and whether their streams can be sent.
    func check() throws(ConnectionError) {
        guard isLegalBoundary else {
            throw .malformedPayload(debugInfo: "not a boundary (RFC 2046 5.1.1): \"\(boundary.onOneLine)\"")
        }
        for part in parts { try part.check() }
        for stream in streams { try stream.check() }
    }

    package var streams: [PayloadStream] {
        parts.compactMap { if case .stream(let stream) = $0.content { stream } else { nil } }
    }

    /// Whether the boundary is 1 to 70 characters of `bchars`, the last of them not a space (RFC 2046 5.1.1).
    private var isLegalBoundary: Bool {
        (1...70).contains(boundary.utf8.count) && boundary.utf8.last != UInt8(ascii: " ")
            && boundary.utf8.allSatisfy { byte in
                URIEncoding.isUnreserved(byte) && byte != UInt8(ascii: "~") || "'()+,/:=? ".utf8.contains(byte)
            }
    }
}

extension MultipartForm: ExpressibleByArrayLiteral {
    /// Creates a form with a random boundary.
    public init(arrayLiteral parts: Part...) {
        self.init(parts)
    }
}

extension Either where Left == ConnectionError, Right == Payload {
    /// Creates a payload of a form of several parts; its files are read when the request is sent.
    ///
    /// - Returns: the payload; ``ConnectionError/malformedPayload(debugInfo:)`` on the left if the boundary or a header
    ///   field of a part is illegal.
    public static func multipart(_ form: MultipartForm) -> Self {
        Either { () throws(ConnectionError) in
            try form.check()
            return Payload(.multipart(form), mediaType: form.mediaType)
        }
    }
}

extension Payload.Content {
    /// Creates the content of a form of several parts.
    public static func multipart(_ form: MultipartForm) -> Self { .assembled(Payload.Assembly(form)) }

    /// The form of several parts; nil for another content.
    public var multipartForm: MultipartForm? {
        if case .assembled(let assembly) = self { assembly.value as? MultipartForm } else { nil }
    }
}

extension MultipartForm: CustomStringConvertible {
    /// The number of parts; never their content.
    public var description: String {
        parts.count == 1 ? "1 part" : "\(parts.count) parts"
    }
}
