/// What is to become of a payload, as `Content-Disposition` says: to be saved, and under which name (RFC 6266).
public struct ContentDisposition: Hashable, Sendable {
    /// One parameter, such as `filename="a.txt"`; the name of an encoded one ends with `*`, and its value is decoded.
    public typealias Parameter = MediaType.Parameter

    /// `inline`, `attachment`, or another one, in small letters.
    public var type: String

    /// All parameters in order; encoded ones that can't be read are left out.
    public var parameters: [Parameter]

    /// Creates a disposition.
    public init(type: String, parameters: [Parameter] = []) {
        self.type = type.lowercased()
        self.parameters = parameters
    }

    /// Reads a field's value; nil if it does not begin with a type.
    ///
    /// A value that should be in quotes and is not, as in `filename=my file.txt`, goes up to the next semicolon.
    public init?(_ text: String) {
        var field = HeaderScanner(text)
        field.skipBlanks()
        let type = field.token()
        field.skipBlanks()
        guard !type.isEmpty, field.isAtEnd || field.take(";") else { return nil }
        self.init(type: type)
        repeat {
            field.skipBlanks()
            let name = field.token()
            field.skipBlanks()
            if !name.isEmpty, field.take("="), let value = Self.value(of: name, &field) {
                parameters.append(Parameter(name, value))
            }
            field.skip(to: ";")
        } while field.take(";")
    }

    private static func value(of name: String, _ field: inout HeaderScanner) -> String? {
        field.skipBlanks()
        let written =
            field.take("\"") ? field.quoted() : field.text(withoutBlanksAtEnd: true) { $0 == UInt8(ascii: ";") }
        return name.utf8.last == UInt8(ascii: "*") ? ExtendedValue.decoded(written) : written
    }
}

extension ContentDisposition {
    /// Whether the payload is to be saved and not shown; so is one of a type that nobody knows (RFC 6266 4.2).
    public var isAttachment: Bool { type != "inline" }

    /// The name of the file as the server says it, which may be `../../etc/passwd`; see ``safeFileName``.
    ///
    /// That of `filename*` if it can be read, else that of `filename` (RFC 6266 4.3).
    public var fileName: String? { self["filename*"] ?? self["filename"] }

    /// The name of the file made safe: one part of a path on every system; nil if there is none, or nothing is left of it.
    ///
    /// See ``FilenameSanitizer/from(_:)``.
    public var safeFileName: String? { fileName.flatMap(FilenameSanitizer.from) }

    /// The value of the first parameter of this name, whatever its case.
    public subscript(name: String) -> String? {
        parameters.value(of: name)
    }
}
