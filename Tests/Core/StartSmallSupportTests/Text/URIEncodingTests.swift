import Foundation
@testable import StartSmallSupport
import Testing

struct URIEncodingTests {
    private static let unreserved = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~".utf8)

    @Test("every ASCII character but the unreserved ones is percent-encoded")
    func ascii() {
        for byte in UInt8(0)...127 {
            let text = String(UnicodeScalar(byte))
            #expect(
                URIEncoding.encoded(text) == (Self.unreserved.contains(byte) ? text : String(format: "%%%02X", byte))
            )
        }
    }

    @Test(
        "characters beyond ASCII are percent-encoded as UTF-8, and decoded again",
        arguments: [
            ("é", "%C3%A9"), ("e\u{301}", "e%CC%81"), ("日本", "%E6%97%A5%E6%9C%AC"),
            ("👩‍🚀", "%F0%9F%91%A9%E2%80%8D%F0%9F%9A%80"), ("", ""), ("\r\n", "%0D%0A"), ("%41", "%2541"),
        ]
    )
    func unicode(_ text: String, _ encoded: String) {
        #expect(URIEncoding.encoded(text) == encoded)
        #expect(URIEncoding.decoded(encoded) == Array(text.utf8))
    }

    @Test(
        "decoding leaves a percent sign that does not begin a triplet",
        arguments: [
            ("%", "%"), ("%4", "%4"), ("%zz", "%zz"), ("%%41", "%A"), ("%4%41", "%4A"), ("a%", "a%"), ("%２１", "%２１"),
            ("%7e%7E", "~~"),
        ]
    )
    func lenientDecoding(_ text: String, _ decoded: String) {
        #expect(URIEncoding.decoded(text) == Array(decoded.utf8))
    }

    @Test(
        "query items are appended after those of the URL and before its fragment, and none change nothing",
        arguments: [
            ("https://h", "https://h?a=1"),
            ("https://h/", "https://h/?a=1"),
            ("https://h/?", "https://h/?a=1"),
            ("https://h/?b=2", "https://h/?b=2&a=1"),
            ("https://h/?b=2&", "https://h/?b=2&a=1"),
            ("https://h/?b=+%20", "https://h/?b=+%20&a=1"),
            ("https://h/#f", "https://h/?a=1#f"),
            ("https://h/?b#f", "https://h/?b&a=1#f"),
            ("https://h/#f?g", "https://h/?a=1#f?g"),
            ("https://h/?#", "https://h/?a=1#"),
            ("", "?a=1"),
            ("https://h/?b=\u{301}#\u{301}", "https://h/?b=\u{301}&a=1#\u{301}"),
            ("https://h/?\u{301}", "https://h/?\u{301}&a=1"),
        ]
    )
    func appending(_ url: String, _ expected: String) {
        let appended = URIEncoding.appending([URLQueryItem(name: "a", value: "1")], to: url)
        #expect(Array(appended.utf8) == Array(expected.utf8))
        #expect(URIEncoding.appending([], to: url) == url)
    }

    @Test("no ASCII character in a name or value can add an item or end the query")
    func injection() {
        for byte in UInt8(0)...127 {
            let text = String(UnicodeScalar(byte))
            let url = URIEncoding.appending([URLQueryItem(name: text, value: text)], to: "https://h/")
            let items = URLComponents(string: url, encodingInvalidCharacters: false)?.queryItems
            #expect(items == [URLQueryItem(name: text, value: text)])
        }
    }

    @Test(
        "brackets are encoded everywhere except in an IP literal",
        arguments: [
            ("http://[::1]:80/a[b]?c[d]=e#[f]", "http://[::1]:80/a%5Bb%5D?c%5Bd%5D=e#%5Bf%5D"),
            ("http://h?a[]=1", "http://h?a%5B%5D=1"), ("/a", "/a"), ("http://h/a%5Bb", "http://h/a%5Bb"),
            ("/search?a[b]=1&u=https://x", "/search?a%5Bb%5D=1&u=https://x"),
            ("?a[b]=https://[::1]/", "?a%5Bb%5D=https://%5B::1%5D/"), ("a[b]/c", "a%5Bb%5D/c"),
            ("1a://[b]/", "1a://%5Bb%5D/"), ("git+ssh.2-x://[::1]/[", "git+ssh.2-x://[::1]/%5B"),
            ("//[::1]/a[b]", "//[::1]/a%5Bb%5D"), ("[::1]/a", "%5B::1%5D/a"), ("://[a]", "://%5Ba%5D"),
        ]
    )
    func brackets(_ url: String, _ expected: String) {
        #expect(URIEncoding.encodingBrackets(in: url) == expected)
    }
}
