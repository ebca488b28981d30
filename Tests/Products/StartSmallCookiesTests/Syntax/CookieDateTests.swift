import Foundation
import StartSmall
@testable import StartSmallCookies
import StartSmallTesting
import Testing

struct CookieDateTests {
    private static func date(_ text: String) -> String? {
        CookieDate.date(Array(text.utf8)[...]).map(HTTPDate.text)
    }

    private static let sixth = "Sun, 06 Nov 1994 08:49:37 GMT"

    @Test(
        "RFC 6265bis 5.1.1: a date is found in any order of tokens, with any delimiters",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
            "08:49:37 6 nov 1994", "1994 is no day, 06 NOV 1994 08:49:37", "\t06;Nov/1994?8:49:37",
            "6 November 1994 08:49:37", "6th Nov 1994z 08:49:37.999 PST", "Mon, 06 Nov 94 08:49:37 +0900",
            "6 Nov 1994 8:49:37", "6 Nov 1994 08:49:37x9", "06 Nov 1994 08:49:37 07 Dec 1995 09:50:38",
        ]
    )
    func found(_ text: String) {
        #expect(Self.date(text) == Self.sixth)
    }

    @Test(
        "RFC 6265bis 5.1.1: two-digit years, steps 3 and 4",
        arguments: zip(["69", "70", "99", "00", "94", "0070"], [2069, 1970, 1999, 2000, 1994, 1970])
    )
    func years(_ year: String, _ expected: Int) {
        #expect(Self.date("06 Nov \(year) 08:49:37")?.contains(" Nov \(expected) ") == true)
    }

    @Test(
        "RFC 6265bis 5.1.1: step 5 and 6, a part that is missing or does not exist",
        arguments: [
            "", "   ", "Nov 1994 08:49:37", "06 1994 08:49:37", "06 Nov 08:49:37", "06 Nov 1994",
            "00 Nov 1994 08:49:37",
            "32 Dec 1994 08:49:37", "31 Nov 1994 08:49:37", "29 Feb 2023 08:49:37", "29 Feb 2100 08:49:37",
            "06 Nov 1600 08:49:37", "06 Nov 100 08:49:37", "06 Nov 19941 08:49:37", "006 Nov 1994 08:49:37",
            "06 Nov 1994 24:00:00", "06 Nov 1994 08:60:00", "06 Nov 1994 08:49:60", "06 Nov 1994 008:49:37",
            "06 Nov 1994 08:49:377", "06 Nov 1994 08:49x:37", "06 Nov 1994 08:49", "06 Nov 1994 :49:37",
            "06 Növ 1994 08:49:37", "06 Nov -1 08:49:37",
        ]
    )
    func missing(_ text: String) {
        #expect(Self.date(text) == nil)
    }

    @Test(
        "RFC 6265bis 5.1.1: the earliest and latest dates, and leap days",
        arguments: [
            "Mon, 01 Jan 1601 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT", "Tue, 29 Feb 2000 23:59:59 GMT",
            "Thu, 29 Feb 2024 00:00:00 GMT", "Thu, 01 Jan 1970 00:00:00 GMT", "Wed, 31 Dec 1969 23:59:59 GMT",
        ]
    )
    func bounds(_ text: String) {
        #expect(Self.date(text) == text)
    }

    @Test("law: every date that HTTP writes is read unchanged, from 1601 to 9999")
    func written() {
        var random = SplitMix64(seed: 1)
        for _ in 0..<500 {
            let seconds = Double(Int.random(in: -11_644_473_600...253_402_300_799, using: &random))
            let date = Date(timeIntervalSince1970: seconds)
            #expect(CookieDate.date(Array(HTTPDate.text(date).utf8)[...]) == date)
        }
    }
}
