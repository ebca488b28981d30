/// The reason why a ``Cassette`` can't be read or written.
public struct CassetteError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error and its position.
    public var description: String

    /// Creates an error.
    ///
    /// - Parameter description: the error and its position.
    public init(_ description: String) {
        self.description = description
    }
}
