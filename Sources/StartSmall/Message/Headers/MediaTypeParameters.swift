public import Foundation

extension MediaType {
    /// A parameter, such as `charset=utf-8`: of a media type, or of another header field that has such.
    ///
    /// Two are equal if they are so byte by byte.
    public struct Parameter: Sendable {
        /// The name in small letters: case says nothing in it.
        public var name: String

        /// The value as it is meant: without the quotes and backslashes of a quoted string.
        public var value: String

        /// Creates a parameter.
        public init(_ name: String, _ value: String) {
            self.name = name.inSmallLetters
            self.value = value
        }
    }

    /// `type/subtype` in small letters and without parameters, or nil if the text is no media type.
    public var essence: String? {
        MediaTypeParts(rawValue) { _ in false }?.essence
    }

    /// The parameters in their order; none if the text is no media type.
    public var parameters: [Parameter] {
        MediaTypeParts(rawValue)?.parameters ?? []
    }

    /// The value of the first parameter of a name, whatever its case.
    public func parameter(_ name: String) -> String? {
        let name = name.lowercased()
        let parts = MediaTypeParts(rawValue) { $0.lazy.map(\.asciiLowercased).elementsEqual(name.utf8) }
        return parts?.parameters.first?.value
    }

    /// The name of the charset in small letters (RFC 9110 8.3.2), or nil if none is named.
    public var charset: String? {
        parameter("charset")?.lowercased()
    }

    /// The encoding of the charset, or nil if none is named, or one that ``Charset`` doesn't know.
    public var encoding: String.Encoding? {
        parameter("charset").flatMap(Charset.encoding)
    }

    /// Whether the payload is JSON: `application/json`, `text/json`, or one with the suffix `+json` (RFC 6839 3.1).
    public var isJSON: Bool {
        guard let essence else { return false }
        return essence == "application/json" || essence == "text/json" || essence.hasSuffix("+json")
    }

    /// Whether two texts say the same: the case of names and of a charset, blanks, quotes and the order of parameters
    /// aside (RFC 9110 8.3.1).
    public func isEquivalent(to other: MediaType) -> Bool {
        guard let parts = MediaTypeParts(rawValue), let others = MediaTypeParts(other.rawValue) else { return false }
        return parts.essence == others.essence && parts.compared == others.compared
    }

    /// Whether a media type is this one, or of this range: `text/plain; charset=utf-8` is of `text/plain`, `text/*` and
    /// `*/*` (RFC 9110 12.5.1).
    ///
    /// The parameters that the range has, `q` aside, must be the same.
    public func contains(_ other: MediaType) -> Bool {
        guard let range = MediaTypeParts(rawValue) else { return false }
        let asked = range.compared.filter { $0.name != "q" }
        guard let others = MediaTypeParts(other.rawValue, keeping: { _ in !asked.isEmpty }) else { return false }
        let isWithin =
            range.essence == "*/*" || range.essence == others.essence
            || range.subtype == "*" && range.type == others.type
        return isWithin && asked.isSubset(of: others.compared)
    }

    /// The same with a parameter, in place of the one of that name if there is one; its value in quotes if it is no token.
    ///
    /// Unchanged if the text is no media type, or if the parameter can't be written: its name is no token, or its value
    /// holds a control character.
    public func setting(_ name: String, to value: String) -> MediaType {
        guard var parts = MediaTypeParts(rawValue), HTTPToken.isToken(name), HTTPToken.isFieldValue(value) else {
            return self
        }
        parts.parameters.removeAll { $0.name.isSame(as: name.lowercased()) }
        parts.parameters.append(Parameter(name, value))
        return parts.written
    }

    /// The same without the parameters that can't be read, such as the one of `text/html; charset=`.
    ///
    /// Unchanged if there are none, or if the text is no media type without them either.
    var readable: MediaType {
        isReadable ? self : MediaTypeParts(rawValue, leniently: true)?.written ?? self
    }

    private var isReadable: Bool {
        MediaTypeParts(rawValue) { _ in false } != nil
    }
}

extension MediaType.Parameter: Hashable {
    /// Whether name and value are the same, byte by byte.
    public static func == (left: MediaType.Parameter, right: MediaType.Parameter) -> Bool {
        left.name.isSame(as: right.name) && left.value.isSame(as: right.value)
    }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ByteEqualString(name))
        hasher.combine(ByteEqualString(value))
    }
}

extension [MediaType.Parameter] {
    /// The value of the first one of a name, whatever its case.
    func value(of name: String) -> String? {
        let name = name.lowercased()
        return first { $0.name.isSame(as: name) }?.value
    }
}

extension MediaType.Parameter: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Name and value on one line, credentials redacted.
    public var description: String {
        let redaction = Redaction.standard
        return "\(redaction.shown(name: name))=\(redaction.shown(value, of: name))"
    }

    /// The same as ``description``.
    public var debugDescription: String {
        description
    }

    /// What `dump` and failed tests show: the same as ``description``.
    public var customMirror: Mirror {
        Mirror(self, children: ["parameter": description])
    }
}
