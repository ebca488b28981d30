import StartSmallFoundation

/// A date and time of day in UTC, in the Gregorian calendar.
struct CivilTime {
    var year: Int
    var month: Int
    var day: Int
    var hour: Int
    var minute: Int
    var second: Int
}

extension CivilTime {
    /// Creates the civil time of a date; a date outside of the years 0 to 9999 becomes the nearest one inside.
    init(_ date: Date) {
        let (first, last) = (-62_167_219_200.0, 253_402_300_799.0)
        // `Int64`: 32 bits of seconds end in 2038, and `Int` has only 32 on watchOS.
        let seconds = Int64(max(first, min(last, date.timeIntervalSince1970.rounded(.down))))
        // Counted from 1 March of the year 0, so that the leap day is the last day of its year.
        let days = Int((seconds - Int64(first)) / 86_400) - 60
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let second = Int((seconds - Int64(first)) % 86_400)
        self.init(
            year: era * 400 + yearOfEra + (month >= 10 ? 1 : 0),
            month: month < 10 ? month + 3 : month - 9,
            day: dayOfYear - (153 * month + 2) / 5 + 1,
            hour: second / 3_600,
            minute: second / 60 % 60,
            second: second % 60
        )
    }

    /// The date of the civil time.
    var date: Date {
        let secondOfDay = hour * 3_600 + minute * 60 + second
        return Date(timeIntervalSince1970: Double(Int64(daysSince1970) * 86_400 + Int64(secondOfDay)))
    }

    /// The day of the week: 0 for Sunday.
    var weekday: Int { ((daysSince1970 + 4) % 7 + 7) % 7 }

    /// Whether the day and the time exist; the month must be 1 to 12.
    var isOnTheCalendar: Bool {
        let isLeap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return day >= 1 && day <= lengths[month - 1] && hour < 24 && minute < 60 && second <= 60
    }

    private var daysSince1970: Int {
        let years = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        // 400 years are added, so that no division has a negative operand.
        let past = years + 400
        return past * 365 + past / 4 - past / 100 + past / 400 + dayOfYear - 146_097 - 719_468
    }
}
