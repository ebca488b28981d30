public import StartSmallFoundation

/// A date without a time and a time zone, such as a birthday: `2026-11-28` (RFC 3339 5.6, `full-date`).
///
/// A `Date` is a point in time: a birthday that is read as one moves by a day in some time zones.
public struct PlainDate: Hashable, Sendable {
    /// The year, 0 to 9999, the month, 1 to 12, and the day of the month, from 1 on.
    public let year, month, day: Int

    /// Creates a date of the Gregorian calendar; nil if there is no such day, or the year has more than four digits.
    public init?(year: Int, month: Int, day: Int) {
        guard 0...9999 ~= year, 1...12 ~= month, 1...Self.days(of: month, in: year) ~= day else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Creates the date on which a point in time falls; nil outside of the years 0 to 9999.
    ///
    /// - Parameters:
    ///   - date: the point in time.
    ///   - timeZone: the time zone of the place where it falls on that date.
    public init?(of date: Date, in timeZone: TimeZone) {
        let seconds = date.timeIntervalSinceReferenceDate + Double(timeZone.secondsFromGMT(for: date))
        // Each number of days that is too large for an `Int` is no date either.
        guard let days = Int(exactly: (seconds / 86_400).rounded(.down) + Double(Self.daysTo2001)) else { return nil }
        self.init(days: days)
    }

    /// The year, the month and the day, for calculations with a `Calendar`.
    public var dateComponents: DateComponents { DateComponents(year: year, month: month, day: day) }

    private static func days(of month: Int, in year: Int) -> Int {
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeapYear ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }
}

extension PlainDate {
    /// The days from 0000-01-01 to 2001-01-01, from where a `Date` counts.
    static let daysTo2001 = 730_851

    /// The days of 400 years, after which the calendar repeats.
    private static let daysOfCycle = 146_097

    // Below, a year begins with March, so that a leap day is the last day of a year, and the first cycle is the one
    // before the year 0, so that no number is negative.
    private static let daysToMarch = daysOfCycle - 60

    /// The days since 0000-01-01.
    var days: Int {
        let (year, month) = month > 2 ? (year + 400, month - 3) : (year + 399, month + 9)
        return year * 365 + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1 - Self.daysToMarch
    }

    init?(days: Int) {
        guard 0..<10_000 * 366 ~= days else { return nil }
        let (cycle, day) = (days + Self.daysToMarch).quotientAndRemainder(dividingBy: Self.daysOfCycle)
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (year * 365 + year / 4 - year / 100)
        let month = (dayOfYear * 5 + 2) / 153
        self.init(
            year: year + cycle * 400 - (month < 10 ? 400 : 399),
            month: month < 10 ? month + 3 : month - 9,
            day: dayOfYear - (153 * month + 2) / 5 + 1
        )
    }
}

// A date is coded as its raw value, also as the key of a dictionary.
extension PlainDate: Comparable, LosslessStringConvertible, RawRepresentable, Codable, CodingKeyRepresentable {
    /// Creates a date of a text of the form `2026-11-28`; nil if it has another form, or there is no such day.
    public init?(_ description: String) {
        var text = RFC3339Text(description)
        guard let date = text.date(), text.isAtEnd else { return nil }
        self = date
    }

    /// Creates a date of a text of the form `2026-11-28`.
    public init?(rawValue: String) { self.init(rawValue) }

    /// The date in the form `2026-11-28`.
    public var description: String { "\(year.digits(4))-\(month.digits(2))-\(day.digits(2))" }

    /// The date in the form `2026-11-28`.
    public var rawValue: String { description }

    /// Returns whether a date is before another one.
    public static func < (one: PlainDate, other: PlainDate) -> Bool { one.days < other.days }
}
