import StartSmallSupport

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
