/// A challenge of a `WWW-Authenticate` or `Proxy-Authenticate` field (RFC 9110 11.3): a scheme and its demands.
///
/// ```swift
/// let bearer = response.challenges.first { $0.isOf(scheme: "Bearer") }
/// let isExpired = bearer?["error"] == "invalid_token"
/// ```
public struct AuthenticationChallenge: Hashable, Sendable {
    /// The authentication scheme as it is written, such as `Bearer`; see ``isOf(scheme:)`` to compare it.
    public let scheme: String

    /// The data of a scheme without parameters, such as `Negotiate`; nil if there are none (RFC 9110 11.2).
    public private(set) var token68: String?

    /// The parameters by their names in lower case; of two with one name, the first (RFC 9110 11.2).
    public var parameters: [String: String] { values.mapValues(\.text) }

    private var values: [String: ByteEqualString] = [:]

    /// Reads the challenges of a field value, in order.
    ///
    /// A challenge without a readable scheme is left out, and so is a parameter that can't be read.
    ///
    /// - Parameter text: the value of the field.
    public static func list(_ text: String) -> [AuthenticationChallenge] {
        var field = HeaderScanner(text)
        var challenges: [AuthenticationChallenge] = []
        while field.skipToElement() {
            if let challenge = read(&field) { challenges.append(challenge) }
            field.skip(to: ",")
        }
        return challenges
    }

    /// The value of a parameter, by its case-insensitive name; nil if there is none.
    ///
    /// For example, that of `realm` is the protection space that the challenge is for (RFC 9110 11.5).
    public subscript(name: String) -> String? { values[name.lowercased()]?.text }

    /// Whether the challenge is of this scheme, ignoring case (RFC 9110 11.1).
    public func isOf(scheme: String) -> Bool { self.scheme.lowercased() == scheme.lowercased() }

    private static func read(_ field: inout HeaderScanner) -> AuthenticationChallenge? {
        let scheme = field.token()
        guard !scheme.isEmpty else { return nil }
        var challenge = AuthenticationChallenge(scheme: scheme)
        if field.isAtEndOfElement { return challenge }
        // A name before `=` is a parameter of a challenge that can't be read.
        guard field.skipBlanks(), !field.isAt("=") else { return nil }
        if field.isAtEndOfElement { return challenge }
        var ahead = field
        // With parameters after it, `error=` is one without a value.
        if let token68 = ahead.token68(), !ahead.isBeforeParameter {
            field = ahead
            challenge.token68 = token68
            return challenge
        }
        repeat {
            challenge.readParameter(&field)
            field.skip(to: ",")
        } while field.isAtNextParameter()
        return challenge
    }

    private mutating func readParameter(_ field: inout HeaderScanner) {
        let name = field.token().lowercased()
        field.skipBlanks()
        guard !name.isEmpty, field.take("=") else { return }
        field.skipBlanks()
        let isQuoted = field.isAt("\"")
        let value = isQuoted ? field.quotedIfClosed() : field.token()
        field.skipBlanks()
        guard let value, isQuoted || !value.isEmpty, HTTPToken.isFieldValue(value), field.isAtEndOfElement else {
            return
        }
        if values[name] == nil { values[name] = ByteEqualString(value) }
    }
}

extension HeaderScanner {
    /// Whether the scanner is at the end of a list element.
    fileprivate var isAtEndOfElement: Bool { isAtEnd || isAt(",") }

    /// Skips blanks and empty elements (RFC 9110 5.6.1.2); false at the end.
    fileprivate mutating func skipToElement() -> Bool {
        repeat { skipBlanks() } while take(",")
        return !isAtEnd
    }

    /// Reads the data of a challenge without parameters, and the blanks after them; nil if there are none.
    fileprivate mutating func token68() -> String? {
        let text = text { !Self.isToken68Byte($0) }
        let padding = self.text { $0 != UInt8(ascii: "=") }
        skipBlanks()
        return !text.isEmpty && isAtEndOfElement ? text + padding : nil
    }

    /// Whether another parameter of this challenge follows.
    fileprivate var isBeforeParameter: Bool {
        var ahead = self
        return ahead.isAtNextParameter()
    }

    /// Moves to the next parameter of this challenge; false if another challenge or the end follows.
    fileprivate mutating func isAtNextParameter() -> Bool {
        var ahead = self
        guard ahead.skipToElement() else { return false }
        let parameter = ahead
        let isNamed = !ahead.token().isEmpty
        ahead.skipBlanks()
        guard isNamed, ahead.isAt("=") else { return false }
        self = parameter
        return true
    }

    private static func isToken68Byte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "+"),
            UInt8(ascii: "/"):
            true
        default: false
        }
    }
}
