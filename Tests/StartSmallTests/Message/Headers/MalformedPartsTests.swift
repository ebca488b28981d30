import Testing

@testable import StartSmall

/// Fields with a malformed part: the other parts are read, unless a rule forbids it.
struct MalformedPartsTests {
    /// The parts that are read of a field, as text.
    private static func read(_ name: String, _ value: String) -> String {
        let response = Response(statusCode: .ok, headers: HTTPHeaders([.init(name: name, value: value)]))
        switch name {
        case "Link":
            return response.links.map { link in
                link.reference + link.parameters.map { " \($0.name)=\($0.value)" }.joined()
            }.joined(separator: ", ")
        case "Cache-Control": return "\(response.cacheControl)"
        case "Content-Type": return response.contentType?.rawValue ?? "nil"
        case "Content-Disposition":
            guard let disposition = response.contentDisposition else { return "nil" }
            return disposition.type + disposition.parameters.map { " \($0.name)=\($0.value)" }.joined()
        case "ETag": return response.etag.map { "\($0)" } ?? "nil"
        default: return "nil"
        }
    }

    private static let rows: [(field: String, value: String, read: String)] = [
        ("Link", "<a>; rel=\"x\" junk; title=t, junk, <b>; rel=y", "a rel=x title=t, b rel=y"),
        ("Link", "</a>; title*=UTF-8''%ff; rel=x, </b", "/a rel=x"),
        // A reference has any text up to `>`, so that the next link is a part of it.
        ("Link", "<a, <b>; rel=x", "a, <b rel=x"),
        // Nothing malformed makes a response more cacheable: a number with more text is no number.
        ("Cache-Control", "max-age=60; x, private=\"a, no-store", "max-age=\"\", private=\"\", no-store"),
        ("Cache-Control", "@, max-age=60, \"x, no-cache", "max-age=60, no-cache"),
        ("Content-Type", "text/html; charset=; a=b", "text/html; a=b"),
        ("Content-Type", "text/html; \"x; charset=utf-8", "text/html; charset=utf-8"),
        // Which of two types a payload has is a matter of security (RFC 9110 8.3).
        ("Content-Type", "text/html, application/json", "text/html, application/json"),
        ("Content-Disposition", "attachment x; =y; size; filename=a", "attachment filename=a"),
        ("Content-Disposition", "attachment; filename*=UTF-8''%ff; filename=a", "attachment filename=a"),
        // A tag is one part.
        ("ETag", "\"a\", x", "nil"),
    ]

    @Test("a field with a malformed part keeps its other parts", arguments: rows)
    func parts(field: String, value: String, read: String) {
        #expect(Self.read(field, value) == read)
    }
}
