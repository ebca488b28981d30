public import StartSmallCore
import StartSmallSupport
public import StartSmallFoundation

/// Dates in the formats of HTTP (RFC 9110 5.6.7), independent of the device's language, calendar and time zone.
public enum HTTPDate {
    /// Returns a date in the format for sending: `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// Fractions of a second are dropped. The format has the years 0 to 9999; a date outside of them becomes the
    /// nearest one inside.
    public static func text(_ date: Date) -> String {
        let time = CivilTime(date)
        let clock = [time.hour, time.minute, time.second].map { padded($0, 2) }.joined(separator: ":")
        let weekday = weekdays[time.weekday].prefix(3)
        return "\(weekday), \(padded(time.day, 2)) \(months[time.month - 1]) \(padded(time.year, 4)) \(clock) GMT"
    }

    /// Reads a date in any of the three formats; nil if the text is not a date.
    ///
    /// | format | example |
    /// | --- | --- |
    /// | IMF-fixdate | `Sun, 06 Nov 1994 08:49:37 GMT` |
    /// | RFC 850 | `Sunday, 06-Nov-94 08:49:37 GMT` |
    /// | asctime | `Sun Nov  6 08:49:37 1994` |
    ///
    /// A date with `UTC` or `+0000` in place of `GMT`, as some servers send it, is the same date.
    ///
    /// RFC 850 has two digits for the year: the result is the latest year with which the date is at most 50 years after
    /// `now`. The name of the weekday is not compared with the date. A leap second becomes the second after it.
    ///
    /// - Parameters:
    ///   - text: the value of a field.
    ///   - now: the current time, for the years of RFC 850.
    public static func date(_ text: String, now: Date = Date()) -> Date? {
        guard text.utf8.count <= longest else { return nil }
        var text = text
        let time = text.withUTF8 { fixdate($0) ?? rfc850($0, now: now) ?? asctime($0) }
        guard let time, time.isOnTheCalendar else { return nil }
        return time.date
    }

    /// The length of the longest date: 35 bytes of `Wednesday, 06-Nov-94 08:49:37 +0000`.
    private static let longest = 35

    private static func fixdate(_ text: UnsafeBufferPointer<UInt8>) -> CivilTime? {
        guard text.hasShortWeekday, text.has(", ", at: 3), text.has(" ", at: 7), text.has(" ", at: 11),
            text.has(" ", at: 16), text.hasZone(at: 25), let day = text.number(at: 5, digits: 2),
            let year = text.number(at: 12, digits: 4)
        else { return nil }
        return text.time(year: year, monthAt: 8, day: day, clockAt: 17)
    }

    private static func rfc850(_ text: UnsafeBufferPointer<UInt8>, now: Date) -> CivilTime? {
        guard let weekday = weekdays.first(where: { text.has($0, at: 0) }) else { return nil }
        let comma = weekday.utf8.count
        guard text.has(", ", at: comma), text.has("-", at: comma + 4), text.has("-", at: comma + 8),
            text.has(" ", at: comma + 11), text.hasZone(at: comma + 20),
            let day = text.number(at: comma + 2, digits: 2), let year = text.number(at: comma + 9, digits: 2),
            var time = text.time(year: year, monthAt: comma + 5, day: day, clockAt: comma + 12)
        else { return nil }
        var latest = CivilTime(now)
        latest.year += 50
        time.year += latest.year / 100 * 100
        if latest.date < time.date { time.year -= 100 }
        return time
    }

    /// Reads an asctime date; a day of one digit has a second space before it.
    private static func asctime(_ text: UnsafeBufferPointer<UInt8>) -> CivilTime? {
        guard text.count == 24, text.hasShortWeekday, text.has(" ", at: 3), text.has(" ", at: 7),
            text.has(" ", at: 10), text.has(" ", at: 19), let year = text.number(at: 20, digits: 4),
            let day = text.number(at: 8, digits: 2) ?? (text.has(" ", at: 8) ? text.number(at: 9, digits: 1) : nil)
        else { return nil }
        return text.time(year: year, monthAt: 4, day: day, clockAt: 11)
    }

    private static func padded(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    fileprivate static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    fileprivate static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

    /// The names of the only time zone, of which RFC 9110 5.6.7 allows the first.
    fileprivate static let zones = ["GMT", "UTC", "+0000"]
}

extension Response {
    /// The date of the last change of the returned resource (RFC 9110 8.8.2); nil if it is missing or can't be read.
    public var lastModified: Date? { headers["Last-Modified"].flatMap { HTTPDate.date($0) } }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether these bytes of ASCII are at an offset.
    fileprivate func has(_ text: some StringProtocol, at offset: Int) -> Bool {
        var index = offset
        for byte in text.utf8 {
            if index >= count || self[index] != byte { return false }
            index += 1
        }
        return true
    }

    fileprivate var hasShortWeekday: Bool { HTTPDate.weekdays.contains { has($0.prefix(3), at: 0) } }

    /// Whether the text ends with a space, at an offset, and the time zone.
    fileprivate func hasZone(at offset: Int) -> Bool {
        has(" ", at: offset)
            && HTTPDate.zones.contains { count == offset + 1 + $0.utf8.count && has($0, at: offset + 1) }
    }

    /// Returns the number of exactly `digits` ASCII digits at an offset; nil if there are other bytes.
    fileprivate func number(at offset: Int, digits: Int) -> Int? {
        guard offset + digits <= count else { return nil }
        var number = 0
        for byte in self[offset..<(offset + digits)] {
            guard byte.isASCIIDigit else { return nil }
            number = number * 10 + Int(byte & 0x0F)
        }
        return number
    }

    /// Returns the time with the month and the clock at these offsets.
    fileprivate func time(year: Int, monthAt: Int, day: Int, clockAt: Int) -> CivilTime? {
        guard let month = HTTPDate.months.firstIndex(where: { has($0, at: monthAt) }),
            let hour = number(at: clockAt, digits: 2), has(":", at: clockAt + 2),
            let minute = number(at: clockAt + 3, digits: 2), has(":", at: clockAt + 5),
            let second = number(at: clockAt + 6, digits: 2)
        else { return nil }
        return CivilTime(year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second)
    }
}
