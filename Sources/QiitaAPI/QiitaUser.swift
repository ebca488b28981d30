public import StartSmall

/// The user whom the credentials belong to: `GET /api/v2/authenticated_user`.
///
/// Needs a token of the scope `read_qiita`.
///
/// <https://qiita.com/api/v2/docs#get-apiv2authenticated_user>
public struct QiitaUser: Codable, Hashable, Sendable {
    /// The name under which the user logs in, which can change.
    public let id: String

    /// The number of the user, which never changes.
    public let permanentID: Int64

    /// The name that the user chose, which can be empty.
    public let name: String?

    /// What the user says of themselves.
    public let about: String?

    /// How many public articles the user has posted.
    public let itemsCount: Int

    /// How many follow the user.
    public let followersCount: Int

    /// How many the user follows.
    public let followeesCount: Int

    /// Creates a user.
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

    /// What a response means.
    public static func from(response: Response) -> Either<QiitaError, QiitaUser> {
        response.json()
    }

    /// The call for the user whom the credentials belong to.
    public static let authenticated = Endpoint(
        .get("https://qiita.com/api/v2/authenticated_user"),
        transform: from
    )
}
