import StartSmallFoundation

extension Decodable {
    /// Creates a value from JSON as a plain `JSONDecoder` does; a value of the kit from its tape.
    init(plainJSON data: Data) throws {
        if let value = try Self.kitValue(from: data) {
            self = value
        } else {
            self = try JSONDecoder().value(Self.self, from: data)
        }
    }

    /// Whether the kit reads values of the type itself, with digits and members that a decoder does not report.
    static var isReadByKit: Bool { Self.self == JSONValue.self || Self.self == ProblemDetails.self }

    /// Reads a value from JSON; nil if the kit does not read the type itself.
    static func kitValue(from data: Data) throws -> Self? {
        if Self.self == JSONValue.self { return try JSONValue(json: data) as? Self }
        if Self.self == ProblemDetails.self { return try ProblemDetails(json: data) as? Self }
        return nil
    }
}

extension JSONTape {
    /// Reads a text, which can also be in UTF-16 or UTF-32, as for a decoder.
    ///
    /// - Throws: The position at which the text stops being JSON.
    convenience init(anyEncoding data: Data) throws(JSONSyntaxError) {
        let text = Charset.wideEncoding(of: data).flatMap { try? Charset.text(data, in: $0) }
        try self.init(text.map { Data($0.utf8) } ?? data)
    }

    /// Returns the offset at which a text stops being JSON; nil if the whole text is JSON, or too long to be read.
    static func offsetOfError(in data: Data) -> Int? {
        do {
            _ = try JSONTape(data)
            return nil
        } catch {
            return error.offset
        }
    }
}
