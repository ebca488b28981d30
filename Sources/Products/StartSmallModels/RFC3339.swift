public import StartSmallFoundation

extension JSONDecoder.DateDecodingStrategy {
    /// Dates such as `2026-11-28T09:30:00Z`, with or without fractions of a second, with any offset (RFC 3339 5.6).
    ///
    /// Foundation's `.iso8601` fails for fractions, which many servers send.
    public static var rfc3339: Self {
        .custom { decoder in
            let container = try decoder.singleValueContainer()
            if let date = Date(rfc3339: try container.decode(String.self)) { return date }
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a date of RFC 3339")
        }
    }
}

extension JSONEncoder.DateEncodingStrategy {
    /// Dates in UTC such as `2026-11-28T09:30:00Z`; an error for one outside of the years 0 to 9999 (RFC 3339).
    public static var rfc3339: Self {
        .custom { date, encoder in
            var container = encoder.singleValueContainer()
            if let text = date.rfc3339 { return try container.encode(text) }
            let reason = "a date outside of the years 0 to 9999 (RFC 3339)"
            throw EncodingError.invalidValue(date, .init(codingPath: encoder.codingPath, debugDescription: reason))
        }
    }
}

extension Date {
    /// Creates the point in time of a text such as `2026-11-28T09:30:00.25+01:00`; nil for another one (RFC 3339 5.6).
    ///
    /// The letters may be in lower case, and a space may be in place of the `T`. A leap second, at the end of any day of
    /// UTC, is the second after it.
    public init?(rfc3339 text: String) {
        var text = RFC3339Text(text)
        guard let date = text.date(), text.skip("Tt "), let time = text.time(), text.isAtEnd else { return nil }
        let seconds = Int64(date.days - PlainDate.daysTo2001) * 86_400 + Int64(time.seconds)
        if time.isLeapSecond, seconds % 86_400 != 0 { return nil }
        // In a year such as 9999, a `Date` has not all digits: the fraction must not end the second, and the year.
        self.init(timeIntervalSinceReferenceDate: min(Double(seconds) + time.fraction, Double(seconds + 1).nextDown))
    }

    /// The text of the point in time in UTC, such as `2026-11-28T09:30:00Z`; nil outside of the years 0 to 9999.
    ///
    /// The fraction of a second has no digits, three, or six, as many as it needs.
    public var rfc3339: String? {
        let time = timeIntervalSinceReferenceDate
        guard -1e12..<1e12 ~= time else { return nil }
        let milliseconds = (time * 1e3).rounded()
        // In a year such as 9000, a `Date` has milliseconds, but not all microseconds.
        let since2001 = milliseconds / 1e3 == time ? Int64(milliseconds) * 1_000 : Int64((time * 1e6).rounded())
        let microseconds = since2001 + Int64(PlainDate.daysTo2001) * 86_400_000_000
        let (seconds, fraction) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        guard microseconds >= 0, let date = PlainDate(days: Int(seconds / 86_400)) else { return nil }
        let clock = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60].map { $0.digits(2) }.joined(separator: ":")
        let digits = fraction % 1_000 == 0 ? (fraction / 1_000).digits(3) : fraction.digits(6)
        return "\(date)T\(clock)\(fraction == 0 ? "" : "." + digits)Z"
    }
}

/// A reader of the parts of a date and a time (RFC 3339 5.6).
struct RFC3339Text {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    /// Skips one of some characters; returns whether there was one.
    mutating func skip(_ characters: String) -> Bool {
        guard let byte = rest.first, characters.utf8.contains(byte) else { return false }
        rest.removeFirst()
        return true
    }

    mutating func date() -> PlainDate? {
        guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2) else { return nil }
        return PlainDate(year: year, month: month, day: day)
    }

    /// Returns the seconds of UTC since the day began; with an offset, maybe below 0 or more than a day has.
    mutating func time() -> (seconds: Int, fraction: Double, isLeapSecond: Bool)? {
        guard let hour = number(2), hour < 24, skip(":"), let minute = number(2), minute < 60, skip(":"),
            let second = number(2), second <= 60, let fraction = fraction(), let offset = offset()
        else { return nil }
        return (hour * 3600 + minute * 60 + second - offset, fraction, second == 60)
    }

    /// Returns the fraction of a second; 0 without one, and nil for a point without digits.
    private mutating func fraction() -> Double? {
        guard skip(".") else { return 0 }
        let digits = rest.prefix { 0x30...0x39 ~= $0 }
        rest = rest[digits.endIndex...]
        // Further digits are beyond the precision of a `Date`.
        let (value, scale) = digits.prefix(15).reduce((0.0, 1.0)) { ($0.0 * 10 + Double($1 - 0x30), $0.1 * 10) }
        return digits.isEmpty ? nil : value / scale
    }

    /// Returns the seconds east of UTC.
    private mutating func offset() -> Int? {
        if skip("Zz") { return 0 }
        let sign = skip("-") ? -1 : skip("+") ? 1 : 0
        guard sign != 0, let hours = number(2), hours < 24, skip(":"), let minutes = number(2), minutes < 60 else {
            return nil
        }
        return sign * (hours * 3600 + minutes * 60)
    }

    private mutating func number(_ count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        rest = rest[digits.endIndex...]
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}

extension BinaryInteger {
    /// Returns the number with leading zeros, for at most six digits.
    func digits(_ count: Int) -> String { String("00000\(self)".suffix(count)) }
}
