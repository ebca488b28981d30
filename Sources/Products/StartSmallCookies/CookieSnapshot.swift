/// The cookies of a jar at one moment, to be saved and read again.
///
/// The encoded form contains the values of all cookies: it is as secret as a password.
public struct CookieSnapshot: Hashable, Sendable, Codable {
    /// The cookies in the order of their creation.
    public var cookies: [Cookie]

    private var version = currentVersion

    private static let currentVersion = 1

    /// Creates a snapshot.
    public init(_ cookies: [Cookie] = []) { self.cookies = cookies }

    /// Decodes a snapshot.
    ///
    /// - Throws: `DecodingError` for another structure, or a version that this library does not know.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        version = try container.decode(Int.self, forKey: .version)
        guard version == Self.currentVersion else {
            throw DecodingError.dataCorruptedError(forKey: .version, in: container, debugDescription: "unknown version")
        }
        cookies = try container.decode([Cookie].self, forKey: .cookies)
    }

    private enum CodingKeys: String, CodingKey {
        case version, cookies
    }
}
