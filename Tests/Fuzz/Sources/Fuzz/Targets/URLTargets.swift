import Foundation

@testable import StartSmall
@testable import StartSmallCore
@testable import StartSmallForms
@testable import StartSmallSupport

extension Target {
    /// The writers of URLs and queries.
    static let urls: [Target] = [template, templateValue, queryKeys, reference]

    private static let template = text(
        "uri-template",
        words: [
            "{a}", "{+a}", "{#a}", "{.a}", "{/a}", "{;a}", "{?a,b*}", "{&a}", "{a:3}", "{", "}", "https://h/", "%2F",
            ":9999", "/..",
        ],
        starts: ["{a:", "{", "{?a", "https://h/"],
        read: { _ = try? URITemplate($0) },
        check: { text in
            let template: URITemplate
            do throws(URITemplate.ParseError) {
                template = try URITemplate(text)
            } catch {
                try promise("the offset of an error is in the text", (0...text.utf8.count).contains(error.offset))
                return false
            }
            try promise("a description has one line", isOneLine("\(template)"))
            let values: [String: any URITemplate.ValueConvertible] = [
                "a": "b/%2F é", "b": ["c", "d"], "c": ["k": "v"],
            ]
            guard let expanded = try? template.expand(values) else { return true }
            try promise("an expansion is legal in a URL", isLegal(expanded))
            try promise("an expansion is a template", try URITemplate(expanded).expand() == expanded)
            _ = template.url(values)
            return true
        }
    )

    private static func isLegal(_ text: String) -> Bool {
        var rest = Substring(text).utf8
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") ? URIEncoding.triplet(after: rest) == nil : !isURLByte(byte) { return false }
        }
        return true
    }

    private static func isURLByte(_ byte: UInt8) -> Bool {
        URIEncoding.isUnreserved(byte) || URIEncoding.isReserved(byte)
    }

    private static let templateValue = text(
        "uri-template-value",
        words: ["/", "..", ".", "%2e", "@", "#", "?", "&a=b", "//evil", "\\", ":80", "a/"],
        starts: ["/", "%2e"],
        read: { text in _ = try? URITemplate("https://h/{+a}").url(["a": text]) },
        check: { text in
            let simple = try URITemplate("{a}").expand(["a": text])
            try promise("a value is decoded unchanged", URIEncoding.decoded(simple) == Array(text.utf8))
            try promise("a value is encoded", simple.utf8.allSatisfy { isURLByte($0) || $0 == UInt8(ascii: "%") })
            try promise("a reserved value is legal", isLegal(try URITemplate("{+a}").expand(["a": text])))
            guard case .right(let url) = try URITemplate("https://h/x{/a}{?a}").url(["a": text]) else { return false }
            try promise("a value does not change the host", url.host() == "h" && url.port == nil && url.user() == nil)
            try promise(
                "a value does not change the path before it",
                url.path(percentEncoded: true).hasPrefix("/x/") && url.fragment() == nil
            )
            let query = url.query(percentEncoded: true) ?? ""
            try promise("a value is one item", query.hasPrefix("a=") && !query.contains("&"))
            let value = URIEncoding.decoded(String(query.dropFirst(2)))
            try promise("an item is decoded unchanged", value == Array(text.utf8))
            return true
        }
    )

    /// The target of query keys: a name in each line.
    private static let queryKeys = text(
        "query-keys",
        words: ["a", "[", "]", "b", ".", "\n", "perPage", "URL", "a,b", "&", "="],
        starts: ["a["],
        read: { text in
            let members = Dictionary([(Member(text), 1), (Member("é"), 2)], uniquingKeysWith: max)
            _ = try? URIEncoding.query(of: QueryEncoder().items(of: members))
        },
        check: { text in
            let names = text.split(separator: "\n", omittingEmptySubsequences: false).map(Member.init)
            let members = Dictionary(names.map { ($0, [$0]) }, uniquingKeysWith: { first, _ in first })
            for encoder in [
                QueryEncoder(), QueryEncoder(nesting: .dots, arrays: .indices), QueryEncoder(arrays: .commas),
            ] {
                guard let items = try? encoder.items(of: ["x": members]) else { continue }
                try promise("one member is one item", items.count == members.count)
                try promise("items are read unchanged", read(URIEncoding.query(of: items)) == pairs(items))
                let form = FormEncoding.encoded(items).replacingOccurrences(of: "+", with: "%20")
                try promise("a form is read unchanged", read(form) == pairs(items))
            }
            return true
        }
    )

    /// A key that is hashed by its bytes: with `String` keys of many accents, `Dictionary` itself would work for half a
    /// minute.
    private struct Member: Hashable, Encodable, CodingKeyRepresentable {
        let name: ByteEqualString

        init(_ name: some StringProtocol) {
            self.name = ByteEqualString(String(name))
        }

        init(codingKey: some CodingKey) {
            self.init(codingKey.stringValue)
        }

        var codingKey: any CodingKey { name.text.codingKey }

        func encode(to encoder: any Encoder) throws {
            try name.text.encode(to: encoder)
        }
    }

    /// Returns the names and values of a query as bytes, since Foundation drops a byte order mark when it decodes.
    private static func read(_ query: String) -> [[[UInt8]]] {
        query.split(separator: "&").map {
            $0.split(separator: "=", omittingEmptySubsequences: false).map { URIEncoding.decoded(String($0)) }
        }
    }

    private static func pairs(_ items: [URLQueryItem]) -> [[[UInt8]]] {
        items.map { [Array($0.name.utf8), Array(($0.value ?? "").utf8)] }
    }

    /// The target of references in `Location`.
    private static let reference = text(
        "url-reference",
        words: ["../", "//h", "https:", "HTTP:", "?a=b", "#c", ":", "@", "[::1]", ";", "%zz", "./"],
        starts: ["/", "?", "https:", "http:"],
        read: { text in _ = base.resolving(text) },
        check: { text in
            guard let url = base.resolving(text) else { return false }
            try promise("the URL is absolute", url.baseURL == nil)
            try promise("the host is allowed", Authority(of: url.absoluteString)?.refusal == nil)
            _ = (url.absoluteString, Redaction.standard.shown(url: url.absoluteString))
            return true
        }
    )

    private static let base = URL(string: "https://h/a/b?c") ?? URL(filePath: "/")
}
