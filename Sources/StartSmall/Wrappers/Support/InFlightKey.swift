import Foundation

/// The parts of a request by which it is identical to another one, so that both can share an inner call.
///
/// Texts are compared byte by byte. The parts are compared as the app gave them, and not as an engine would send them:
/// inner wrappers can treat them differently, such as a query in the URL and a query item.
struct InFlightKey: Hashable, Sendable {
    private let isHead: Bool
    private let url: ByteEqualString

    /// The names and values of the query items, in turn.
    private let queries: [ByteEqualString?]
    private let fields: [HTTPHeaders.Field]

    /// The credentials among the ignored fields.
    private let ignoredCredentials: RequestIdentity?
    private let payloadLimit: Int?

    /// The streaming wrappers of the inner call, which a connector may have gained after `.shareInFlight`.
    private let streamingID: UInt64?

    /// The refreshes that the caller is a part of, whose requests are sent without a token.
    private let refreshes: [UInt64: Int]

    /// Creates the key of a request; nil if it can't share an inner call.
    ///
    /// - Parameters:
    ///   - input: the request.
    ///   - names: the names of the header fields to ignore, in lower case.
    ///   - next: the inner connector.
    init?(_ input: Input, ignoring names: Set<String>, _ next: Next) {
        guard input.staysInMemory else { return nil }
        switch input.methodAndPayload {
        case .get: isHead = false
        case .head: isHead = true
        default: return nil
        }
        url = ByteEqualString(input.url.absoluteString)
        queries = input.queries.flatMap { [ByteEqualString($0.name), $0.value.map { ByteEqualString($0) }] }
        if names.isEmpty {
            (fields, ignoredCredentials) = (input.headers.fields, nil)
        } else {
            let isIgnored = { (field: HTTPHeaders.Field) in names.contains(field.name.lowercased()) }
            fields = input.headers.fields.filter { !isIgnored($0) }
            ignoredCredentials = RequestIdentity(HTTPHeaders(input.headers.fields.filter(isIgnored)))
        }
        payloadLimit = input.payloadLimit
        streamingID = next.handler.streamingID
        refreshes = RefreshCoordinator.refreshesInThisTask
    }
}
