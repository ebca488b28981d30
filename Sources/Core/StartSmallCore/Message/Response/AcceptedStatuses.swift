/// The statuses that a transform accepts as success.
public struct AcceptedStatuses: Sendable {
    private let accepts: @Sendable (HTTPStatus) -> Bool

    /// Creates a set of statuses.
    public init(_ accepts: @escaping @Sendable (HTTPStatus) -> Bool) {
        self.accepts = accepts
    }

    /// Every 2xx (RFC 9110 15.3).
    public static let success = AcceptedStatuses { $0.isSuccess }

    /// Every status.
    public static let all = AcceptedStatuses { _ in true }

    /// Returns the set of the given statuses only.
    public static func only(_ statuses: HTTPStatus...) -> AcceptedStatuses {
        AcceptedStatuses { statuses.contains($0) }
    }

    /// Returns whether the set contains a status.
    public func contains(_ status: HTTPStatus) -> Bool {
        accepts(status)
    }
}
