public import Foundation

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
        guard let time = fixdate(text) ?? obsolete(text, now: now) else { return nil }
        return time.isOnTheCalendar ? time.date : nil
    }

    private static func obsolete(_ text: String, now: Date) -> CivilTime? {
        let words = text.split(separator: " ", maxSplits: 6, omittingEmptySubsequences: false)
        return rfc850(words, now: now) ?? asctime(words)
    }

    /// The length of the longest date: 35 bytes of `Wednesday, 06-Nov-94 08:49:37 +0000`.
    private static let longest = 35

    /// The names of the only time zone, of which RFC 9110 5.6.7 allows the first.
    private static let zones = ["GMT", "UTC", "+0000"]

    /// Reads an IMF-fixdate byte by byte: most responses have one, and a cache reads it for each of them.
    private static func fixdate(_ text: String) -> CivilTime? {
        var text = text
        return text.withUTF8 { bytes in
            // `Sun, 06 Nov 1994 08:49:37 GMT`.
            guard zones.contains(where: { bytes.count == 26 + $0.utf8.count && bytes.has($0[...], at: 26) }),
                bytes.has(", ", at: 3),
                weekdays.contains(where: { bytes.has($0.prefix(3), at: 0) }),
                let day = bytes.number(at: 5, digits: 2), bytes.has(" ", at: 7),
                let month = months.firstIndex(where: { bytes.has($0[...], at: 8) }), bytes.has(" ", at: 11),
                let year = bytes.number(at: 12, digits: 4), bytes.has(" ", at: 16),
                let hour = bytes.number(at: 17, digits: 2), bytes.has(":", at: 19),
                let minute = bytes.number(at: 20, digits: 2), bytes.has(":", at: 22),
                let second = bytes.number(at: 23, digits: 2), bytes.has(" ", at: 25)
            else { return nil }
            return CivilTime(year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second)
        }
    }

    private static func rfc850(_ words: [Substring], now: Date) -> CivilTime? {
        guard words.count == 4, weekdays.contains(where: { words[0] == "\($0)," }),
            zones.contains(where: { words[3] == $0 })
        else { return nil }
        let date = words[1].split(separator: "-", omittingEmptySubsequences: false)
        guard date.count == 3, let day = number(date[0], digits: 2), let year = number(date[2], digits: 2),
            var time = CivilTime(year: year, month: date[1], day: day, clock: words[2])
        else { return nil }
        var latest = CivilTime(now)
        latest.year += 50
        time.year += latest.year / 100 * 100
        if latest.date < time.date { time.year -= 100 }
        return time
    }

    /// Reads an asctime date; a day of one digit has a second space before it.
    private static func asctime(_ words: [Substring]) -> CivilTime? {
        let hasShortDay = words.count == 6 && words[2].isEmpty
        guard words.count == 5 || hasShortDay, weekdays.contains(where: { words[0] == $0.prefix(3) }),
            let day = number(words[words.count - 3], digits: hasShortDay ? 1 : 2),
            let year = number(words[words.count - 1], digits: 4)
        else { return nil }
        return CivilTime(year: year, month: words[1], day: day, clock: words[words.count - 2])
    }

    /// Reads a number of exactly `digits` ASCII digits.
    fileprivate static func number(_ text: Substring, digits: Int) -> Int? {
        guard text.utf8.count == digits, text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
        return Int(text)
    }

    private static func padded(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    fileprivate static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
}

extension CivilTime {
    /// Creates a time from the words of a date; nil if the month is not a known name, or the clock is malformed.
    fileprivate init?(year: Int, month: Substring, day: Int, clock: Substring) {
        let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
            .compactMap { HTTPDate.number($0, digits: 2) }
        guard clock.utf8.count == 8, parts.count == 3,
            let month = HTTPDate.months.firstIndex(where: { month == $0 })
        else { return nil }
        self.init(year: year, month: month + 1, day: day, hour: parts[0], minute: parts[1], second: parts[2])
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether these bytes of ASCII are at an offset; there are enough bytes after it.
    fileprivate func has(_ text: Substring, at offset: Int) -> Bool {
        var index = offset
        for byte in text.utf8 {
            if self[index] != byte { return false }
            index += 1
        }
        return true
    }

    /// Returns the number of exactly `digits` ASCII digits at an offset; nil if there are other bytes.
    fileprivate func number(at offset: Int, digits: Int) -> Int? {
        var number = 0
        for byte in self[offset..<(offset + digits)] {
            guard byte.isASCIIDigit else { return nil }
            number = number * 10 + Int(byte & 0x0F)
        }
        return number
    }
}
