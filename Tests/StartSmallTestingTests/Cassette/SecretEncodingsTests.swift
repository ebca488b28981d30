import Testing

@testable import StartSmallTesting

struct SecretEncodingsTests {
    @Test("a secret is found where its escapes are escaped themselves: 72 bytes for one character")
    func twice() {
        let escaped = #"\ud83d\ude00"#.utf8.map { "\\u00" + String($0, radix: 16) }.joined()
        #expect("a\(escaped)hunter2b".without(["😀hunter2": 1]) == "a<redacted-1>b")
    }

    @Test(
        "what is behind an escape is found at its place",
        arguments: [#"\n"#, "%2F", "+", #"\u0025"#, #"\u00252F"#, #"\%"#]
    )
    func behind(_ escape: String) {
        #expect("\(escape)hunter2\(escape)".without(["hunter2": 1]) == "\(escape)<redacted-1>\(escape)")
    }
}
