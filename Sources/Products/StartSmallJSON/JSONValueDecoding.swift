import StartSmallSupport
import StartSmallFoundation

extension JSONValue {
    /// The depth of a value, and whether the innermost container around it is an array; nil for the outermost value.
    ///
    /// A decoder gives only the whole coding path, which takes 20 µs at the maximum depth, for each value.
    @TaskLocal private static var surroundings: (depth: Int, isArray: Bool)?

    /// Creates a value from any JSON.
    ///
    /// - Throws: `DecodingError` if values are nested deeper than 64, if a name has more than 128 combining marks in a
    ///   row, or if a number is too large for `Double`, since a decoder does not report its digits. `Response.json` and
    ///   endpoints read a whole payload as a `JSONValue` without a decoder, and keep them as ``decimalString(_:)``.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? JSONTapeDecoder {
            guard let value = decoder.currentJSONValue else { throw Self.unreadable(decoder) }
            self = value
            return
        }
        let (depth, isInArray) = Self.surroundings ?? (decoder.codingPath.count, false)
        let container = try decoder.singleValueContainer()
        // A decoder does not report the kind of a value, only that it is not the requested one, with an error for each
        // wrong guess, which takes 0.4 µs, and up to 25 µs at the maximum depth. So the kind of the container around
        // the value is tried first, because hostile payloads nest it; then the most frequent kinds.
        if depth > Self.maximumDepth {
            throw Self.unreadable(decoder)
        } else if container.decodeNil() {
            self = .null
        } else if let value = Self.list(isArray: isInArray, in: container, depth) {
            self = value
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = Self.number(in: container) {
            self = value
        } else if let value = Self.list(isArray: !isInArray, in: container, depth) {
            self = value
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else {
            throw Self.unreadable(decoder)
        }
    }

    private static func list(
        isArray: Bool,
        in container: any SingleValueDecodingContainer,
        _ depth: Int
    ) -> JSONValue? {
        $surroundings.withValue((depth + 1, isArray)) {
            isArray
                ? (try? container.decode([JSONValue].self)).map { .array($0) }
                : (try? container.decode([String: JSONValue].self)).map { .object($0) }
        }
    }

    private static func number(in container: any SingleValueDecodingContainer) -> JSONValue? {
        if let integer = try? container.decode(Int64.self) { return .integer(integer) }
        return (try? container.decode(Double.self)).map { .number($0) }
    }

    private static func unreadable(_ decoder: any Decoder) -> DecodingError {
        let reason = """
            Not a JSON value, or a number too large for Double, or nested deeper than \(maximumDepth), or with a name \
            of more than \(CombiningMarks.longestRun) combining marks in a row.
            """
        return .dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: reason))
    }
}
