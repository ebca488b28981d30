/// The reason why a value of a tape is not of the requested type.
enum JSONReadingFailure: Error {
    /// The value is `null`, or of another kind.
    case null, otherKind

    /// A number that the type can't hold.
    case unfit
}

extension DecodingError {
    /// The error of a name that could take long to compare.
    ///
    /// - Parameter path: the coding path of the object; empty if it is not known.
    static func tooManyMarks(_ path: [any CodingKey] = []) -> DecodingError {
        let reason = "A name has more than \(CombiningMarks.longestRun) combining marks in a row."
        return .dataCorrupted(.init(codingPath: path, debugDescription: reason))
    }

    /// The error that `JSONDecoder` throws for a text that is not JSON; nil on platforms where it has more details.
    static var notJSON: DecodingError? {
        #if !os(Linux) || APPLE_BRANCH
            nil
        #else
            .dataCorrupted(.init(codingPath: [], debugDescription: "The given data was not valid JSON."))
        #endif
    }
}
