package import Foundation

extension JSONDecoder {
    /// The depth of nested values from which `JSONDecoder` throws an error.
    private static let maximumDepth = 512

    /// Decodes a value as `decode(_:from:)` does, with the same result, in a fraction of the time.
    ///
    /// The error of a number that its type can't hold has the coding path and the type of the number.
    ///
    /// Foundation decodes it if the result would depend on Foundation: for a subclass, with JSON5 and other options
    /// that the kit does not know, and if the text is too long or too deep, is in another encoding than UTF-8, has half
    /// of a surrogate pair, or is no JSON in a way that Foundation may accept, such as with a comma before `]`. This is
    /// known before any type decodes itself.
    ///
    /// Unlike Foundation, it compares no name with more than ``CombiningMarks/longestRun`` combining marks in a row: no
    /// type asks for such a name, and where all names are needed, as for a dictionary, it is an error.
    /// Foundation gets no text with so many marks in a row.
    ///
    /// - Parameters:
    ///   - type: the type of the value.
    ///   - data: the text.
    package func value<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
        guard let decoder = try tapeDecoder(of: data) else {
            let text =
                Charset.wideEncoding(of: data).flatMap { Charset.text(data, in: $0, isCut: true) }
                ?? String(decoding: data, as: UTF8.self)
            if CombiningMarks.hasLongRun(json: text) { throw DecodingError.tooManyMarks() }
            return try decode(type, from: data)
        }
        let value = try decoder.decode(type, 0) { nil }
        if decoder.tape.hasOmittedName { throw DecodingError.tooManyMarks() }
        return value
    }

    private func tapeDecoder(of data: Data) throws(DecodingError) -> JSONTapeDecoder? {
        // A subclass may do anything.
        guard type(of: self) == JSONDecoder.self, !allowsJSON5 else { return nil }
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
