import StartSmallCore
import StartSmallSupport
public import StartSmallFoundation

extension JSONDecoder {
    /// A new decoder that decodes in about a third of the time, for an API of which much JSON is decoded.
    ///
    /// It is given as `decoder:`, with options or without: `Endpoint.json([User].self, input, decoder: .fast)`. Results
    /// and errors are those of a plain `JSONDecoder`, with four differences:
    ///
    /// - The error of a text that is not JSON has an underlying error with the offset of the byte.
    /// - The error of a number that its type can't hold, such as 1.5 for an `Int`, is a `typeMismatch` with the coding
    ///   path of the number; Foundation says that the whole text is not JSON.
    /// - A name with more than 128 combining marks in a row is skipped by a type that does not have it. Where all names
    ///   are needed, as for a dictionary, it is an error. ``Response/json(_:decoder:problem:accepting:)`` refuses such
    ///   a text for any other decoder.
    /// - A date of ISO 8601 with more than nine digits in a row is none.
    ///
    /// `allKeys` has the order of the text; the order of Foundation is random.
    public static var fast: JSONDecoder { FastJSONDecoder() }

    /// The depth of nested values from which `JSONDecoder` throws an error.
    private static let maximumDepth = 512

    /// Decodes a value with the result of Foundation; nil if only Foundation can.
    ///
    /// This is so with JSON5 and other options that the kit does not know, and if the text is too long or too deep, is
    /// in another encoding than UTF-8, has half of a surrogate pair, or is no JSON in a way that Foundation may accept,
    /// such as with a comma before `]`. This is known before any type decodes itself.
    func fastValue<T: Decodable>(_ type: T.Type, from data: Data) throws -> T? {
        guard let decoder = try tapeDecoder(of: data) else { return nil }
        let value = try decoder.decode(type, 0) { nil }
        if decoder.tape.hasOmittedName { throw DecodingError.tooManyMarks() }
        return value
    }

    private func tapeDecoder(of data: Data) throws(DecodingError) -> JSONTapeDecoder? {
        guard !allowsJSON5 else { return nil }
        let tape: JSONTape
        do { tape = try JSONTape(data) } catch {
            if error.isCertain, !assumesTopLevelDictionary, let error = DecodingError.notJSON { throw error }
            return nil
        }
        guard tape.depth <= Self.maximumDepth, !tape.hasUnpairedSurrogate else { return nil }
        // Last, since reading the options takes longer than a page in place of JSON.
        guard let options = JSONDecodingOptions(self) else { return nil }
        return JSONTapeDecoder(tape, options, current: 0, path: nil)
    }
}

/// The decoder of the kit, with the options of its superclass.
private final class FastJSONDecoder: JSONDecoder, @unchecked Sendable {
    override func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
        do {
            if let value = try fastValue(type, from: data) { return value }
            if CombiningMarks.hasLongRun(json: data) { throw DecodingError.tooManyMarks() }
            return try super.decode(type, from: data)
        } catch DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty {
            let text = context.debugDescription
            let error: (any Error)? = JSONSyntaxError(in: data) ?? context.underlyingError
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: text, underlyingError: error))
        }
    }
}

extension FastJSONDecoder: LinearDecoder {}
