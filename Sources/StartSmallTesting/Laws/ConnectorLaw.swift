public import StartSmall

/// One thing that every connector to a network has to do, to be checked over one of one's own.
///
/// ```swift
/// @Test(arguments: ConnectorLaw.all)
/// func engine(law: ConnectorLaw) async {
///     #expect(await law.violations(of: .myEngine()) == [])
/// }
/// ```
///
/// Each is checked over real sockets, against a ``LoopbackServer`` of its own. The connector is to be an engine alone,
/// without wrappers: it follows no redirect, and keeps no cookie.
public struct ConnectorLaw: Sendable, CustomStringConvertible {
    /// The law, as a sentence.
    public let name: String

    private let check: @Sendable (ConnectorTrial) async throws -> [String]

    /// How long one law may take in real time until it counts as one that never ends: far more than any needs on a
    /// crowded machine.
    public static let standardPatience = Duration.seconds(60)

    init(_ name: String, _ check: @escaping @Sendable (ConnectorTrial) async throws -> [String]) {
        self.name = name
        self.check = check
    }

    /// All laws.
    public static let all = ofRequests + ofResponses + ofFailures

    /// The law.
    public var description: String { name }

    /// What of this law a connector violates; empty if nothing.
    public func violations(of connector: Connector, patience: Duration = standardPatience) async -> [Violation] {
        let details: [String]? = await Patience(patience).result { [check] in
            do { return try await check(ConnectorTrial(connector: connector)) } catch { return ["\(error)"] }
        }
        return (details ?? ["it is not over within \(patience)"]).map { Violation(law: name, detail: $0) }
    }
}
