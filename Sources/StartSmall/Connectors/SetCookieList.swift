/// The lines of `Set-Cookie` that an engine has joined by commas, apart again.
///
/// RFC 9110 5.3 forbids joining them, as a comma also stands inside of `Expires`, but `HTTPURLResponse` does it.
/// A comma divides two cookies if a name (RFC 6265 4.1.1) and `=` follow it.
enum SetCookieList {
    /// The single values, in order.
    static func split(_ joined: String) -> [String] {
        var values: [Substring] = []
        var start = joined.startIndex
        for comma in joined.indices where joined[comma] == "," {
            guard startsCookie(joined[joined.index(after: comma)...]) else { continue }
            values.append(joined[start..<comma])
            start = joined.index(after: comma)
        }
        values.append(joined[start...])
        return values.map { String($0.drop(while: isSpace)) }
    }

    private static func startsCookie(_ rest: Substring) -> Bool {
        let afterSpace = rest.drop(while: isSpace)
        guard let equals = afterSpace.firstIndex(of: "=") else { return false }
        return RFC9110.isToken(String(afterSpace[..<equals]))
    }

    private static func isSpace(_ character: Character) -> Bool {
        character == " " || character == "\t"
    }
}
