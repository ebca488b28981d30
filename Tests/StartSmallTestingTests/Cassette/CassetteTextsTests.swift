import Foundation
import StartSmall
import Testing

@testable import StartSmallTesting

@Suite struct CassetteTextsTests {
    @Test("times are parsed as Foundation does, at the beginnings and ends of months, of leap years too")
    func dates() throws {
        let style = Date.ISO8601FormatStyle()
        for year in [1969, 1970, 1999, 2000, 2001, 2004, 2099, 2100, 2101, 2400, 9999] {
            for month in 1...12 {
                for day in [1, 2, 27, 28, 29] where month != 2 || day < 29 {
                    let clock = ["00:00:00", "23:59:59", "12:34:56"][day % 3]
                    let text = String(format: "%04d-%02d-%02dT\(clock)Z", year, month, day)
                    #expect(try Date(cassette: text) == style.parse(text), "\(text)")
                }
            }
        }
    }

    @Test(
        "malformed times are rejected",
        arguments: ["", "2001-13-03T04:05:06Z", "2001-00-03T04:05:06Z", "today", "2001-02-03"]
    )
    func noDate(text: String) {
        #expect(Date(cassette: text) == nil)
    }

    @Test("a field's name ends at a colon, even if the colon has a combining accent")
    func accent() throws {
        let headers = try HTTPHeaders(lines: ["X-Name:\u{301}a"])
        #expect(headers.fields.map(\.name) == ["X-Name"])
        #expect(headers["X-Name"].map { Array($0.utf8) } == Array("\u{301}a".utf8))
    }

    @Test("a placeholder is recognized even with a combining accent after it")
    func placeholder() {
        let legal = "a=<redacted>\u{301}".encodingPlaceholder
        #expect(Array(legal.utf8) == Array("a=%3Credacted%3E\u{301}".utf8))
        #expect(Array(legal.showingPlaceholder.utf8) == Array("a=<redacted>\u{301}".utf8))
    }
}
