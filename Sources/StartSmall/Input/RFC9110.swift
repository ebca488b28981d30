/// The two rules of RFC 9110 on the characters of a message: what a name is, and what a value may hold.
enum RFC9110 {
    /// Whether a text is a token: what methods and header names are made of (RFC 9110 5.6.2).
    static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { isTokenByte[Int($0)] }
    }

    /// Whether a text can be a header's value (RFC 9110 5.5): no control character but the tab.
    static func isFieldValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") }
    }

    /// Why a header field would break a message, or nil if it would not; tells no credential.
    static func objection(to field: HTTPHeaders.Field) -> String? {
        if !isToken(field.name) {
            return "the name is not a token (RFC 9110 5.1): \"\(Redaction.standard.shown(name: field.name))\""
        }
        if !isFieldValue(field.value) { return "a control character in the value of \(field.name) (RFC 9110 5.5)" }
        return nil
    }

    /// Asked for each byte of each header of each call, so looked up.
    private static let isTokenByte: [Bool] = {
        let marks = Set("!#$%&'*+-.^_`|~".utf8)
        return (UInt8.min...UInt8.max).map { RFC3986.isUnreserved($0) || marks.contains($0) }
    }()
}
