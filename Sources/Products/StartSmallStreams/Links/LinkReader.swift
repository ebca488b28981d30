import StartSmallCore
import StartSmallSupport

/// A parser of the value of one `Link` field.
struct LinkReader {
    private var field: HeaderScanner

    init(_ value: String) {
        field = HeaderScanner(value)
    }

    /// Appends the links of the field (RFC 8288 B.2); malformed text is skipped, up to the next `;` or `,`.
    mutating func read(into links: inout [WebLink]) {
        repeat {
            field.skipBlanks()
            if field.take("<") {
                let reference = field.text { $0 == UInt8(ascii: ">") }
                guard field.take(">") else { break }
                links.append(WebLink(to: reference, parameters: parameters()))
            }
            field.skip(to: ",")
        } while field.take(",")
    }

    /// Reads the parameters of a link, from the first `;` to the next `,` (RFC 8288 B.3).
    private mutating func parameters() -> [MediaType.Parameter] {
        var parameters: [MediaType.Parameter] = []
        field.skip(to: ";", or: ",")
        while field.take(";") {
            field.skipBlanks()
            let name = field.text {
                $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ",")
                    || HTTPToken.isBlank($0)
            }
            field.skipBlanks()
            let value = field.take("=") ? value() : ""
            field.skip(to: ";", or: ",")
            if name.isEmpty { continue }
            let read = name.utf8.last == UInt8(ascii: "*") ? ExtendedValue.decoded(value) : value
            if let read { parameters.append(MediaType.Parameter(name, read)) }
        }
        return parameters
    }

    private mutating func value() -> String {
        field.skipBlanks()
        if field.take("\"") { return field.quoted() }
        return field.text(withoutBlanksAtEnd: true) { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ",") }
    }
}
