/// Reads the value of one `Link` field byte by byte, each byte once: what comes from outside sets no other pace.
struct LinkReader {
    private let bytes: [UInt8]
    private var index = 0

    init(_ value: String) {
        bytes = Array(value.utf8)
    }

    /// RFC 8288 B.2.
    mutating func links() -> [Link] {
        var links: [Link] = []
        repeat {
            skipSpaces()
            while take(",") { skipSpaces() }
            guard take("<") else { break }
            let reference = text { $0 == UInt8(ascii: ">") }
            guard take(">") else { break }
            links.append(Link(to: reference, parameters: parameters()))
        } while take(",")
        return links
    }

    /// RFC 8288 B.3: from the first `;` to the next `,`.
    private mutating func parameters() -> [Link.Parameter] {
        var parameters: [Link.Parameter] = []
        skipSpaces()
        while take(";") {
            skipSpaces()
            let name = text {
                $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ",") || Self.isSpace($0)
            }.lowercased()
            skipSpaces()
            let value = take("=") ? value() : ""
            skipSpaces()
            if name.isEmpty { continue }
            let read = name.last == "*" ? RFC8187.decoded(value) : value
            if let read { parameters.append(Link.Parameter(name: name, value: read)) }
        }
        return parameters
    }

    private mutating func value() -> String {
        skipSpaces()
        if take("\"") { return quoted() }
        return text(withoutSpacesAtEnd: true) { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ",") }
    }

    /// RFC 8288 B.4: what is behind the first quote, which ends with the next one that stands behind no backslash.
    private mutating func quoted() -> String {
        var value: [UInt8] = []
        while index < bytes.count, !take("\"") {
            if take("\\"), index == bytes.count { break }
            value.append(bytes[index])
            index += 1
        }
        return String(decoding: value, as: UTF8.self)
    }

    /// What stands in front of a byte, or of the end.
    private mutating func text(withoutSpacesAtEnd: Bool = false, until isEnd: (UInt8) -> Bool) -> String {
        let start = index
        while index < bytes.count, !isEnd(bytes[index]) { index += 1 }
        var end = index
        while withoutSpacesAtEnd, end > start, Self.isSpace(bytes[end - 1]) { end -= 1 }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    private mutating func skipSpaces() {
        while index < bytes.count, Self.isSpace(bytes[index]) { index += 1 }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }

    private mutating func take(_ mark: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: mark) else { return false }
        index += 1
        return true
    }
}
