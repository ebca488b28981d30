import Foundation
import StartSmallModels
import StartSmallTesting
import Testing

struct RFC3339Tests {
    /// Texts with the points in time that they are; the last ones are those of RFC 3339 5.8.
    private static let dates: [(String, String)] = [
        ("2026-11-28T09:30:00Z", "2026-11-28T09:30:00Z"),
        ("2026-11-28t09:30:00z", "2026-11-28T09:30:00Z"),
        ("2026-11-28 09:30:00Z", "2026-11-28T09:30:00Z"),
        ("2026-11-28T09:30:00-00:00", "2026-11-28T09:30:00Z"),
        ("2026-11-28T09:30:00.5Z", "2026-11-28T09:30:00.500Z"),
        ("2026-11-28T09:30:00.000001Z", "2026-11-28T09:30:00.000001Z"),
        ("2026-11-28T09:30:00.123456789Z", "2026-11-28T09:30:00.123457Z"),
        ("2026-11-28T09:30:00.99999999Z", "2026-11-28T09:30:01Z"),
        ("2026-11-28T23:30:00+05:45", "2026-11-28T17:45:00Z"),
        ("2026-12-31T23:30:00-23:59", "2027-01-01T23:29:00Z"),
        ("2000-01-01T00:00:00+00:01", "1999-12-31T23:59:00Z"),
        ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"),
        ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
        ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
        ("9000-11-11T11:11:11.123Z", "9000-11-11T11:11:11.123Z"),
        ("1985-04-12T23:20:50.52Z", "1985-04-12T23:20:50.520Z"),
        ("1996-12-19T16:39:57-08:00", "1996-12-20T00:39:57Z"),
        ("1990-12-31T23:59:60Z", "1991-01-01T00:00:00Z"),
        ("1990-12-31T15:59:60-08:00", "1991-01-01T00:00:00Z"),
        ("1937-01-01T12:00:27.87+00:20", "1937-01-01T11:40:27.870Z"),
    ]

    @Test("dates are read in each form, and written in one", arguments: dates)
    func read(_ text: String, _ written: String) throws {
        for decoder in ModelDecoder.allCases {
            let dates = try decoder.decode([Date].self, #"["\#(text)"]"#, dates: .rfc3339)
            #expect(try json(dates) == #"["\#(written)"]"#)
        }
    }

    @Test("a date that is cut at any byte is none", arguments: dates)
    func cut(_ text: String, _: String) {
        for count in 0..<text.utf8.count {
            #expect(Date(rfc3339: String(text.prefix(count))) == nil, "\(count)")
            #expect(Date(rfc3339: String(text.dropFirst(count + 1))) == nil, "\(count)")
        }
    }

    @Test(
        "another text is no date",
        arguments: [
            "2026-11-28", "2026-11-28T09:30Z", "2026-11-28T09:30:00", "2026-11-28T24:00:00Z", "2026-11-28T09:60:00Z",
            "2026-11-28T09:30:61Z", "2026-11-28T09:30:60Z", "2026-11-28T23:59:60+01:00", "2026-11-28T09:30:00.Z",
            "2026-11-28T09:30:00,5Z", "2026-11-28T09:30:00+0100", "2026-11-28T09:30:00+01", "2026-11-28T09:30:00+24:00",
            "2026-11-28T09:30:00+01:60", "2026-11-28T09:30:00 Z", "2026-11-28_09:30:00Z", "2026-02-30T09:30:00Z",
            "2026-11-28T09:30:00Zz", "2026-11-28T-9:30:00Z", "2026-11-28T09:30:00.5", "1764322200",
        ]
    )
    func malformed(_ text: String) {
        #expect(Date(rfc3339: text) == nil)
        for decoder in ModelDecoder.allCases {
            #expect(path { try decoder.decode([Date].self, #"["\#(text)"]"#, dates: .rfc3339) } == ["0"])
        }
    }

    @Test("a date to the microsecond is read as it is written")
    func roundTrip() throws {
        var random = SplitMix64(seed: 3)
        for _ in 0..<2_000 {
            // From 1906 to 2096: outside, a `Date` has not all microseconds.
            let microseconds = Int64.random(in: -3_000_000_000_000_000..<3_000_000_000_000_000, using: &random)
            let text = try #require(Date(timeIntervalSinceReferenceDate: Double(microseconds) / 1e6).rfc3339)
            #expect(Date(rfc3339: text)?.rfc3339 == text)
        }
    }

    @Test(
        "the last moment of the year 9999 stays in it",
        arguments: ["9999-12-31T23:59:59.9999999Z", "9999-12-31T23:59:59.999999Z"]
    )
    func lastMoment(_ text: String) throws {
        let date = try #require(Date(rfc3339: text))
        #expect(date.rfc3339?.hasPrefix("9999-12-31T23:59:59.99") == true)
    }

    @Test(
        "a date whose offset leads out of the years 0 to 9999 is read, and can't be written",
        arguments: ["0000-01-01T00:00:00+01:00", "9999-12-31T23:30:00-01:00"]
    )
    func beyond(_ text: String) throws {
        #expect(try #require(Date(rfc3339: text)).rfc3339 == nil)
    }

    @Test("a date that can't be written is an error with its path", arguments: [1e12, -1e12, .infinity, .nan])
    func unwritable(_ seconds: Double) {
        #expect(path { try json(["a": [Date(timeIntervalSinceReferenceDate: seconds)]]) } == ["a", "0"])
    }
}
