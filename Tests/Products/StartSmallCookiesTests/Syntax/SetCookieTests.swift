import Foundation
@testable import StartSmallCookies
import StartSmallTesting
import Testing

struct SetCookieTests {
    private static func parsed(_ text: String) -> SetCookie? { try? SetCookie(parsing: text) }

    private static func rejection(_ text: String) -> CookieRejection? {
        do throws(CookieRejection) {
            _ = try SetCookie(parsing: text)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "RFC 6265bis 5.6: name and value, steps 2 to 4",
        arguments: [
            ("a=b", "a", "b"), ("a=", "a", ""), ("=b", "", "b"), ("b", "", "b"), ("a=b=c", "a", "b=c"),
            ("==b", "", "=b"), (" \ta\t = \t b c\t ", "a", "b c"), ("a=\"b\"", "a", "\"b\""), ("a=\"b;c\"", "a", "\"b"),
            ("a=b, c=d", "a", "b, c=d"), ("a=b\tc", "a", "b\tc"), ("a b=c", "a b", "c"), ("a=%3B", "a", "%3B"),
            ("名=値", "名", "値"), ("e=\u{301}", "e", "\u{301}"), ("a=b;", "a", "b"), ("a=b ;;; x", "a", "b"),
        ]
    )
    func pairs(_ text: String, _ name: String, _ value: String) {
        let cookie = Self.parsed(text)
        #expect(cookie?.name.hasSameBytes(as: name) == true && cookie?.value.hasSameBytes(as: value) == true)
    }

    @Test("RFC 6265bis 5.6 step 1: every control character but the tab, anywhere, ignores the whole field")
    func controls() {
        for byte in UInt8.min..<0x80 {
            let character = String(Unicode.Scalar(byte))
            let isControl = byte < 0x20 && byte != 0x09 || byte == 0x7F
            for text in ["a\(character)=b", "a=\(character)b", "a=b; x=\(character)", "a=b\(character)"] {
                #expect((Self.rejection(text) == .malformed) == isControl, "\(byte)")
            }
        }
    }

    @Test(
        "RFC 6265bis 5.7 step 2: neither a name nor a value",
        arguments: ["", "=", ";", " ", "\t=\t", "; Secure", "=; Path=/"]
    )
    func empty(_ text: String) {
        #expect(Self.rejection(text) == .malformed)
    }

    @Test("RFC 6265bis 5.6 step 5: name and value have at most 4096 octets together, without white space and `=`")
    func size() {
        for name in [0, 1, 2000, 4096] {
            let text = "  " + String(repeating: "n", count: name) + " = " + String(repeating: "v", count: 4096 - name)
            #expect(Self.parsed(text) != nil)
            #expect(Self.rejection(text + "v") == .tooLong)
        }
        #expect(Self.parsed("a=" + String(repeating: "é", count: 2047)) != nil)
        #expect(Self.rejection("a=" + String(repeating: "é", count: 2048)) == .tooLong, "octets, not characters")
        #expect(Self.parsed("a=b; x=" + String(repeating: "v", count: 100_000)) != nil)
    }

    @Test("RFC 6265bis 5.6, attributes, step 6: a value over 1024 octets is ignored, and an earlier one stays")
    func longAttribute() {
        let path = "/" + String(repeating: "p", count: 1023)
        #expect(Self.parsed("a=b; Path=/x; Path=\(path)")?.path == path)
        #expect(Self.parsed("a=b; Path=/x; Path=\(path)p")?.path == "/x")
        let domain = String(repeating: "d", count: 1025)
        #expect(Self.parsed("a=b; Domain=\(domain)")?.domain == nil)
        #expect(Self.parsed("a=b; Secure=\(domain)")?.isSecure == false)
    }

    @Test(
        "RFC 6265bis 5.6.2: Max-Age",
        arguments: [
            ("0", 0), ("-0", 0), ("-1", 0), ("1", 1), ("+1", nil), ("", nil), ("-", nil), ("1x", nil), ("1.5", nil),
            ("--1", nil), ("1 0", nil), ("0x1", nil), ("007", 7), ("9223372036854775807", .max),
            ("9223372036854775808", .max), ("-99999999999999999999999", 0), (String(repeating: "9", count: 1000), .max),
            ("１", nil),
        ] as [(String, Int?)]
    )
    func maxAge(_ value: String, _ expected: Int?) {
        #expect(Self.parsed("a=b; max-AGE=\(value)")?.maxAge == expected)
    }

    @Test("RFC 6265bis 5.6.1 and 5.6.2: an invalid attribute is ignored, and the last valid one counts")
    func lastValid() {
        let cookie = Self.parsed(
            "a=b; Max-Age=1; Max-Age=2; Max-Age=x; Expires=Sun, 06 Nov 1994 08:49:37 GMT; Expires=never"
        )
        #expect(cookie?.maxAge == 2)
        #expect(cookie?.expires == Date(timeIntervalSince1970: 784_111_777))
    }

    @Test(
        "RFC 6265bis 5.6.3: Domain loses one dot, becomes lower case, and the last one counts, even an empty one",
        arguments: [
            ("Domain=Example.COM", "example.com"), ("Domain=.example.com", "example.com"),
            ("Domain=..example.com", ".example.com"), ("Domain=", ""), ("Domain", ""), ("Domain=.", ""),
            ("Domain=a.test; Domain=b.test", "b.test"), ("Domain=a.test; Domain=", ""), ("Path=/", nil),
            ("Domain=\"a.test\"", "\"a.test\""),
        ] as [(String, String?)]
    )
    func domain(_ attributes: String, _ expected: String?) {
        #expect(Self.parsed("a=b; \(attributes)")?.domain == expected)
    }

    @Test(
        "RFC 6265bis 5.6.4: Path without a slash at its beginning is the default path, and the last one counts",
        arguments: [
            ("Path=/x", "/x"), ("path = /x ", "/x"), ("Path=x", ""), ("Path", ""), ("Path=", ""), ("Secure", nil),
            ("Path=/x; Path=y", ""), ("Path=y; Path=/x", "/x"), ("Path=/x=y", "/x=y"), ("Path=\"/x\"", ""),
        ] as [(String, String?)]
    )
    func path(_ attributes: String, _ expected: String?) {
        #expect(Self.parsed("a=b; \(attributes)")?.path == expected)
    }

    @Test("RFC 6265bis 5.6.5 and 5.6.6: Secure and HttpOnly, in any case and with any value")
    func flags() {
        for text in ["Secure", "sECURE", " secure = no"] { #expect(Self.parsed("a=b;\(text)")?.isSecure == true) }
        for text in ["HttpOnly", "hTTPoNLY", "httponly=0"] { #expect(Self.parsed("a=b;\(text)")?.isHTTPOnly == true) }
        for text in ["\"Secure\"", "Secure x", "Secured", "x=Secure", "Http-Only"] {
            let cookie = Self.parsed("a=b; \(text)")
            #expect(cookie?.isSecure == false && cookie?.isHTTPOnly == false, "\(text)")
        }
    }

    @Test(
        "RFC 6265bis 5.6.7: SameSite, of which the last one counts",
        arguments: [
            ("SameSite=None", .none), ("samesite=LAX", .lax), ("SameSite=strict", .strict), ("SameSite=x", .default),
            ("SameSite", .default), ("SameSite=Lax; SameSite=Strict", .strict), ("SameSite=Lax; SameSite=x", .default),
        ] as [(String, Cookie.SameSite)]
    )
    func sameSite(_ attributes: String, _ expected: Cookie.SameSite) {
        #expect(Self.parsed("a=b; \(attributes)")?.sameSite == expected)
    }

    @Test("RFC 6265bis 5.6, attributes, step 7: unknown attributes are ignored, Partitioned among them")
    func unknown() {
        #expect(Self.parsed("a=b; Partitioned; Priority=High; =x; =; x;;") == Self.parsed("a=b"))
    }

    @Test("law: any bytes are parsed, and a serialized cookie is parsed to the same")
    func stable() {
        var random = SplitMix64(seed: 2)
        let words = [
            "a", "=", ";", " ", "\t", "\u{1}", "é", "\"", "Path", "/", "Domain", ".", "Max-Age", "-9", "Secure",
        ]
        for _ in 0..<2_000 {
            let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in words.randomElement(using: &random)! }
                .joined()
            guard let cookie = Self.parsed(text) else { continue }
            let again = Self.parsed("\(cookie.name)=\(cookie.value)")
            #expect(again?.name == cookie.name && again?.value == cookie.value, "\(text)")
        }
    }
}
