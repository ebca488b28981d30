import Foundation
import StartSmall

extension String {
    /// A URL's text with readable placeholders for secrets.
    var showingPlaceholder: String {
        // Most texts need no change, and Foundation detects this slowly.
        guard utf8.contains(UInt8(ascii: "%")) else { return self }
        let bytes = Array(utf8)
        var (shown, end) = ([UInt8](), 0)
        for place in bytes.places(of: Self.encodedBeginning) where place.lowerBound >= end {
            let digits = bytes[place.upperBound...].prefix { $0 == UInt8(ascii: "-") || $0.isASCIIDigit }
            guard bytes[digits.endIndex...].starts(with: Self.encodedEnd.utf8) else { continue }
            let written = Array(Placeholder.beginning.utf8) + digits + [UInt8(ascii: ">")]
            guard Placeholder(written[...]) != nil else { continue }
            shown += bytes[end..<place.lowerBound] + written
            end = digits.endIndex + Self.encodedEnd.utf8.count
        }
        return end == 0 ? self : String(decoding: shown + bytes[end...], as: UTF8.self)
    }

    /// A URL's text with percent-encoded placeholders for secrets, which are valid in a URL.
    var encodingPlaceholder: String {
        guard utf8.contains(UInt8(ascii: "<")) else { return self }
        let bytes = Array(utf8)
        var (shown, end) = ([UInt8](), 0)
        for (range, placeholder) in bytes.placeholders {
            shown += bytes[end..<range.lowerBound] + URIEncoding.encoded(placeholder.text).utf8
            end = range.upperBound
        }
        return end == 0 ? self : String(decoding: shown + bytes[end...], as: UTF8.self)
    }

    private static let encodedBeginning = Array(URIEncoding.encoded(Placeholder.beginning).utf8)
    private static let encodedEnd = "%3E"
}

extension URL {
    /// Returns a URL of a cassette.
    static func cassette(_ text: String) throws(CassetteError) -> URL {
        guard let url = URL(string: text.encodingPlaceholder) else {
            throw CassetteError("not a URL: \"\(Redaction.standard.shown(url: text))\"")
        }
        return url
    }
}

extension HTTPHeaders {
    /// Creates fields from lines of the form `Name: value`.
    init(lines: [String]?) throws(CassetteError) {
        self.init()
        for line in lines ?? [] {
            guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else {
                throw CassetteError("not a header field: \"\(Redaction.standard.shown(text: line))\"")
            }
            let value = line[line.utf8.index(after: colon)...]
            append(String(line[..<colon]), value.trimmingCharacters(in: .whitespaces))
        }
        try check()
    }

    /// Checks that no field would end its line (RFC 9110 5.1, 5.5); placeholders in a name are accepted.
    func check() throws(CassetteError) {
        for field in fields {
            let name = Array(field.name.utf8)
            let shown = name.placeholders.reversed().reduce(into: name) { $0.replaceSubrange($1.range, with: "-".utf8) }
            guard HTTPToken.isToken(String(decoding: shown, as: UTF8.self)) else {
                throw CassetteError("not the name of a header field: \"\(Redaction.standard.shown(text: field.name))\"")
            }
            guard HTTPToken.isFieldValue(field.value) else {
                throw CassetteError("a control character in the header field \(field.name)")
            }
        }
    }
}

extension HTTPStatus {
    /// Returns a status that another tool wrote.
    ///
    /// - Throws: ``CassetteError`` if the code does not have three digits (RFC 9110 15).
    static func har(_ code: Int) throws(CassetteError) -> HTTPStatus {
        guard (100...999).contains(code) else { throw CassetteError("not a status: \(code)") }
        return .from(code: code)
    }
}

extension Date {
    /// Creates a time from ISO 8601, with or without fractional seconds.
    init?(cassette text: String) {
        let date = Self.plain(Array(text.utf8)) ?? Self.styles.lazy.compactMap { try? $0.parse(text) }.first
        guard let date else { return nil }
        self = date
    }

    private static let styles = [
        Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true),
    ]

    /// Parses the common form `2001-02-03T04:05:06Z` faster than Foundation; returns nil for any other form.
    private static func plain(_ text: [UInt8]) -> Date? {
        let form = Array("0000-00-00T00:00:00Z".utf8)
        let fits = zip(text, form).allSatisfy { $1 == UInt8(ascii: "0") ? $0.isASCIIDigit : $0 == $1 }
        guard text.count == form.count, fits else { return nil }
        let number = { (place: Int, digits: Int) in
            text[place..<(place + digits)].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        }
        let (year, month, day) = (number(0, 4), number(5, 2), number(8, 2))
        let (hour, minute, second) = (number(11, 2), number(14, 2), number(17, 2))
        guard year >= 1970, (1...12).contains(month), second < 60 else { return nil }
        let time = CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        return time.isOnTheCalendar ? time.date : nil
    }
}
