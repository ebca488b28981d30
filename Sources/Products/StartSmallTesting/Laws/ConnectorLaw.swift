public import StartSmallCore

/// A requirement for every network connector, to be checked on custom engines.
///
/// ```swift
/// @Test(arguments: ConnectorLaw.all)
/// func engine(law: ConnectorLaw) async {
///     #expect(await law.violations(of: .myEngine()) == [])
/// }
/// ```
///
/// An engine that can't satisfy a law excludes the law with a reason in words:
/// `ConnectorLaw.all(but: [.trailers: "it drops them"])`.
///
/// Each law is checked over real sockets, against its own ``LoopbackServer``. The connector must be an engine without
/// wrappers: it follows no redirect, and stores no cookie.
public struct ConnectorLaw: Sendable, CustomStringConvertible {
    /// The identifier of the law.
    public let id: ID

    /// The law, as a sentence.
    public let name: String

    private let check: @Sendable (ConnectorTrial) async throws -> Void

    /// The default time limit for one law in real time, 60 seconds: far more than any law needs on a busy machine.
    public static let defaultTimeout = Duration.seconds(60)

    init(_ id: ID, _ name: String, _ check: @escaping @Sendable (ConnectorTrial) async throws -> Void) {
        self.id = id
        self.name = name
        self.check = check
    }

    /// All laws.
    public static let all = ofRequests + ofResponses + ofBodies + ofBodiesOnTheWire + ofFailures + ofCancelling

    /// Returns all laws except some.
    ///
    /// - Parameter reasons: the excluded laws, each with a reason in words.
    public static func all(but reasons: [ID: String]) -> [ConnectorLaw] {
        all.filter { reasons[$0.id] == nil }
    }

    /// The law.
    public var description: String { name }

    /// Returns the violations of this law by a connector.
    ///
    /// - Parameters:
    ///   - connector: the connector to check.
    ///   - timeout: the time limit in real time, after which the law counts as violated.
    /// - Returns: the violations; empty if there are none.
    public func violations(of connector: Connector, timeout: Duration = defaultTimeout) async -> [Violation] {
        let trial = ConnectorTrial(connector: connector)
        let isEnded: Bool? = await Timeout(timeout).result { [check] in
            do { try await check(trial) } catch { trial.violations.append("\(error)") }
            return true
        }
        let details = trial.violations.elements + (isEnded == nil ? ["the law did not end within \(timeout)"] : [])
        return details.map { Violation(law: name, detail: $0) }
    }
}

extension ConnectorLaw {
    /// An identifier of a law by its subject; the names of laws on cancelling contain the time of cancellation.
    public enum ID: Hashable, Sendable, CaseIterable {
        /// Laws on the request that arrives.
        case methods, targets, queries, requestHeaders, userInfo, requestPayload, injection

        /// The law on payloads with files.
        case fileUpload

        /// Laws on the response.
        case statuses, responseHeaders, interim, framing, responsePayload, forgetting

        /// Laws on trailers, and on the pace of payloads in parts.
        case trailers, pace

        /// Laws on the bodies of streams.
        case bodyBytes, bodyEnd, bodyHead, bodyInterrupted, bodyDiscarded

        /// Laws on errors before the response.
        case malformedURL, connectionRefused, hostNotFound, endWithoutResponse, closedInHead

        /// Laws on errors in the response.
        case malformedResponse, brokenOff, payloadLimit

        /// The law on requests that are sent again.
        case repetitions

        /// Laws on cancelled calls.
        case cancelledWhileConnecting, cancelledInUpload, cancelledInResponse

        /// The law on concurrent calls.
        case callsAtOnce
    }
}

/// A violation of a law by a wrapper or connector.
public struct Violation: Hashable, Sendable, CustomStringConvertible {
    /// The law, as a sentence.
    public var law: String

    /// The observed behavior.
    public var detail: String

    /// The law and the observed behavior, on one line.
    public var description: String { "\(law): \(detail)" }

    /// Creates a violation.
    public init(law: String, detail: String) { (self.law, self.detail) = (law, detail) }
}
