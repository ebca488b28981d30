/// What a media type is made of (RFC 9110 8.3.1): two tokens, and parameters that are a token or a quoted string each.
struct MediaTypeParts {
    /// The two tokens as they are written.
    let writtenEssence: String
    let parameters: [MediaType.Parameter]

    /// Reads a text, blanks around it aside; nil if it is none.
    init?(_ text: String) {
        var rest = text.utf8[...]
        Self.skipBlanks(&rest)
        let start = rest.startIndex
        guard Self.token(&rest) != nil, rest.popFirst() == UInt8(ascii: "/"), Self.token(&rest) != nil else {
            return nil
        }
        writtenEssence = String(text[start..<rest.startIndex])
        var parameters: [MediaType.Parameter] = []
        Self.skipBlanks(&rest)
        while let next = rest.popFirst() {
            guard next == UInt8(ascii: ";") else { return nil }
            Self.skipBlanks(&rest)
            // `; ;` and a `;` at the end are legal (RFC 9110 5.6.6).
            if rest.isEmpty || rest.first == UInt8(ascii: ";") { continue }
            guard let name = Self.token(&rest), rest.popFirst() == UInt8(ascii: "="),
                let value = Self.token(&rest) ?? Self.quoted(&rest)
            else { return nil }
            parameters.append(MediaType.Parameter(name, value))
            Self.skipBlanks(&rest)
        }
        self.parameters = parameters
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

    private static func skipBlanks(_ rest: inout Substring.UTF8View) {
        rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }

    private static func token(_ rest: inout Substring.UTF8View) -> String? {
        let token = rest.prefix(while: RFC9110.isTokenByte)
        rest = rest[token.endIndex...]
        return token.isEmpty ? nil : String(Substring(token))
    }

    /// `"…"`, in which a backslash stands before a character that is meant as it is (RFC 9110 5.6.4).
    private static func quoted(_ rest: inout Substring.UTF8View) -> String? {
        guard rest.popFirst() == UInt8(ascii: "\"") else { return nil }
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") { return String(decoding: bytes, as: UTF8.self) }
            guard let meant = byte == UInt8(ascii: "\\") ? rest.popFirst() : byte, RFC9110.isFieldValueByte(meant)
            else {
                return nil
            }
            bytes.append(meant)
        }
        return nil
    }
}
