/// Why a ``Cassette`` can't be read.
public struct CassetteError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, and where.
    public var description: String

    /// Creates an error.
    public init(_ description: String) {
        self.description = description
    }
}
