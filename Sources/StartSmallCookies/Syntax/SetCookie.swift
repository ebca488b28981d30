import Foundation

/// The parts of a `Set-Cookie` field (RFC 6265bis 5.6), before they are compared with the URL that sent them.
struct SetCookie: Hashable, Sendable {
    /// The name; empty if there is no `=` (step 3).
    var name = ""
    var value = ""

    /// The last valid `Max-Age` in seconds, at most what `Int` has; 0 or less deletes the cookie (5.6.2).
    var maxAge: Int?

    /// The last valid `Expires` (5.6.1).
    var expires: Date?

    /// The last `Domain` in lower case without its first dot, maybe empty; nil if there is none (5.6.3).
    var domain: String?

    /// The last `Path`, empty if it does not begin with a slash; nil if there is none (5.6.4).
    var path: String?

    var isSecure = false
    var isHTTPOnly = false

    /// The last `SameSite` (5.6.7).
    var sameSite = Cookie.SameSite.default

    /// Reads the value of a field.
    ///
    /// - Throws: ``CookieRejection/controlCharacter``, ``CookieRejection/empty`` or ``CookieRejection/tooLong``.
    init(parsing text: String) throws(CookieRejection) {
        let bytes = Array(text.utf8)
        if bytes.contains(where: CookieBytes.isControl) { throw .controlCharacter }
        let nameAndValue = bytes.prefix { $0 != CookieBytes.semicolon }
        let pair = CookieBytes.pair(nameAndValue) ?? (name: [], value: nameAndValue)
        let (name, value) = (CookieBytes.trimmed(pair.name), CookieBytes.trimmed(pair.value))
        if name.count + value.count > CookiePolicy.maximumNameAndValue { throw .tooLong }
        if name.isEmpty && value.isEmpty { throw .empty }
        (self.name, self.value) = (CookieBytes.text(name), CookieBytes.text(value))
        for attribute in bytes[nameAndValue.endIndex...].split(separator: CookieBytes.semicolon) { take(attribute) }
    }

    /// Applies an attribute; unknown ones are ignored, such as `Partitioned`, and so are those with a long value.
    private mutating func take(_ attribute: ArraySlice<UInt8>) {
        let pair = CookieBytes.pair(attribute) ?? (name: attribute, value: [])
        let (name, value) = (CookieBytes.trimmed(pair.name), CookieBytes.trimmed(pair.value))
        if value.count > CookiePolicy.maximumAttributeValue { return }
        if CookieBytes.isWord("expires", name) {
            if let date = CookieDate.date(value) { expires = date }
        } else if CookieBytes.isWord("max-age", name) {
            if let seconds = Self.seconds(value) { maxAge = seconds }
        } else if CookieBytes.isWord("domain", name) {
            let withoutDot = value.first == CookieBytes.dot ? value.dropFirst() : value
            domain = CookieBytes.text(withoutDot.map(CookieBytes.lowercased))
        } else if CookieBytes.isWord("path", name) {
            path = value.first == CookieBytes.slash ? CookieBytes.text(value) : ""
        } else if CookieBytes.isWord("secure", name) {
            isSecure = true
        } else if CookieBytes.isWord("httponly", name) {
            isHTTPOnly = true
        } else if CookieBytes.isWord("samesite", name) {
            sameSite = Self.sameSite(value)
        }
    }

    /// Reads `["-"] 1*DIGIT` (5.6.2); a number that is too large becomes the largest one.
    private static func seconds(_ value: ArraySlice<UInt8>) -> Int? {
        let isNegative = value.first == UInt8(ascii: "-")
        let digits = isNegative ? value.dropFirst() : value
        guard !digits.isEmpty, digits.allSatisfy(CookieBytes.isDigit) else { return nil }
        if isNegative { return 0 }
        return digits.reduce(0) { sum, digit in
            let (tens, isTooLarge) = sum.multipliedReportingOverflow(by: 10)
            let (next, isLarger) = tens.addingReportingOverflow(Int(digit & 0x0F))
            return isTooLarge || isLarger ? .max : next
        }
    }

    private static func sameSite(_ value: ArraySlice<UInt8>) -> Cookie.SameSite {
        if CookieBytes.isWord("none", value) { return .none }
        if CookieBytes.isWord("lax", value) { return .lax }
        return CookieBytes.isWord("strict", value) ? .strict : .default
    }
}
