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
/// An engine that can't keep one leaves it out, with the reason in words: `ConnectorLaw.all(but: [.trailers: "it drops them"])`.
///
/// Each is checked over real sockets, against a ``LoopbackServer`` of its own. The connector is to be an engine alone,
/// without wrappers: it follows no redirect, and keeps no cookie.
public struct ConnectorLaw: Sendable, CustomStringConvertible {
    /// Which law it is.
    public let id: ID

    /// The law, as a sentence.
    public let name: String

    private let check: @Sendable (ConnectorTrial) async throws -> [String]

    /// How long one law may take in real time until it counts as one that never ends: far more than any needs on a
    /// crowded machine.
    public static let defaultTimeout = Duration.seconds(60)

    init(_ id: ID, _ name: String, _ check: @escaping @Sendable (ConnectorTrial) async throws -> [String]) {
        self.id = id
        self.name = name
        self.check = check
    }

    /// All laws.
    public static let all = ofRequests + ofUploads + ofResponses + ofStreams + ofConsumers + ofFailures + ofCancelling

    /// All laws but some, each of which is left out for a reason, in words.
    public static func all(but reasons: [ID: String]) -> [ConnectorLaw] {
        all.filter { reasons[$0.id] == nil }
    }

    /// The law.
    public var description: String { name }

    /// What of this law a connector violates; empty if nothing.
    public func violations(of connector: Connector, patience: Duration = defaultTimeout) async -> [Violation] {
        let details: [String]? = await Timeout(patience).result { [check] in
            do { return try await check(ConnectorTrial(connector: connector)) } catch { return ["\(error)"] }
        }
        return (details ?? ["it is not over within \(patience)"]).map { Violation(law: name, detail: $0) }
    }
}

extension ConnectorLaw {
    /// What a law is about; the names of those on cancelling say when a call is cancelled.
    public enum ID: Hashable, Sendable, CaseIterable {
        /// What arrives of a request.
        case methods, targets, queries, fragment, requestHeaders, userInfo, requestPayload, injection

        /// What arrives of a payload with files in it.
        case fileUpload, formUpload

        /// What comes back of a response.
        case statuses, responseHeaders, interim, framing, head, responsePayload, forgetting

        /// What comes back beside or in parts.
        case trailers, pace

        /// What a receiver gets, whether the connector delivers parts or a whole payload.
        case consumerParts, consumerTimeLimit, consumerLateParts, consumerCancelled, consumerCancellationError,
            consumerError

        /// What goes wrong before there is a response.
        case malformedURL, connectionRefused, hostNotFound, endWithoutAWord, closedInHead, resetInHead

        /// What goes wrong with a response.
        case malformedResponse, brokenOff, resetInPayload, payloadLimit

        /// When a call is cancelled.
        case cancelledBeforeStart, cancelledWhileConnecting, cancelledInUpload, cancelledBeforeHead, cancelledInHead,
            cancelledInPayload

        /// Many calls.
        case callsAtOnce
    }
}
