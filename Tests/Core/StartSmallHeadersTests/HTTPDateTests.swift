import Foundation
import StartSmall
import TestSupport
import Testing

struct HTTPDateTests {
    /// The date of all examples of RFC 9110 5.6.7.
    private static let example = Date(timeIntervalSince1970: 784_111_777)

    @Test(
        "each of the three forms is parsed, also with UTC or +0000 in place of GMT, and the longest name of a day",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
            "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 +0000", "Sunday, 06-Nov-94 08:49:37 UTC",
            "Sunday, 06-Nov-94 08:49:37 +0000", "Wednesday, 06-Nov-94 08:49:37 +0000",
        ]
    )
    func forms(_ text: String) {
        #expect(HTTPDate.date(text) == Self.example)
    }

    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        calendar.locale = Locale(identifier: "en_US_POSIX")
        return calendar
    }()

    @Test(
        "the first day of every month and the day before it agree with Foundation's calendar",
        arguments: stride(from: 1600, through: 2400, by: isExhaustive ? 1 : 10).map(\.self)
    )
    func everyMonth(_ year: Int) throws {
        for (index, name) in ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
            .enumerated()
        {
            let first = try #require(Self.calendar.date(from: DateComponents(year: year, month: index + 1, hour: 13)))
            let before = first.addingTimeInterval(-86_400)
            let day = Self.calendar.shortWeekdaySymbols[Self.calendar.component(.weekday, from: first) - 1]
            #expect(HTTPDate.text(first) == "\(day), 01 \(name) \(year) 13:00:00 GMT")
            #expect(HTTPDate.text(before).contains(", \(Self.calendar.component(.day, from: before)) "))
            for date in [first, before] { #expect(HTTPDate.date(HTTPDate.text(date)) == date) }
        }
    }

    @Test(
        "a date is written up to the limits of the form, and clamped beyond",
        arguments: [
            (-62_167_219_200, "Sat, 01 Jan 0000 00:00:00 GMT"), (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
            (-.infinity, "Sat, 01 Jan 0000 00:00:00 GMT"), (1e300, "Fri, 31 Dec 9999 23:59:59 GMT"),
            (-0.5, "Wed, 31 Dec 1969 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        ] as [(Double, String)]
    )
    func ends(_ seconds: Double, _ text: String) {
        #expect(HTTPDate.text(Date(timeIntervalSince1970: seconds)) == text)
        #expect(HTTPDate.text(Date(timeIntervalSince1970: .nan)).hasSuffix(" GMT"))
    }

    @Test(
        "a two-digit year is the latest one that is not more than 50 years ahead",
        arguments: [
            ("06-Nov-94", 2026, "1994"), ("06-Nov-26", 2026, "2026"), ("21-Nov-76", 2026, "2076"),
            ("22-Nov-76", 2026, "1976"), ("06-Nov-77", 2026, "1977"), ("06-Nov-25", 2026, "2025"),
            ("06-Nov-01", 1999, "2001"), ("06-Nov-49", 1999, "2049"), ("06-Nov-50", 1999, "1950"),
            ("06-Nov-00", 2050, "2100"), ("06-Nov-99", 2050, "2099"),
        ]
    )
    func twoDigits(_ day: String, _ year: Int, _ expected: String) throws {
        let now = try #require(HTTPDate.date("Sat, 21 Nov \(year) 08:49:37 GMT"))
        let date = try #require(HTTPDate.date("Sunday, \(day) 08:49:37 GMT", now: now))
        #expect(HTTPDate.text(date).contains(" \(expected) "))
    }

    @Test(
        "29 February is valid only in leap years, and a leap second is the second after it",
        arguments: [1900, 2000, 2023, 2024, 2100]
    )
    func leapDay(_ year: Int) {
        #expect((HTTPDate.date("Tue, 29 Feb \(year) 00:00:00 GMT") != nil) == [2000, 2024].contains(year))
        let second = HTTPDate.date("Sat, 31 Dec \(year) 23:59:60 GMT")
        #expect(second == HTTPDate.date("Sun, 01 Jan \(year + 1) 00:00:00 GMT"))
    }

    @Test(
        "an invalid date is nil",
        arguments: [
            "", " ", "0", "tomorrow", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
            "Sun, 06 Nov 1994 08:49:37 utc", "Sun, 06 Nov 1994 08:49:37 UT", "Sun, 06 Nov 1994 08:49:37 Z",
            "Sun, 06 Nov 1994 08:49:37 +00:00", "Sun, 06 Nov 1994 08:49:37 -0000", "Sun, 06 Nov 1994 08:49:37 +0100",
            "Sun, 06 Nov 1994 08:49:37 +00000", "Sun, 06 Nov 1994 08:49:37+0000", "Sun, 06 Nov 1994 08:49:37  UTC",
            "Sun Nov  6 08:49:37 UTC 1994", "Sunday, 06-Nov-94 08:49:37 CET",
            "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
            "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 06 Nix 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
            "Sun, 06 Nov 1994 :8:49:37 GMT", "Sun, 06 Nov 1994 08:49:3: GMT", "Sun, 06 Nov 1994 08:49:37 GMT ",
            "Sun, 06 Nov 1994 ٠٨:٤٩:٣٧ GMT", "Sun, 06 Nov 19940 08:49:37 GMT", "Sun Nov 6 08:49:37 1994",
            "Sun Nov 06  08:49:37 1994", "Sun, 06-Nov-1994 08:49:37 GMT", "Sonntag, 06-Nov-94 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 GMT\r\n", "1994-11-06T08:49:37Z", String(repeating: "9", count: 100_000),
        ]
    )
    func noDate(_ text: String) {
        #expect(HTTPDate.date(text) == nil)
    }
}
