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

    /// The errors of single fields, if GitHub understood a request but could not process it (422).
    public let errors: [Detail]?

    /// An error of one field.
    public struct Detail: Codable, Hashable, Sendable {
        /// The kind of resource of the request, such as `Search`.
        public let resource: String?

        /// The name of the field.
        public let field: String?

        /// The kind of error, such as `missing_field`, or `custom` if `message` has the details.
        public let code: String?

        /// The error message, for people.
        public let message: String?

        /// Creates a detail.
        ///
        /// - Parameters:
        ///   - resource: the kind of resource of the request, such as `Search`.
        ///   - field: the name of the field.
        ///   - code: the kind of error, such as `missing_field`.
        ///   - message: the error message, for people.
        public init(resource: String? = nil, field: String? = nil, code: String? = nil, message: String? = nil) {
            self.resource = resource
            self.field = field
            self.code = code
            self.message = message
        }
    }

    /// Creates a problem.
    ///
    /// - Parameters:
    ///   - message: the error message, for people.
    ///   - documentationURL: the URL of the documentation of the error.
    ///   - errors: the errors of single fields.
    public init(message: String, documentationURL: String? = nil, errors: [Detail]? = nil) {
        self.message = message
        self.documentationURL = documentationURL
        self.errors = errors
    }

    /// Decodes a problem; details in an undocumented form are omitted, so that the message is not lost.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            message: try container.decode(String.self, forKey: .message),
            documentationURL: try? container.decode(String.self, forKey: .documentationURL),
            errors: try? container.decode([Detail].self, forKey: .errors)
        )
    }

    private enum CodingKeys: String, CodingKey {
        case message, errors
        case documentationURL = "documentation_url"
    }
}

extension GitHubProblem: CustomStringConvertible {
    /// The error message, for people, with the details if there are any.
    public var description: String {
        let details = (errors ?? []).map { detail in
            [detail.resource, detail.field, detail.code, detail.message].compactMap { $0 }.joined(separator: " ")
        }
        return details.isEmpty ? message : "\(message) (\(details.joined(separator: "; ")))"
    }
}
