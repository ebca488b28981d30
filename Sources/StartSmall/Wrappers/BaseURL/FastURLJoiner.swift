import StartSmallSupport
import StartSmallFoundation

/// A base URL as text, to which plain relative references are joined.
///
/// A reference is plain if it begins with a path or a query and contains only unreserved characters, `/`, `?` and the
/// separators of query items. Foundation parses all other references.
struct FastURLJoiner: Sendable {
    /// The text before the path: `https://api.example.com`.
    private let front: String
    private let path: String
    private let query: String?

    /// The path without trailing slashes.
    private let folder: String

    /// Creates a joiner from an absolute URL; nil if the URL has no such parts.
    init?(_ base: URL) {
        guard var components = URLComponents(url: base.absoluteURL, resolvingAgainstBaseURL: true) else { return nil }
        (path, query) = (components.percentEncodedPath, components.percentEncodedQuery)
        folder = String(path.reversed().drop { $0 == "/" }.reversed())
        (components.percentEncodedPath, components.percentEncodedQuery) = ("", nil)
        components.percentEncodedFragment = nil
        guard let front = components.string, !front.isEmpty else { return nil }
        self.front = front
    }

    /// Returns the relation of a URL to the base; nil if the text alone does not determine the relation.
    func relation(of url: String) -> BaseURLResolver.OriginRelation? {
        if SimpleReference(url) != nil { return .relative }
        guard url.utf8.starts(with: front.utf8), let next = url.utf8.dropFirst(front.utf8.count).first else {
            return nil
        }
        return next == UInt8(ascii: "/") || next == UInt8(ascii: "?") ? .sameOrigin : nil
    }

    /// Returns the text of the base with the path and the query of a reference; nil if the reference is not plain.
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

    /// Creates a reference; nil if the text is not plain.
    ///
    /// Such a text could have an authority, a scheme, a dot segment or an escaped dot segment.
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
                // A second slash may begin an authority, and a dot may begin a dot segment.
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

    /// The query characters that all parsers interpret alike: `=`, `&`, `,`, `%`, `/`, `?`, `:` and `@`.
    private static let queryMarks = Array("=&,%/?:@".utf8)
}
