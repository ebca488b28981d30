import Foundation

extension JSONValue {
    /// How many arrays and objects a value lies in, and whether the innermost is an array; nil for the outermost one.
    ///
    /// A decoder tells it only by the whole way there, which takes 20 µs in the depth, and that for each value.
    @TaskLocal private static var surroundings: (depth: Int, isArray: Bool)?

    /// Reads whatever comes.
    ///
    /// - Throws: `DecodingError` where values lie deeper than ``maximumDepth`` in each other.
    public init(from decoder: any Decoder) throws {
        let (depth, isInArray) = Self.surroundings ?? (decoder.codingPath.count, false)
        let container = try decoder.singleValueContainer()
        // A decoder does not tell what there is, only that it is not what was asked for, and it makes an error of each wrong
        // guess: of 0.4 µs, and up to 25 in the depth. So what a value lies in is tried first, for it is what hostile
        // payloads nest; then what there is most of.
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
        do {
            return .number(try container.decode(Double.self))
        } catch is DecodingError {
            return nil
        } catch {
            // Of a number that is too large, Foundation tells the digits in this error alone, whose type is not public.
            let told = "\(error)".split(separator: "\"").dropFirst().first ?? ""
            let value = try? JSONReader.read(Data(told.utf8)).value
            if case .decimalString? = value { return value } else { return nil }
        }
    }

    private static func unreadable(_ decoder: any Decoder) -> DecodingError {
        let reason = "It is no value of JSON, or has values that lie deeper than \(maximumDepth) in each other."
        return .dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: reason))
    }
}
