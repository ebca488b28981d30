import Foundation
import StartSmallEngines
import StartSmallSupport
@testable import StartSmallCore
import TestSupport
import Testing

struct QueriesTests {
    private func target(_ input: Either<ConnectionError, Input>) -> String? {
        input.flatMap(ValidatedRequest.from).right?.url.absoluteString
    }

    @Test("queries are a dictionary literal with order and duplicates, and nil is a name without =", .parity("B2"))
    func dictionary() {
        let input = Either<ConnectionError, Input>.get(
            "https://h/",
            queries: ["q": "swift & more", "tag": "b", "tag": "a", "flag": nil, "empty": ""]
        )
        #expect(target(input) == "https://h/?q=swift%20%26%20more&tag=b&tag=a&flag&empty=")
        #expect(target(.get("https://h/", queries: [:])) == "https://h/")
    }

    @Test("queries can also be query items, in a literal or a variable", .parity("B2"))
    func items() {
        let items = [URLQueryItem(name: "flag", value: nil), URLQueryItem(name: "page", value: "2")]
        #expect(target(.get("https://h/", queries: Queries(items))) == "https://h/?flag&page=2")
        #expect(target(.get("https://h/", queries: [items[1], items[0]])) == "https://h/?page=2&flag")
        #expect(Queries(items) == ["flag": nil, "page": "2"])
    }

    @Test("queries hide credentials in every description and dump")
    func description() {
        let queries: Queries = ["q": "a & b", "token": "hunter2", "next": "https://h/?token=hunter2", "flag": nil]
        #expect("\(queries)" == "q=a & b&token=<redacted>&next=https://h/?token=<redacted>&flag")
        #expect(String(reflecting: queries) == "\(queries)")
        var dumped = ""
        dump(queries, to: &dumped)
        #expect(!dumped.contains("hunter2"))
    }

    @Test("numbers and Boolean values are written as their descriptions, and an optional may be nil")
    func values() {
        let (page, text, none): (Int, String?, Int?) = (2, "a", nil)
        let queries: Queries = ["page": page, "size": 30, "ratio": 0.5, "all": true, "q": text, "none": none]
        #expect(target(.get("https://h/", queries: queries)) == "https://h/?page=2&size=30&ratio=0.5&all=true&q=a&none")
    }

    // MARK: - Forms

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
