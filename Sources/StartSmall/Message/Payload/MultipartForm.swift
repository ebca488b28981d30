import Foundation

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

    /// What stands between the parts: 1 to 70 characters that no part holds after `--`, the last no space (RFC 2046 5.1.1).
    public var boundary: String

    /// Creates a form with a boundary of one's own, so that its bytes are always the same.
    public init(_ parts: [Part], boundary: String) {
        self.parts = parts
        self.boundary = boundary
    }

    /// Creates a form with a boundary of 128 random bits.
    public init(_ parts: [Part], using random: inout some RandomNumberGenerator) {
        self.init(parts, boundary: Self.boundary { Self.boundaryLetters.randomElement(using: &random) })
    }

    /// Creates a form with a boundary of 128 random bits.
    public init(_ parts: [Part]) {
        self.init(parts, boundary: Self.boundary { Self.boundaryLetters.randomElement() })
    }

    private static func boundary(_ randomLetter: () -> Character?) -> String {
        "StartSmall-" + String((0..<26).map { _ in randomLetter() ?? "-" })
    }

    /// What goes into `Content-Type`; a boundary that is no token is quoted (RFC 2045 5.1).
    public var mediaType: MediaType {
        MediaType(rawValue: "multipart/form-data; boundary=\(HTTPToken.tokenOrQuoted(boundary))")
    }

    /// 32 letters of 5 bits each, so that 26 of them are more than 128 bits.
    private static let boundaryLetters = Array("abcdefghijklmnopqrstuvwxyz234567")
}

extension MultipartForm {
    /// What begins a part, and ends the one before (RFC 2046 5.1.1); no part may hold it.
    var delimiter: String { "--\(boundary)" }

    /// The form as it is sent (RFC 2046 5.1.1, RFC 7578 4), nothing of it checked.
    var contents: [Part.Content] {
        var contents: [Part.Content] = []
        for part in parts {
            contents += [.data(Data("\(delimiter)\r\n".utf8) + part.head), part.content, .data(Data("\r\n".utf8))]
        }
        return contents + [.data(Data("\(delimiter)--\r\n".utf8))]
    }

    /// The form as it is sent; what its files hold is checked when they are read.
    func pieces() throws(ConnectionError) -> [PayloadSource.Piece] {
        try check()
        for part in parts {
            try checkBoundary(in: part.head)
            if case .data(let data) = part.content { try checkBoundary(in: data) }
        }
        var pieces: [PayloadSource.Piece] = []
        for content in contents {
            switch content {
            case .data(let data): pieces.append(.data(data))
            case .file(let url): pieces.append(.file(try PayloadFile(at: url)))
            }
        }
        return pieces
    }

    private func checkBoundary(in data: Data) throws(ConnectionError) {
        var scanner = DelimiterScanner(Data(delimiter.utf8))
        guard !scanner.finds(in: data) else {
            throw .malformedPayload(debugInfo: "the boundary occurs in a part: \(boundary)")
        }
    }

    /// Checks the boundary and the headers of the parts.
    func check() throws(ConnectionError) {
        guard isLegalBoundary else {
            throw .malformedPayload(debugInfo: "not a boundary (RFC 2046 5.1.1): \"\(boundary.onOneLine)\"")
        }
        for part in parts { try part.check() }
    }

    /// Whether the boundary is 1 to 70 characters of `bchars`, the last of them no space (RFC 2046 5.1.1).
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

extension MultipartForm: CustomStringConvertible {
    /// The number of parts; never their content.
    public var description: String {
        parts.count == 1 ? "1 part" : "\(parts.count) parts"
    }
}
