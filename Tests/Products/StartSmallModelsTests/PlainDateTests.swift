import Foundation
import TestSupport
import Testing

@testable import StartSmallModels

struct PlainDateTests {
    @Test("the days of the years 0 to 9999 follow one another, without a gap")
    func days() throws {
        var last = try #require(PlainDate(year: 0, month: 1, day: 1))
        #expect(last.days == 0)
        // A prime, so that all days of a month and all kinds of years occur; all days in `make exhaustive`.
        for day in stride(from: 1, to: 3_652_425, by: isExhaustive ? 1 : 13) {
            let date = try #require(PlainDate(days: day))
            guard last < date, date.days == day else { return #expect(Bool(false), "\(date)") }
            last = date
        }
        #expect(PlainDate(days: 3_652_424)?.description == "9999-12-31")
        #expect(PlainDate(days: 3_652_425) == nil && PlainDate(days: -1) == nil && PlainDate(days: .max) == nil)
    }

    @Test("the dates are those of Foundation's calendar")
    func calendar() {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = .gmt
        for seconds in stride(from: -1.2e10, to: 2.5e11, by: 86_400 * 1_001.37) {
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            let parts = calendar.dateComponents([.year, .month, .day], from: date)
            #expect(PlainDate(of: date, in: .gmt)?.dateComponents == parts, "\(date)")
        }
    }

    @Test("a point in time falls on different dates")
    func zones() throws {
        let date = try #require(Date(rfc3339: "2026-11-28T23:30:00Z"))
        let east = try #require(TimeZone(secondsFromGMT: 3600))
        #expect(PlainDate(of: date, in: .gmt)?.description == "2026-11-28")
        #expect(PlainDate(of: date, in: east)?.description == "2026-11-29")
    }

    @Test(
        "no point in time outside of the years 0 to 9999 has a date",
        arguments: [1e12, -1e12, 1e300, .infinity, .nan]
    )
    func outside(_ seconds: Double) {
        #expect(PlainDate(of: Date(timeIntervalSinceReferenceDate: seconds), in: .gmt) == nil)
        #expect(Date(timeIntervalSinceReferenceDate: seconds).rfc3339 == nil)
    }

    @Test(
        "another text is no date",
        arguments: [
            "", "2026-11-2", "2026-11-281", "2026-11-28 ", " 2026-11-28", "2026-1-28", "26-11-28",
            "2026-11-28T00:00:00Z",
            "2026/11/28", "20261128", "2026-00-28", "2026-13-28", "2026-11-00", "2026-11-31", "2026-02-29",
            "1900-02-29",
            "-026-11-28", "+026-11-28", "２０２６-11-28", "2026-11-2８",
        ]
    )
    func malformed(_ text: String) throws {
        #expect(PlainDate(text) == nil)
        for decoder in ModelDecoder.allCases {
            #expect(path { try decoder.decode([String: [PlainDate]].self, #"{"a":["\#(text)"]}"#) } == ["a", "0"])
        }
    }

    @Test("a date is written as it is read", arguments: ["0000-01-01", "2024-02-29", "2000-02-29", "9999-12-31"])
    func text(_ text: String) throws {
        for decoder in ModelDecoder.allCases {
            let dates = try decoder.decode([PlainDate].self, #"["\#(text)"]"#)
            #expect(try json(dates) == #"["\#(text)"]"#)
            #expect(try query(["a": dates[0]]) == ["a=\(text)"])
            let byDate = try decoder.decode([PlainDate: Int].self, #"{"\#(text)":1}"#)
            #expect(try json(byDate) == #"{"\#(text)":1}"#)
        }
    }
}
