import StartSmallCore
import StartSmallEngines
import StartSmallSupport

extension URLRequest {
    /// Creates the head of a request for Foundation; the payload is separate, in the task.
    ///
    /// Foundation keeps one field of each name. Therefore, several fields are joined: by `, ` (RFC 9110 5.3), and those
    /// of `Cookie` by `; ` (RFC 6265 4.2.1). Foundation writes `Content-Length`.
    init(_ wire: ValidatedRequest, options: ConnectionOptions) {
        self.init(url: wire.url, timeoutInterval: Self.longestTimeout)
        httpMethod = wire.method
        httpShouldHandleCookies = options.keepsCookies
        var seen = Self.unsentFields
        for field in wire.headers.fields where seen.insert(field.name.lowercased()).inserted {
            let separator = field.name.lowercased() == "cookie" ? "; " : ", "
            setValue(wire.headers.values(of: field.name).joined(separator: separator), forHTTPHeaderField: field.name)
        }
    }
}

extension URLRequest {
    /// The time limit of the session itself between two bytes: a week, since the limits of the call come first.
    ///
    /// A week is also Foundation's default for the whole of a transfer (`timeoutIntervalForResource`).
    fileprivate static let longestTimeout: TimeInterval = 7 * 24 * 60 * 60
}

extension Response {
    /// Creates the head of a response, or nil if the response is not an HTTP response.
    ///
    /// Foundation has lost the order of the fields by then, and joined those of one name. Therefore, the fields are
    /// sorted, and the fields of `Set-Cookie` are split again.
    init?(head: URLResponse?) {
        guard let head = head as? HTTPURLResponse else { return nil }
        let fields = head.allHeaderFields.compactMap { name, value -> HTTPHeaders.Field? in
            guard let name = name as? String, let value = value as? String else { return nil }
            // Linux keeps white space after the value, which is not part of the value (RFC 9110 5.5).
            let trimmed = value.trimmingCharacters(in: .whitespaces)
            return HTTPHeaders.Field(name: name, value: LatinText.isDecoded ? LatinText.repaired(trimmed) : trimmed)
        }
        let keyed = fields.map { (key: Array($0.name.lowercased().utf8) + [0] + $0.name.utf8, field: $0) }
        let sorted = keyed.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.field)
        self.init(statusCode: .from(code: head.statusCode), headers: HTTPHeaders(sorted.flatMap(Self.apart)))
    }

    private static func apart(_ field: HTTPHeaders.Field) -> [HTTPHeaders.Field] {
        guard field.name.lowercased().isSame(as: "set-cookie") else { return [field] }
        return SetCookieList.split(field.value).map { HTTPHeaders.Field(name: field.name, value: $0) }
    }
}

/// Header values that an engine decoded as ISO-8859-1 although their bytes are UTF-8.
///
/// `URLSession` on Apple platforms does so. RFC 9110 5.5 leaves the encoding open; the other engine decodes UTF-8 if
/// the bytes are valid UTF-8, and ISO-8859-1 otherwise.
enum LatinText {
    /// Returns the text of the same bytes as UTF-8; the value itself if it is ASCII, or its bytes are not UTF-8.
    ///
    /// A value with a character beyond ISO-8859-1 was decoded otherwise, and is not changed.
    static func repaired(_ value: String) -> String {
        if value.utf8.allSatisfy({ $0 < 0x80 }) { return value }
        var bytes: [UInt8] = []
        for scalar in value.unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value) else { return value }
            bytes.append(byte)
        }
        return String(validating: bytes, as: UTF8.self) ?? value
    }
}

/// A parser that splits the lines of `Set-Cookie` that an engine has joined by commas.
///
/// RFC 9110 5.3 forbids joining them, as `Expires` also contains a comma, but `HTTPURLResponse` does it. A comma
/// separates two cookies if a name (RFC 6265 4.1.1) and `=` follow it. Each byte is read at most twice, regardless of
/// what a server sends: the parser runs on the queue on which the session reports the events of all its calls.
enum SetCookieList {
    /// Returns the single values, in order.
    static func split(_ joined: String) -> [String] {
        let bytes = Array(joined.utf8)
        var values: [ArraySlice<UInt8>] = []
        var start = 0
        for comma in bytes.indices where bytes[comma] == UInt8(ascii: ",") {
            guard startsCookie(bytes[(comma + 1)...]) else { continue }
            values.append(bytes[start..<comma])
            start = comma + 1
        }
        values.append(bytes[start...])
        return values.map { String(decoding: $0.drop(while: HTTPToken.isBlank), as: UTF8.self) }
    }

    private static func startsCookie(_ rest: ArraySlice<UInt8>) -> Bool {
        let name = rest.drop(while: HTTPToken.isBlank)
        let end = name.firstIndex { !HTTPToken.isTokenByte($0) } ?? name.endIndex
        return end > name.startIndex && end < name.endIndex && name[end] == UInt8(ascii: "=")
    }
}
