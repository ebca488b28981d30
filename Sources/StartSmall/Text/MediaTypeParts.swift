/// What a media type is made of (RFC 9110 8.3.1): two tokens, and parameters that are a token or a quoted string each.
struct MediaTypeParts {
    /// The two tokens as they are written.
    let writtenEssence: String
    let parameters: [MediaType.Parameter]

    /// Reads a text, blanks around it aside; nil if it is none.
    init?(_ text: String) {
        var field = FieldReader(text)
        field.skipBlanks()
        let type = field.token()
        guard !type.isEmpty, field.take("/") else { return nil }
        let subtype = field.token()
        guard !subtype.isEmpty else { return nil }
        writtenEssence = "\(type)/\(subtype)"
        var parameters: [MediaType.Parameter] = []
        field.skipBlanks()
        while !field.isAtEnd {
            guard field.take(";") else { return nil }
            field.skipBlanks()
            let name = field.token()
            // `; ;` and a `;` at the end are legal (RFC 9110 5.6.6).
            if name.isEmpty { continue }
            guard field.take("="), let value = Self.value(&field) else { return nil }
            parameters.append(MediaType.Parameter(name, value))
            field.skipBlanks()
        }
        self.parameters = parameters
    }

    private static func value(_ field: inout FieldReader) -> String? {
        if field.take("\"") { return field.strictlyQuoted() }
        let token = field.token()
        return token.isEmpty ? nil : token
    }

    var essence: String { writtenEssence.lowercased() }

    var type: Substring { essence.split(separator: "/")[0] }

    var subtype: Substring { essence.split(separator: "/")[1] }

    /// The parameters as they compare: a charset has no case (RFC 9110 8.3.2), and of two of one name the first counts.
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
