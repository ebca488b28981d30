public import StartSmall

/// Why Qiita's response could not become a value.
public typealias QiitaError = TransformError<QiitaProblem>

/// What Qiita says when it refuses: its error document, `{"message": "Not found", "type": "not_found"}`.
///
/// <https://qiita.com/api/v2/docs#error-response>
public struct QiitaProblem: Codable, Hashable, Sendable {
    /// What is wrong, for people.
    public let message: String

    /// What is wrong, for programs, such as `not_found`.
    public let type: String

    /// Creates a problem.
    public init(message: String, type: String) {
        self.message = message
        self.type = type
    }
}

extension QiitaProblem: CustomStringConvertible {
    /// What is wrong, for people, with what it is for programs.
    public var description: String { "\(message) (\(type))" }
}
