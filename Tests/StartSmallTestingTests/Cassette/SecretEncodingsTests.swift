import Testing

@testable import StartSmallTesting

struct SecretEncodingsTests {
    @Test("a secret is found even if its escapes are escaped again: 72 bytes for one character")
    func twice() {
        let escaped = #"\ud83d\ude00"#.utf8.map { "\\u00" + String($0, radix: 16) }.joined()
        #expect("a\(escaped)hunter2b".without(["😀hunter2": 1]) == "a<redacted-1>b")
    }

    @Test(
        "a secret after an escape is replaced at its exact position",
        arguments: [#"\n"#, "%2F", "+", #"\u0025"#, #"\u00252F"#, #"\%"#]
    )
    func behind(_ escape: String) {
        #expect("\(escape)hunter2\(escape)".without(["hunter2": 1]) == "\(escape)<redacted-1>\(escape)")
    }
}
