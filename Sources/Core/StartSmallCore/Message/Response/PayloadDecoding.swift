import StartSmallSupport
package import StartSmallFoundation

/// A decoder that takes linear time, whatever names the text has.
package protocol LinearDecoder: JSONDecoder {}

/// A value that is read from JSON without a decoder, with digits and members that a decoder does not report.
package protocol ReadWithoutDecoder: Decodable {
    /// Reads a value from JSON, which may be declared as `application/problem+json`.
    init(json: Data, isProblem: Bool) throws
}

/// The error of a text that can't be read from a byte on.
package protocol ErrorAtOffset: Error {
    /// The number of bytes before the first invalid one; all of them if the text ends too soon, and nil if the text is
    /// too long to be read.
    var offset: Int? { get }
}

extension JSONDecoder {
    /// Decodes a value, unless the text has so many combining marks in a row that Foundation would take minutes.
    package func value<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
        // The first test alone answers for nearly all decoders, and the second one takes longer.
        let isLinear = Swift.type(of: self) != JSONDecoder.self && self is any LinearDecoder
        if !isLinear, CombiningMarks.hasLongRun(json: data) { throw DecodingError.tooManyMarks() }
        do {
            return try decode(type, from: data)
        } catch let error as DecodingError where error.isOfTheWhole {
            throw UnfitNumber.found(in: data, as: type, by: self).map { .unfit($0.number, $0.type, $0.path) } ?? error
        }
    }
}

extension DecodingError {
    /// The error of a number that its type can't hold, such as 1.5 for an `Int`.
    package static func unfit(_ number: String, _ type: any Any.Type, _ path: [any CodingKey]) -> DecodingError {
        let shown = number.utf8.count <= maximumDigits ? number : "of \(number.utf8.count) characters"
        return .typeMismatch(type, .init(codingPath: path, debugDescription: "The number \(shown) does not fit."))
    }

    /// The maximum length of a number in an error, 40 characters: as many as the largest integer has, with its sign.
    private static let maximumDigits = 40

    /// The error of a name that could take long to compare.
    package static func tooManyMarks(_ path: [any CodingKey] = []) -> DecodingError {
        let reason = "A name has more than \(CombiningMarks.longestRun) combining marks in a row."
        return .dataCorrupted(.init(codingPath: path, debugDescription: reason))
    }
}
