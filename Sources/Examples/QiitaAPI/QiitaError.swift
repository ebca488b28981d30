public import StartSmall

/// The reason why Qiita's response could not be decoded to a value.
public typealias QiitaError = TransformError<QiitaProblem>

/// An error document of Qiita, as in a refusal: `{"message": "Not found", "type": "not_found"}`.
///
/// <https://qiita.com/api/v2/docs#error-response>
public struct QiitaProblem: Codable, Hashable, Sendable {
    /// The error message, for people.
    public let message: String

    /// The kind of error, for programs, such as `not_found`.
    public let type: String

    /// Creates a problem.
    public init(message: String, type: String) {
        self.message = message
        self.type = type
    }
}

extension QiitaProblem: CustomStringConvertible {
    /// The error message, for people, followed by the kind of error.
    public var description: String { "\(message) (\(type))" }
}
