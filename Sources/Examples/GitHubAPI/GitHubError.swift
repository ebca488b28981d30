public import StartSmall

/// The reason why GitHub's response could not be decoded to a value.
public typealias GitHubError = TransformError<GitHubProblem>

/// An error document of GitHub, as in a refusal.
///
/// <https://docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api>
public struct GitHubProblem: Codable, Hashable, Sendable {
    /// The error message, for people.
    public let message: String

    /// The URL of the documentation of the error.
    public let documentationURL: String?

    /// Creates a problem.
    public init(message: String, documentationURL: String? = nil) {
        self.message = message
        self.documentationURL = documentationURL
    }

    private enum CodingKeys: String, CodingKey {
        case message
        case documentationURL = "documentation_url"
    }
}

extension GitHubProblem: CustomStringConvertible {
    /// The error message, for people.
    public var description: String { message }
}
