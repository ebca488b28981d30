/// A part of a payload that is read as it arrives.
enum StreamPart<Problem: Sendable, Value: Sendable>: Sendable {
    /// The failure of the call, from its response.
    typealias Failure = @Sendable (Response) -> TransformError<Problem>

    /// A value to deliver.
    case value(Value)

    /// A part that could not be read, for this reason; the next one may be.
    case unreadable(String)

    /// The end in the midst of a response: whatever follows is not read. With a failure, the call fails.
    case end(Failure?)

    /// The part with another value, if it has one.
    func map<NewValue>(_ change: (Value) -> NewValue) -> StreamPart<Problem, NewValue> {
        switch self {
        case .value(let value): .value(change(value))
        case .unreadable(let reason): .unreadable(reason)
        case .end(let failure): .end(failure)
        }
    }

    /// The parts up to the first end; none behind it is computed.
    static func upToEnd(_ parts: some Sequence<Self>) -> [Self] {
        var found: [Self] = []
        for part in parts {
            found.append(part)
            if case .end = part { break }
        }
        return found
    }
}
