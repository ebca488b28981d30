import StartSmallFoundation

/// The reason why a value of a tape is not of the requested type.
enum JSONReadingFailure: Error {
    /// The value is `null`, or of another kind.
    case null, otherKind

    /// A number that the type can't hold.
    case unfit
}

extension DecodingError {
    /// The error that `JSONDecoder` throws for a text that is not JSON; nil on platforms where it has more details.
    static var notJSON: DecodingError? {
        do {
            _ = try JSONDecoder().decode(Bool.self, from: Data("x".utf8))
        } catch DecodingError.dataCorrupted(let context) where context.underlyingError == nil {
            return .dataCorrupted(context)
        } catch {}
        return nil
    }
}
