import StartSmallSupport

extension EncodingError {
    /// Returns the reason and the path of an encoding error.
    ///
    /// The text never contains the value, which may be a credential.
    static func text(of error: any Error) -> String {
        guard case .invalidValue(_, let context)? = error as? EncodingError else { return "\(error)" }
        return "\(context.debugDescription) Path: \(context.codingPath.place)"
    }
}
