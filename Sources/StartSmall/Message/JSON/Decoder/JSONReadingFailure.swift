import Foundation

/// The reason why a value of a tape is not of the requested type.
enum JSONReadingFailure: Error {
    /// The value is `null`, or of another kind.
    case null, otherKind

    /// A number that the type can't hold.
    case unfit
}

/// The error of a number that its type can't hold, while the types of an app decode themselves.
///
/// `JSONDecoder` throws an error of its own, too, which becomes a `DecodingError` without a coding path at the end.
struct JSONNumberError: Error, CustomStringConvertible {
    /// The number as it is written.
    let digits: String

    var description: String { "Number \(digits) is not representable in Swift." }

    /// The error that `JSONDecoder` throws for the whole text.
    var decodingError: DecodingError { .notJSON(underlyingError) }

    private var underlyingError: (any Error)? {
        #if !os(Linux) || APPLE_BRANCH
            NSError(
                domain: NSCocoaErrorDomain,
                code: CocoaError.propertyListReadCorrupt.rawValue,
                userInfo: [NSDebugDescriptionErrorKey: description]
            )
        #else
            nil
        #endif
    }
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
            notJSON(nil)
        #endif
    }

    fileprivate static func notJSON(_ underlyingError: (any Error)?) -> DecodingError {
        let text = "The given data was not valid JSON."
        return .dataCorrupted(.init(codingPath: [], debugDescription: text, underlyingError: underlyingError))
    }
}
