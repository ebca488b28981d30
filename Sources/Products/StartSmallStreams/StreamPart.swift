import StartSmallCore

/// A part of a payload that is read as it arrives.
enum StreamPart<Problem: Sendable, Value: Sendable>: Sendable {
    /// A function that creates the failure of the call from its response.
    typealias Failure = @Sendable (Response) -> TransformError<Problem>

    case value(Value)

    /// A part that could not be read, for this reason; the next part may be readable.
    case unreadable(String)

    /// The end of the stream before the response ends.
    ///
    /// The rest of the response is not read. With a failure, the call fails.
    case end(Failure?)

    /// Returns the part with a converted value, if it has one; a value that can't be converted is unreadable.
    func map<NewValue>(_ change: (Value) throws -> NewValue) -> StreamPart<Problem, NewValue> {
        switch self {
        case .value(let value):
            do {
                return .value(try change(value))
            } catch {
                return .unreadable(DecodingError.text(of: error))
            }
        case .unreadable(let reason): return .unreadable(reason)
        case .end(let failure): return .end(failure)
        }
    }

    /// Returns the parts up to the first end; no part after the end is computed.
    static func upToEnd(_ parts: some Sequence<Self>) -> [Self] {
        var found: [Self] = []
        for part in parts {
            found.append(part)
            if case .end = part { break }
        }
        return found
    }
}
