public import StartSmall

/// The user of the credentials: `GET /api/v2/authenticated_user`.
///
/// The call needs a token with the scope `read_qiita`.
///
/// <https://qiita.com/api/v2/docs#get-apiv2authenticated_user>
public struct QiitaUser: Codable, Hashable, Sendable {
    /// The login name, which can change.
    public let id: String

    /// The number of the user, which never changes.
    public let permanentID: Int64

    /// The name that the user chose, which can be empty.
    public let name: String?

    /// The user's description of themselves.
    public let about: String?

    /// Creates a user.
    public init(
        id: String,
        permanentID: Int64,
        name: String? = nil,
        about: String? = nil
    ) {
        self.id = id
        self.permanentID = permanentID
        self.name = name
        self.about = about
    }

    private enum CodingKeys: String, CodingKey {
        case id, name
        case permanentID = "permanent_id"
        case about = "description"
    }

    /// Decodes a user from a response.
    public static func from(response: Response) -> Either<QiitaError, QiitaUser> {
        response.json(problem: QiitaProblem.self)
    }

    /// The call for the user of the credentials.
    public static let authenticated = Endpoint(
        .get("https://qiita.com/api/v2/authenticated_user"),
        transform: from
    )
}
