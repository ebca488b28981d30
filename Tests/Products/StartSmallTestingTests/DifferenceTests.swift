import Foundation
import StartSmall
import StartSmallTesting
import Testing

@Suite struct DifferenceTests {
    private static let json = Either.text("{\n\"a\": 1,\n\"b\": 2\n}", mediaType: .json).right

    @Test(
        "each difference is one line",
        arguments: [
            (Sample.input("https://a/b"), Sample.input("https://a/c"), "path: /b → /c"),
            (Sample.input("https://a/"), Sample.input("http://a/"), "server: https://a → http://a"),
            (Sample.input("https://a/"), Sample.input("https://a/", .delete(payload: nil)), "method: GET → DELETE"),
            (Sample.input("https://a/?b=1&b=1"), Sample.input("https://a/?b=1"), "query: − b=1"),
            (
                Sample.input("https://a/", headers: ["A": "1", "B": "2"]),
                Sample.input("https://a/", headers: ["a": "1", "C": "3"]), "header: − b: 2\nheader: + c: 3"
            ),
            (
                Sample.input("https://a/", .post(payload: nil)), Sample.input("https://a/", .post(payload: json)),
                "media type: none → application/json\npayload, line 1: nothing → \"{\""
            ),
            (
                Sample.input("https://a/", .post(payload: json)),
                Sample.input("https://a/", .post(payload: Either.text("{\n\"a\": 7\n}", mediaType: .json).right)),
                "payload, line 2: \"\"a\": 1,\" → \"\"a\": 7\""
            ),
            (
                Sample.input("https://a/", .put(payload: Either.data(Data([0xFF])).right)),
                Sample.input("https://a/", .put(payload: Either.data(Data([0xFE, 0])).right)),
                "payload: 1 bytes of application/octet-stream → 2 bytes of application/octet-stream"
            ),
        ]
    )
    func lines(expected: Input, actual: Input, text: String) {
        #expect(difference(between: expected, and: actual) == text)
    }

    @Test("the order of query items is ignored, and so is whether they are in the URL or in the queries")
    func same() {
        var other = Sample.input("https://a/?y=2")
        other.queries = [URLQueryItem(name: "x", value: "1")]
        #expect(difference(between: Sample.input("https://a?x=1&y=2"), and: other) == nil)
    }

    @Test("credentials are hidden, but their difference is reported")
    func credentials() throws {
        let left = Sample.input(
            "https://a/?token=first-one",
            .post(payload: Either.text(#"{"password": "left-one"}"#).right),
            headers: ["Authorization": "Bearer left-two"]
        )
        let right = Sample.input(
            "https://a/?token=second-one",
            .post(payload: Either.text(#"{"password": "right-one"}"#).right),
            headers: ["Authorization": "Bearer right-two"]
        )
        let text = try #require(difference(between: left, and: right))
        for secret in ["first-one", "second-one", "left-one", "right-one", "left-two", "right-two"] {
            #expect(!text.contains(secret))
        }
        #expect(text.contains("query: − token=<redacted>\nquery: + token=<redacted>"))
        #expect(text.contains("header: − authorization: <redacted>\nheader: + authorization: <redacted>"))
        #expect(text.contains("payload: different in a hidden part"))
    }

    @Test("a form whose type is in the header alone is redacted as a form")
    func formByHeader() throws {
        let inputs = ["first-one", "second-one"].map { secret in
            Sample.input(
                "https://a/",
                .post(payload: Either.data(Data("password=\(secret)&a=\(secret.count)".utf8)).right),
                headers: ["Content-Type": MediaType.form.rawValue]
            )
        }
        #expect(
            try #require(difference(between: inputs[0], and: inputs[1]))
                == #"payload, line 1: "password=<redacted>&a=9" → "password=<redacted>&a=10""#
        )
    }
}
