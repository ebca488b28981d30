public import StartSmallCore
import StartSmallSupport

/// The intended use of a payload, from `Content-Disposition`: whether to save it, and under which name (RFC 6266).
public struct ContentDisposition: Hashable, Sendable {
    /// The type in lower case: `inline` for display, `attachment` for saving, or another one.
    ///
    /// A payload of an unknown type is for saving, too (RFC 6266 4.2).
    public var type: String

    /// All parameters in order, such as `filename="a.txt"`, except encoded ones that can't be read.
    ///
    /// The name of an encoded parameter (RFC 8187) ends with `*`, and its value is decoded.
    public var parameters: [MediaType.Parameter]

    /// Creates a disposition.
    public init(type: String, parameters: [MediaType.Parameter] = []) {
        self.type = type.lowercased()
        self.parameters = parameters
    }

    /// Reads the value of a field; nil if it does not begin with a type.
    ///
    /// Other text after the type is skipped, up to the next semicolon.
    ///
    /// A value that lacks its quotes, as in `filename=my file.txt`, extends to the next semicolon.
    public init?(_ text: String) {
        var field = HeaderScanner(FieldText.readable(text))
        field.skipBlanks()
        let type = field.token()
        let isAlone = field.skipBlanks() || field.isAtEnd || field.isAt(";")
        // A name before `=` is that of a parameter.
        guard !type.isEmpty, isAlone, !field.isAt("=") else { return nil }
        self.init(type: type)
        field.skip(to: ";")
        guard field.take(";") else { return }
        repeat {
            field.skipBlanks()
            let name = field.token()
            field.skipBlanks()
            if !name.isEmpty, field.take("="), let value = Self.value(of: name, &field) {
                parameters.append(MediaType.Parameter(name, value))
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

extension Response {
    /// The intended use of the payload (RFC 6266); nil if the field is missing or can't be read.
    public var contentDisposition: ContentDisposition? {
        headers["Content-Disposition"].flatMap(ContentDisposition.init)
    }
}

extension ContentDisposition {
    /// The name of the file as the server sends it, which may be `../../etc/passwd`; see ``safeFileName``.
    ///
    /// The value of `filename*` if it can be read and is not empty, else that of `filename` (RFC 6266 4.3).
    public var fileName: String? { fileNames.first { !$0.isEmpty } ?? fileNames.first }

    /// The sanitized name of the file: one path component on every system; nil if there is none.
    ///
    /// Also nil if sanitizing leaves no characters of any name. See ``FilenameSanitizer/from(_:)``.
    public var safeFileName: String? { fileNames.lazy.compactMap(FilenameSanitizer.from).first }

    private var fileNames: [String] { ["filename*", "filename"].compactMap { self[$0] } }

    /// The value of the first parameter of this name, ignoring case.
    public subscript(name: String) -> String? {
        parameters.value(of: name)
    }
}
