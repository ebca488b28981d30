package import Foundation

extension JSONDecoder {
    /// The depth of nested values from which `JSONDecoder` throws an error.
    private static let maximumDepth = 512

    /// Decodes a value as `decode(_:from:)` does, with the same result, in a fraction of the time.
    ///
    /// Foundation decodes it if the result would depend on Foundation: for a subclass, with JSON5 and other options
    /// that the kit does not know, and if the text is not JSON in UTF-8, too long or too deep, or has half of a
    /// surrogate pair. This is known before any type decodes itself.
    ///
    /// - Parameters:
    ///   - type: the type of the value.
    ///   - data: the text.
    package func value<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
        guard let decoder = tapeDecoder(of: data) else { return try decode(type, from: data) }
        do {
            return try decoder.decode(type, 0) { nil }
        } catch let error as JSONNumberError {
            throw error.decodingError
        }
    }

    private func tapeDecoder(of data: Data) -> JSONTapeDecoder? {
        guard let options = JSONDecodingOptions(self), let tape = try? JSONTape(data) else { return nil }
        guard tape.depth <= Self.maximumDepth, !tape.hasUnpairedSurrogate else { return nil }
        return JSONTapeDecoder(tape, options, current: 0, path: nil)
    }
}
