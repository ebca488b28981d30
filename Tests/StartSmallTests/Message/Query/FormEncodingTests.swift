import Foundation
@testable import StartSmall
import Testing

struct FormEncodingTests {
    @Test("letters, digits and *-._ are kept, a space is +, and all other ASCII is percent-encoded")
    func ascii() {
        let kept = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789*-._".utf8)
        for byte in UInt8(0)...127 {
            let text = String(UnicodeScalar(byte))
            let expected = kept.contains(byte) ? text : byte == 0x20 ? "+" : String(format: "%%%02X", byte)
            #expect(FormEncoding.encoded([URLQueryItem(name: text, value: text)]) == "\(expected)=\(expected)")
        }
    }

    @Test(
        "pairs are joined in order, and a nil value is written like an empty one",
        arguments: [
            ([], ""), ([("a", nil)], "a="), ([("a", "")], "a="), ([("", "")], "="),
            ([("b", "1"), ("a", "2"), ("b", "1")], "b=1&a=2&b=1"),
            ([("é", "日 本")], "%C3%A9=%E6%97%A5+%E6%9C%AC"), ([("a", "\r\n")], "a=%0D%0A"), ([("a", "+")], "a=%2B"),
        ] as [([(String, String?)], String)]
    )
    func pairs(_ items: [(String, String?)], _ expected: String) {
        #expect(FormEncoding.encoded(items.map { URLQueryItem(name: $0.0, value: $0.1) }) == expected)
    }
}
