public import StartSmallSupport
public import StartSmallFoundation

extension MediaType {
    /// A parameter, such as `charset=utf-8`, of a media type or of another header field with parameters.
    ///
    /// Two parameters are equal if they are the same byte by byte.
    public struct Parameter: Sendable {
        /// The name in lower case, since names are case-insensitive.
        public var name: String

        /// The value, without the quotes and backslashes of a quoted string.
        public var value: String

        /// Creates a parameter.
        public init(_ name: String, _ value: String) {
            self.name = name.inSmallLetters
            self.value = value
        }
    }

    /// `type/subtype` in lower case, without parameters; nil if the text is not a media type.
    public var essence: String? {
        MediaTypeParts(rawValue, keeping: .none)?.essence
    }

    /// The parameters in order; none if the text is not a media type.
    public var parameters: [Parameter] {
        MediaTypeParts(rawValue)?.parameters ?? []
    }

    /// Returns the value of the first parameter of this name, ignoring case.
    public func parameter(_ name: String) -> String? {
        MediaTypeParts(rawValue, keeping: .named(name.lowercased()))?.parameters.first?.value
    }

    /// The name of the charset in lower case (RFC 9110 8.3.2); nil if there is none.
    public var charset: String? {
        parameter("charset")?.lowercased()
    }

    /// The encoding of the charset; nil if there is none, or an unsupported one.
    public var encoding: String.Encoding? {
        parameter("charset").flatMap(Charset.encoding)
    }

    /// Whether the payload is JSON: `application/json`, `text/json`, or a type with the suffix `+json` (RFC 6839 3.1).
    public var isJSON: Bool {
        guard let essence else { return false }
        return essence == "application/json" || essence == "text/json" || essence.hasSuffix("+json")
    }

    /// Whether both texts have the same meaning (RFC 9110 8.3.1).
    ///
    /// The comparison ignores the case of names and of a charset, blanks, quotes and the order of parameters.
    public func isEquivalent(to other: MediaType) -> Bool {
        guard let parts = MediaTypeParts(rawValue), let others = MediaTypeParts(other.rawValue) else { return false }
        return parts.essence == others.essence && parts.compared == others.compared
    }

    /// Whether a media type equals this one or is in this range (RFC 9110 12.5.1).
    ///
    /// `text/plain; charset=utf-8` is in `text/plain`, `text/*` and `*/*`. The parameters of the range, except `q`,
    /// must be the same.
    public func contains(_ other: MediaType) -> Bool {
        guard let range = MediaTypeParts(rawValue) else { return false }
        let asked = range.compared.filter { $0.name != "q" }
        guard let others = MediaTypeParts(other.rawValue, keeping: asked.isEmpty ? .none : .all) else { return false }
        let isWithin =
            range.essence == "*/*" || range.essence == others.essence
            || range.subtype == "*" && range.type == others.type
        return isWithin && asked.isSubset(of: others.compared)
    }

    /// Returns a copy with a parameter, which replaces any other of its name; the value is quoted if it is not a token.
    ///
    /// Returns the type unchanged if the text is not a media type, or if the parameter is illegal: its name is not a
    /// token, or its value contains a control character.
    ///
    /// - Parameters:
    ///   - name: the name of the parameter.
    ///   - value: the value, unquoted.
    public func setting(_ name: String, to value: String) -> MediaType {
        guard var parts = MediaTypeParts(rawValue), HTTPToken.isToken(name), HTTPToken.isFieldValue(value) else {
            return self
        }
        parts.parameters.removeAll { $0.name.isSame(as: name.lowercased()) }
        parts.parameters.append(Parameter(name, value))
        return parts.written
    }

    /// A copy without the parameters that can't be read, such as the one of `text/html; charset=`.
    ///
    /// A token after a quote without its closing quote is read, as in browsers.
    ///
    /// Unchanged if there are none, or if the text without them is not a media type either.
    var readable: MediaType {
        isReadable ? self : MediaTypeParts(rawValue, leniently: true)?.written ?? self
    }

    private var isReadable: Bool {
        MediaTypeParts(rawValue, keeping: .none) != nil
    }
}

extension MediaType.Parameter: Hashable, ComparedByKey {
    package var comparedKey: HashablePair<ByteEqualString, ByteEqualString> {
        HashablePair(ByteEqualString(name), ByteEqualString(value))
    }
}

extension [MediaType.Parameter] {
    /// Returns the value of the first parameter of this name, ignoring case.
    package func value(of name: String) -> String? {
        let name = name.lowercased()
        return first { $0.name.isSame(as: name) }?.value
    }
}

extension MediaType.Parameter: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// Name and value on one line, credentials redacted.
    public var description: String {
        let redaction = Redaction.standard
        return "\(redaction.shown(name: name))=\(redaction.shown(value, of: name))"
    }
}
