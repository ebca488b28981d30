import Foundation
import StartSmall
import TestSupport
import Testing

struct ETagTests {
    @Test(
        "a tag is parsed, and written unchanged",
        arguments: [
            (#""abc""#, "abc", false), (#"W/"abc""#, "abc", true), (#""""#, "", false), (#"W/"""#, "", true),
            (#""a\b""#, #"a\b"#, false), (#""a,b""#, "a,b", false), ("\"é日\"", "é日", false), (#""W/""#, "W/", false),
        ]
    )
    func read(_ text: String, _ opaque: String, _ isWeak: Bool) {
        let tag = ETag(text)
        #expect(tag?.opaque == opaque)
        #expect(tag?.isWeak == isWeak)
        #expect(tag?.description == text)
        #expect(ETag(opaque: opaque, isWeak: isWeak) == tag)
        #expect(ETag(" \t\(text) ") == tag)
    }

    @Test(
        "a literal is a tag as in a field, or the text between its quotes",
        arguments: [
            ("abc", "\"abc\""), ("\"abc\"", "\"abc\""), ("W/\"abc\"", "W/\"abc\""), ("W/abc", "\"W/abc\""),
            ("a b", "\"a%20b\""), ("a\"b", "\"a%22b\""), ("a\r\nb", "\"a%0D%0Ab\""), ("", "\"\""), ("日", "\"日\""),
        ] as [(ETag, String)]
    )
    func literal(_ tag: ETag, _ text: String) {
        #expect(tag.description == text)
        #expect(ETag(text) == tag)
    }

    @Test(
        "an invalid tag is nil",
        arguments: [
            "", " ", "abc", "\"", "\"abc", "abc\"", "'abc'", "w/\"abc\"", "W\"abc\"", "W/abc", "W/ \"abc\"", "W/", "W",
            "\"a b\"", "\"a\"b\"", "\"a\" b", "\"a\", \"b\"", "\"a\u{0}\"", "\"a\u{7F}\"", "\"a\r\n\"", "*",
        ]
    )
    func none(_ text: String) {
        #expect(ETag(text) == nil)
    }

    @Test("a text not allowed between quotes makes no tag", arguments: ["a\"", "a b", "\t", "\n", "\u{7F}"])
    func illegal(_ opaque: String) {
        #expect(ETag(opaque: opaque) == nil)
    }

    @Test(
        "tags are compared as in the table of RFC 9110 8.8.3.2",
        arguments: [
            (#"W/"1""#, #"W/"1""#, false, true), (#"W/"1""#, #"W/"2""#, false, false),
            (#"W/"1""#, #""1""#, false, true), (#""1""#, #""1""#, true, true),
        ]
    )
    func comparison(_ first: String, _ second: String, _ isStrong: Bool, _ isWeak: Bool) throws {
        let (first, second) = (try #require(ETag(first)), try #require(ETag(second)))
        #expect(first.isStronglyEqual(to: second) == isStrong)
        #expect(second.isStronglyEqual(to: first) == isStrong)
        #expect(first.isWeaklyEqual(to: second) == isWeak)
        #expect(second.isWeaklyEqual(to: first) == isWeak)
    }

    @Test("tags are compared byte by byte, even if their letters look alike")
    func bytes() {
        let (composed, apart): (ETag, ETag) = ("\"\u{E9}\"", "\"e\u{301}\"")
        #expect(!composed.isStronglyEqual(to: apart))
        #expect(!composed.isWeaklyEqual(to: apart))
        #expect(composed != apart)
        #expect(Set([composed, apart]).count == 2)
    }

    @Test(
        "a field without a tag in quotes has no tag, and adds no condition",
        arguments: [
            "abc", "\"abc", "abc\"", "'abc'", "w/\"abc\"", "W/abc", "a b", "5f3a-1==", "\"a b\"", "\"a\"b\"", "W", "",
            " ", "*", " * ", "a,b", ",", "\"a\", \"b\"", "a\u{0}", "a\u{7F}", "a\r\nb",
        ]
    )
    func noTag(_ text: String) throws {
        let tag = HTTPHeaders([.init(name: "ETag", value: text)]).etag
        #expect(tag == nil)
        let request = try #require(Either<ConnectionError, Input>.right(Fixture.input).ifNoneMatch(tag).right)
        #expect(request.headers["If-None-Match"] == nil)
        let stored = try JSONEncoder().encode([text])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([ETag].self, from: stored) }
    }
}
