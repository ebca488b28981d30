import Foundation
import StartSmall
import Testing

struct ConditionsTests {
    private let tag = ETag(opaque: "a", isWeak: true)!
    private let date = Date(timeIntervalSince1970: 784_111_777)
    private let get = Either<ConnectionError, Input>.get("https://api.example.com/user")

    @Test("each condition is a separate field")
    func fields() {
        let all = get.ifNoneMatch(tag).ifMatch(tag).ifModifiedSince(date).ifUnmodifiedSince(date)
        #expect(
            all.right?.headers == [
                "If-None-Match": "W/\"a\"", "If-Match": "W/\"a\"", "If-Modified-Since": "Sun, 06 Nov 1994 08:49:37 GMT",
                "If-Unmodified-Since": "Sun, 06 Nov 1994 08:49:37 GMT",
            ]
        )
    }

    @Test("a condition is any version, or one of several")
    func conditions() throws {
        let tags = try ["a", "b"].map { try #require(ETag(opaque: $0)) }
        #expect(get.ifNoneMatch(.any).right?.headers["If-None-Match"] == "*")
        #expect(get.ifMatch(.any).right?.headers["If-Match"] == "*")
        #expect(get.ifNoneMatch(.oneOf(tags)).right?.headers["If-None-Match"] == "\"a\", \"b\"")
        #expect(get.ifMatch(.oneOf(tags)).right?.headers["If-Match"] == "\"a\", \"b\"")
    }

    @Test("a condition that is nil or has no version changes nothing, and an error stays")
    func noVersions() {
        let unbuilt = Either<ConnectionError, Input>.left(.malformedURL(debugInfo: "no"))
        #expect(unbuilt.ifNoneMatch(tag).ifMatch(tag).ifModifiedSince(date).ifUnmodifiedSince(date) == unbuilt)
        #expect(get.ifNoneMatch(nil).ifModifiedSince(nil) == get)
        #expect(get.ifNoneMatch(.oneOf([])) == get)
        #expect(get.ifNoneMatch(tag).ifNoneMatch(.oneOf([])) == get.ifNoneMatch(tag))
    }

    @Test("a change with ifMatch of no version is refused, and never sent without a condition")
    func noVersionToMatch() {
        let put = Either<ConnectionError, Input>.put("https://api.example.com/user", payload: .text("a"))
        for unconditional in [put.ifMatch(.oneOf([])), put.ifMatch(nil)] {
            #expect(unconditional.right.map(ValidatedRequest.from)?.left?.name == "malformedHeader")
        }
        #expect(put.ifMatch(tag).right.map(ValidatedRequest.from)?.right != nil)
    }
}
