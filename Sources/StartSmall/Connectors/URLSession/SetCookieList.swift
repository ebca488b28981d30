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
        return values.map { String(decoding: $0.drop(while: isSpace), as: UTF8.self) }
    }

    private static func startsCookie(_ rest: ArraySlice<UInt8>) -> Bool {
        let name = rest.drop(while: isSpace)
        let end = name.firstIndex { !HTTPToken.isTokenByte($0) } ?? name.endIndex
        return end > name.startIndex && end < name.endIndex && name[end] == UInt8(ascii: "=")
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }
}
