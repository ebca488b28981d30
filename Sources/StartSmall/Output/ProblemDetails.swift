/// What is wrong, as APIs without a format of their own say it: `application/problem+json` (RFC 9457 3.1).
public struct ProblemDetails: Codable, Hashable, Sendable {
    /// A URI reference that names the kind of problem; `about:blank` if there is none (RFC 9457 3.1.1 and 4.2.1).
    public var type: String

    /// The status that the server generated (RFC 9457 3.1.2).
    public var status: Int?

    /// A summary of the kind of problem for people (RFC 9457 3.1.3).
    public var title: String?

    /// What went wrong this time, for people (RFC 9457 3.1.4).
    public var detail: String?

    /// A URI reference that names this occurrence (RFC 9457 3.1.5).
    public var instance: String?

    /// The kind of a problem that says no more than its status does (RFC 9457 4.2.1).
    public static let blankType = "about:blank"

    /// Creates a problem.
    public init(
        type: String = blankType,
        status: Int? = nil,
        title: String? = nil,
        detail: String? = nil,
        instance: String? = nil
    ) {
        self.type = type
        self.status = status
        self.title = title
        self.detail = detail
        self.instance = instance
    }

    /// Reads a problem; members of a wrong type count as absent (RFC 9457 3.1).
    ///
    /// - Throws: `DecodingError` if none of the members is there: then it is an error document of another form.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            type: (try? container.decode(String.self, forKey: .type)) ?? Self.blankType,
            status: try? container.decode(Int.self, forKey: .status),
            title: try? container.decode(String.self, forKey: .title),
            detail: try? container.decode(String.self, forKey: .detail),
            instance: try? container.decode(String.self, forKey: .instance)
        )
        guard !container.allKeys.isEmpty else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "No member of RFC 9457 3.1 is there.")
            )
        }
    }
}
