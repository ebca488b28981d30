public import StartSmallSupport
public import StartSmallFoundation

/// A media type, as in a `Content-Type` field (RFC 9110 8.3.1).
///
/// Two values are equal if their texts are, byte by byte.
public struct MediaType: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The text of the field.
    public var rawValue: String

    /// Creates a media type from the text of the field, which is kept unchanged.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates a media type from the text of the field, which is kept unchanged.
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    /// The text of the field.
    public var description: String {
        rawValue
    }

    /// `application/json` (RFC 8259 11): always UTF-8, no parameter.
    public static let json: MediaType = "application/json"

    /// `application/problem+json` (RFC 9457 6.1).
    package static let problemJSON: MediaType = "application/problem+json"

    /// `application/x-www-form-urlencoded` (WHATWG URL 5): always UTF-8, no parameter.
    public static let form: MediaType = "application/x-www-form-urlencoded"

    /// `text/event-stream` (WHATWG HTML 9.2): always UTF-8.
    public static let eventStream: MediaType = "text/event-stream"

    /// `application/octet-stream` (RFC 2046 4.5.1): bytes of an unknown type.
    public static let octetStream: MediaType = "application/octet-stream"

    /// `text/plain; charset=utf-8` (RFC 2046 4.1).
    public static let text: MediaType = "text/plain; charset=utf-8"
}

extension HTTPHeaders {
    /// The media type of the payload (RFC 9110 8.3), as it is written; nil if the field is missing.
    public var contentType: MediaType? { self["Content-Type"].map(MediaType.init(rawValue:)) }
}

extension Response {
    /// The media type of the payload (RFC 9110 8.3), as it is written, without parameters that can't be read.
    ///
    /// For `text/html; charset=`, it is `text/html`, and for `text/html; charset="gbk`, it is `text/html; charset=gbk`.
    public var contentType: MediaType? { headers.contentType?.readable }
}

extension MediaType: Hashable, ComparedByKey {
    package var comparedKey: ByteEqualString { ByteEqualString(rawValue) }
}

extension MediaType {
    /// Returns the type of a file's extension, or ``octetStream`` if the extension is not a known one.
    ///
    /// Known are the extensions of files that clients of Web APIs often send.
    public static func ofFile(at url: URL) -> MediaType {
        FileExtension.mediaTypes[url.pathExtension.lowercased()].map(MediaType.init(rawValue:)) ?? .octetStream
    }
}

/// The parts of a media type (RFC 9110 8.3.1): two tokens, and parameters, each a token or a quoted string.
struct MediaTypeParts {
    /// The two tokens as they are written.
    let writtenEssence: String
    var parameters: [MediaType.Parameter]

    /// Reads a text, ignoring surrounding blanks; nil if it is not a media type.
    ///
    /// - Parameters:
    ///   - leniently: whether a token after a quote may lack its closing quote (WHATWG MIME Sniffing 4.4), and any
    ///     other parameter that can't be read is skipped, up to the next semicolon.
    ///   - needed: the parameters that are needed; creating texts of all parameters costs more than reading them.
    init?(_ text: String, leniently: Bool = false, keeping needed: NeededParameters = .all) {
        var field = HeaderScanner(text)
        field.skipBlanks()
        let type = field.token()
        guard !type.isEmpty, field.take("/") else { return nil }
        let subtype = field.token()
        guard !subtype.isEmpty else { return nil }
        writtenEssence = "\(type)/\(subtype)"
        var parameters: [MediaType.Parameter] = []
        field.skipBlanks()
        guard field.isAtEnd || field.isAt(";") else { return nil }
        while field.take(";") {
            field.skipBlanks()
            // `; ;` and a `;` at the end are legal (RFC 9110 5.6.6).
            if field.isAtEnd || field.isAt(";") { continue }
            let name = field.tokenBytes()
            let value = !name.isEmpty && field.take("=") ? Self.value(&field, leniently) : nil
            field.skipBlanks()
            if let value, field.isAtEnd || field.isAt(";") {
                if needed.contain(name) { parameters.append(Self.parameter(name, value)) }
            } else if !leniently {
                return nil
            }
            field.skip(to: ";")
        }
        self.parameters = parameters
    }

    /// The parameters for which texts are created.
    enum NeededParameters {
        case all
        case none

        /// The parameters of this name, which is in lower case.
        case named(String)

        fileprivate func contain(_ name: ArraySlice<UInt8>) -> Bool {
            switch self {
            case .all: true
            case .none: false
            case .named(let needed): name.lazy.map(\.asciiLowercased).elementsEqual(needed.utf8)
            }
        }
    }

    var written: MediaType {
        let parameters = parameters.map { "; \($0.name)=\(HTTPToken.tokenOrQuoted($0.value))" }
        return MediaType(rawValue: "\(writtenEssence)\(parameters.joined())")
    }

    private static func value(_ field: inout HeaderScanner, _ leniently: Bool) -> ArraySlice<UInt8>? {
        if field.take("\"") { return leniently ? field.lenientlyQuoted() : field.strictlyQuoted() }
        let token = field.tokenBytes()
        return token.isEmpty ? nil : token
    }

    private static func parameter(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> MediaType.Parameter {
        MediaType.Parameter(String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
    }

    var essence: String { writtenEssence.lowercased() }

    var type: Substring { essence.split(separator: "/")[0] }

    var subtype: Substring { essence.split(separator: "/")[1] }

    /// The parameters for comparison: a charset in lower case (RFC 9110 8.3.2), and only the first of each name.
    var compared: Set<MediaType.Parameter> {
        var seen: Set<String> = []
        return Set(
            parameters.filter { seen.insert($0.name).inserted }.map { parameter in
                parameter.name == "charset"
                    ? MediaType.Parameter(parameter.name, parameter.value.lowercased()) : parameter
            }
        )
    }
}

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

    /// Whether the payload is JSON: `application/json`, `text/json`, or a type with the suffix `+json` (RFC 6839 3.1).
    public var isJSON: Bool {
        guard let essence else { return false }
        return essence == "application/json" || essence == "text/json" || essence.hasSuffix("+json")
    }

    /// Whether a media type equals this one or is in this range (RFC 9110 12.5.1).
    ///
    /// `text/plain; charset=utf-8` is in `text/plain`, `text/*` and `*/*`. The parameters of the range, except `q`,
    /// must be the same. The case of names and of a charset, blanks, quotes and the order of parameters do not matter.
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
