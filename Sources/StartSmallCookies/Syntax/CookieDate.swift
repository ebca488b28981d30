import Foundation

/// Reads the dates of `Expires` (RFC 6265bis 5.1.1), which accepts nearly anything that contains a date.
///
/// Only English names of months, only UTC; names of weekdays and time zones are skipped.
struct CookieDate {
    private var time: (hour: Int, minute: Int, second: Int)?
    private var day: Int?
    private var month: Int?
    private var year: Int?

    /// Returns the date; nil if the bytes contain none, or one that does not exist.
    static func date(_ bytes: ArraySlice<UInt8>) -> Date? {
        var date = CookieDate()
        for token in bytes.split(whereSeparator: isDelimiter) { date.take(token) }
        return date.value
    }

    /// The parts of a date, each of which the first matching token sets (step 2).
    private mutating func take(_ token: ArraySlice<UInt8>) {
        if time == nil, let found = Self.time(token) {
            time = found
        } else if day == nil, let found = Self.number(token, digits: 1...2) {
            day = found
        } else if month == nil, let found = Self.month(token) {
            month = found
        } else if year == nil, let found = Self.number(token, digits: 2...4) {
            year = found
        }
    }

    /// The date of the parts (steps 3 to 6).
    private var value: Date? {
        guard let time, let day, let month, var year else { return nil }
        switch year {
        case 70...99: year += 1900
        case 0...69: year += 2000
        default: break
        }
        guard year >= 1601, (1...Self.length(ofMonth: month, year: year)).contains(day), time.hour <= 23,
            time.minute <= 59, time.second <= 59
        else { return nil }
        let seconds = time.hour * 3_600 + time.minute * 60 + time.second
        return Date(timeIntervalSince1970: Double(Self.days(year, month, day)) * 86_400 + Double(seconds))
    }

    /// Returns whether a byte is between two tokens (step 1, `delimiter`).
    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    /// Reads `hms-time [ non-digit *OCTET ]`.
    private static func time(_ token: ArraySlice<UInt8>) -> (Int, Int, Int)? {
        // Most tokens are no times, and begin like none.
        guard token.first.map(CookieBytes.isDigit) == true else { return nil }
        let fields = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3, let hour = number(fields[0], digits: 1...2, isWhole: true),
            let minute = number(fields[1], digits: 1...2, isWhole: true), let second = number(fields[2], digits: 1...2)
        else { return nil }
        return (hour, minute, second)
    }

    /// Reads digits at the beginning of a token, which nothing or a non-digit follows.
    private static func number(
        _ token: ArraySlice<UInt8>,
        digits: ClosedRange<Int>,
        isWhole: Bool = false
    ) -> Int? {
        // One digit more than allowed shows that there are too many; the others need not be counted.
        let found = token.prefix(digits.upperBound + 1).prefix(while: CookieBytes.isDigit)
        guard digits.contains(found.count), !isWhole || found.count == token.count else { return nil }
        return found.reduce(0) { $0 * 10 + Int($1 & 0x0F) }
    }

    private static func month(_ token: ArraySlice<UInt8>) -> Int? {
        months.firstIndex { CookieBytes.hasPrefix($0, token) }.map { $0 + 1 }
    }

    private static let months: [StaticString] = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    private static func length(ofMonth month: Int, year: Int) -> Int {
        let isLeap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    /// Returns the days from 1970-01-01 to a date of the Gregorian calendar, negative before it.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        // The year begins in March, so that a leap day is its last one.
        let (year, month) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        let daysBeforeEpoch = 719_468
        return year * 365 + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1 - daysBeforeEpoch
    }
}
