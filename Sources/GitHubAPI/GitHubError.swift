public import StartSmall

/// Why GitHub's response could not become a value.
public typealias GitHubError = TransformError<GitHubProblem>

/// What GitHub says when it refuses: its error document.
///
/// <https://docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api>
public struct GitHubProblem: Codable, Hashable, Sendable {
    /// What is wrong, for people.
    public let message: String

    /// Where it is explained.
    public let documentationURL: String?

    /// What is wrong with each field, where a request was understood but could not be carried out (422).
    public let errors: [Detail]?

    /// What is wrong with one field.
    public struct Detail: Codable, Hashable, Sendable {
        /// The kind of thing that the request was about, such as `Issue`.
        public let resource: String?

        /// The field of the request.
        public let field: String?

        /// What is wrong with it, such as `missing_field`, or `custom` if `message` says so.
        public let code: String?

        /// What is wrong with it, for people.
        public let message: String?

        /// Creates a detail.
        public init(resource: String? = nil, field: String? = nil, code: String? = nil, message: String? = nil) {
            self.resource = resource
            self.field = field
            self.code = code
            self.message = message
        }
    }

    /// Creates a problem.
    public init(message: String, documentationURL: String? = nil, errors: [Detail]? = nil) {
        self.message = message
        self.documentationURL = documentationURL
        self.errors = errors
    }

    /// Reads a problem; details in a form that is not documented are left out, so that the message is not lost.
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
    /// What is wrong, for people, with the details there are.
    public var description: String {
        let details = (errors ?? []).map { detail in
            [detail.resource, detail.field, detail.code, detail.message].compactMap { $0 }.joined(separator: " ")
        }
        return details.isEmpty ? message : "\(message) (\(details.joined(separator: "; ")))"
    }
}
