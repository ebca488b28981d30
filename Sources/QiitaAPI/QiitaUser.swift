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

    /// The number of public articles of the user.
    public let itemsCount: Int

    /// The number of the user's followers.
    public let followersCount: Int

    /// The number of users whom the user follows.
    public let followeesCount: Int

    /// Creates a user.
    ///
    /// - Parameters:
    ///   - id: the login name.
    ///   - permanentID: the number of the user.
    ///   - name: the name that the user chose.
    ///   - about: the user's description of themselves.
    ///   - itemsCount: the number of public articles of the user.
    ///   - followersCount: the number of the user's followers.
    ///   - followeesCount: the number of users whom the user follows.
    public init(
        id: String,
        permanentID: Int64,
        name: String? = nil,
        about: String? = nil,
        itemsCount: Int = 0,
        followersCount: Int = 0,
        followeesCount: Int = 0
    ) {
        self.id = id
        self.permanentID = permanentID
        self.name = name
        self.about = about
        self.itemsCount = itemsCount
        self.followersCount = followersCount
        self.followeesCount = followeesCount
    }

    private enum CodingKeys: String, CodingKey {
        case id, name
        case permanentID = "permanent_id"
        case about = "description"
        case itemsCount = "items_count"
        case followersCount = "followers_count"
        case followeesCount = "followees_count"
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
