import Foundation

/// A base URL as text, to which plain relative references are joined.
///
/// A reference is plain if it begins with a path or a query and holds nothing but unreserved characters, `/`, `?` and what
/// separates the items of a query. Anything else is for Foundation to read.
struct FastURLJoiner: Sendable {
    /// All in front of the path: `https://api.example.com`.
    private let front: String
    private let path: String
    private let query: String?

    /// The path without the slashes at its end.
    private let folder: String

    /// The text of an absolute URL; nil if that has no such parts.
    init?(_ base: URL) {
        guard var components = URLComponents(url: base.absoluteURL, resolvingAgainstBaseURL: true) else { return nil }
        (path, query) = (components.percentEncodedPath, components.percentEncodedQuery)
        folder = String(path.reversed().drop { $0 == "/" }.reversed())
        (components.percentEncodedPath, components.percentEncodedQuery) = ("", nil)
        components.percentEncodedFragment = nil
        guard let front = components.string, !front.isEmpty else { return nil }
        self.front = front
    }

    /// Where a URL leads; nil if its text does not tell.
    func whereabouts(of url: String) -> BaseURLResolver.OriginRelation? {
        if SimpleReference(url) != nil { return .relative }
        guard url.utf8.starts(with: front.utf8), let next = url.utf8.dropFirst(front.utf8.count).first else {
            return nil
        }
        return next == UInt8(ascii: "/") || next == UInt8(ascii: "?") ? .home : nil
    }

    /// The text of the base with the path and the query of a reference; nil if that is not plain.
    func joined(with url: String) -> String? {
        guard let reference = SimpleReference(url) else { return nil }
        var text = front
        text += reference.hasPath ? folder : path
        if reference.hasPath, !reference.beginsWithSlash { text += "/" }
        guard let query else { return text + url }
        text += url[..<reference.pathEnd]
        text += "?" + query
        return reference.hasQuery ? text + "&" + url[reference.pathEnd...].dropFirst() : text
    }
}

/// A relative reference of plain characters, without a fragment.
private struct SimpleReference {
    let hasPath: Bool
    let beginsWithSlash: Bool
    let hasQuery: Bool
    let pathEnd: String.Index

    /// Nil if it is not plain: what could be an authority, a scheme, a dot segment or an escape of one.
    init?(_ text: String) {
        let (slash, question, dot) = (UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "."))
        let bytes = text.utf8
        var end: String.Index?
        var previous: UInt8?
        for index in bytes.indices {
            let byte = bytes[index]
            if end == nil {
                switch byte {
                case question: end = index
                // A second slash may begin an authority, and a dot a segment of dots.
                case slash where previous == slash, dot where previous == nil || previous == slash: return nil
                case slash: break
                default: if !URIEncoding.isUnreserved(byte) { return nil }
                }
                previous = byte
            } else if !URIEncoding.isUnreserved(byte), !Self.queryMarks.contains(byte) {
                return nil
            }
        }
        pathEnd = end ?? text.endIndex
        hasQuery = end != nil
        hasPath = pathEnd != text.startIndex
        beginsWithSlash = bytes.first == slash
    }

    /// What a query may hold that no two readers take for anything else: `=`, `&`, `,`, `%`, `/`, `?`, `:` and `@`.
    private static let queryMarks = Array("=&,%/?:@".utf8)
}
