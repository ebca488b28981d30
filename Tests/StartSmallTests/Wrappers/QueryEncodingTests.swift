import Foundation
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

struct QueryEncodingTests {
    private static let items = [
        URLQueryItem(name: "q", value: "a b+c&d=e"), URLQueryItem(name: "ü~*", value: "/?:"),
        URLQueryItem(name: "flag", value: nil), URLQueryItem(name: "", value: ""),
    ]

    /// `name:value`, joined by semicolons: an encoding of no standard.
    private static let raw = QueryEncoding.custom { items in
        items.map { "\($0.name):\($0.value ?? "")" }.joined(separator: ";")
    }

    @Test("RFC 3986 encodes all but the unreserved characters, and keeps a name without =", .parity("B22"))
    func rfc3986() {
        #expect(QueryEncoding.rfc3986.query(of: Self.items) == "q=a%20b%2Bc%26d%3De&%C3%BC~%2A=%2F%3F%3A&flag&=")
    }

    @Test("a form has + for a space, encodes ~ and keeps *", .parity("B22"))
    func form() {
        #expect(QueryEncoding.form.query(of: Self.items) == "q=a+b%2Bc%26d%3De&%C3%BC%7E*=%2F%3F%3A&flag&=")
    }

    @Test("every ASCII byte is either kept or encoded, as in the two standards", arguments: UInt8(0)...0x7F)
    func bytes(_ byte: UInt8) {
        let text = String(Unicode.Scalar(byte))
        let digits = String(byte, radix: 16, uppercase: true)
        let encoded = "%" + (byte < 16 ? "0" : "") + digits
        let isAlphanumeric = text.contains(/[A-Za-z0-9]/)
        let item = [URLQueryItem(name: text, value: nil)]
        #expect(QueryEncoding.rfc3986.query(of: item) == (isAlphanumeric || "-._~".contains(text) ? text : encoded))
        let inForm = text == " " ? "+" : isAlphanumeric || "-._*".contains(text) ? text : encoded
        #expect(QueryEncoding.form.query(of: item) == inForm)
    }

    @Test(
        "the items move into the URL, after its existing query",
        .parity("B22"),
        arguments: [
            ("https://h/", "https://h/?a=b+c"), ("https://h/?x=%20#f", "https://h/?x=%20&a=b+c#f"),
            ("https://h?", "https://h?a=b+c"), ("/relative?x", "/relative?x&a=b+c"),
        ]
    )
    func moved(_ url: String, _ expected: String) async throws {
        let input = Input(url: try #require(URL(string: url)), queries: [.init(name: "a", value: "b c")])
        let request = await RecordedCall(of: input, through: .queryEncoding(.form)).request
        #expect(request?.url.absoluteString == expected)
        #expect(request?.queries == [])
    }

    @Test("a custom encoding determines the query", .parity("B22"))
    func custom() async {
        let input = Input(url: Fixture.url, queries: [.init(name: "a", value: "1"), .init(name: "b", value: nil)])
        let request = await RecordedCall(of: input, through: .queryEncoding(Self.raw)).request
        #expect(request?.url.query(percentEncoded: true) == "a:1;b:")
    }

    @Test(
        "an encoding with characters that no query can contain is an error without credentials, and is not sent",
        arguments: ["a#b", "a b", "a\r\nb", "ü", "%", "%2", "%zz", "a[b]=1", "\"", "<", "\u{0}"]
    )
    func illegal(_ query: String) async {
        let input = Input(url: Fixture.url, queries: Self.items)
        let recorded = await RecordedCall(of: input, through: .queryEncoding(.custom { _ in "token=hunter2&\(query)" }))
        #expect(recorded.output.connectionError?.name == "malformedURL")
        #expect(!"\(recorded.output)".contains("hunter2"))
        #expect(recorded.sent.isEmpty)
    }
}
