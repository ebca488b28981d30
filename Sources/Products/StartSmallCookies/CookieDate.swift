import StartSmallCore
import StartSmallFoundation
import StartSmallHeaders

/// Reads the dates of `Expires` (RFC 6265bis 5.1.1), which accepts nearly anything that contains a date.
///
/// Only English names of months, only UTC; names of weekdays and time zones are skipped.
struct CookieDate {
    private var time: (hour: Int, minute: Int, second: Int)?
    private var day: Int?
    private var month: String?
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
        // HTTP has leap seconds, and all years.
        guard year >= 1601, time.second <= 59 else { return nil }
        let digits = [day, time.hour, time.minute, time.second].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return HTTPDate.date("Sun, \(digits[0]) \(month) \(year) \(digits[1...].joined(separator: ":")) GMT")
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

    /// Reads a word that begins with the three letters of a month, in any case.
    private static func month(_ token: ArraySlice<UInt8>) -> String? {
        let letters = token.prefix(3)
        return months.first { $0.utf8.elementsEqual(letters) { $0 | 0x20 == $1 | 0x20 } }
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
