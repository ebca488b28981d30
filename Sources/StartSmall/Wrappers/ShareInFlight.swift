public import StartSmallCore
import StartSmallHeaders
import StartSmallSupport
import StartSmallFoundation

extension Wrapper {
    /// Makes one inner call for all identical requests that are in flight at the same time.
    ///
    /// ```swift
    /// let app = Connector.standard.wrapped(by: .bearer("secret"), .shareInFlight(ignoring: ["traceparent"]))
    /// ```
    ///
    /// GET and HEAD requests into memory are identical if method, URL, queries, all header fields in their order,
    /// ``Request/payloadLimit``, ``Request/options`` and the streaming wrappers of the engine are; a time limit of the
    /// call (``CallOption/timeLimit(_:clock:)``) may be shorter than that of the caller that began the inner call. All callers get the
    /// output of the inner call, be it a response or an error; only one gets its `Set-Cookie` fields, since a session
    /// belongs to one user: the first caller that has not left. Each caller can be cancelled alone, and then ends at
    /// once; when the last one has left, the inner call is cancelled, and the next caller begins a new one.
    ///
    /// After a request with an unsafe method (RFC 9110 9.2.1) through the same connector, nobody joins an inner call
    /// that began before its end: what an app reads after it has written is never older than that.
    ///
    /// - Parameter names: the names of header fields that may differ, ignoring case, such as those of request IDs. The
    ///   inner call sends the fields of its first caller. Credentials always count (``RequestIdentity``): no identity
    ///   gets the response of another one.
    /// - Passes through: other methods, GET with a payload, and requests to a file or a stream, or with an option that
    ///   differs from itself.
    /// - Order: inside of all wrappers that add credentials, such as `.bearer` and `.refreshToken`, and of a cache.
    ///   Outside of them, the credentials are not in the request yet, so that a call that starts after a login can get
    ///   a response for the identity before it. Outside of `.retry`, callers share all attempts; outside of `.log` and
    ///   `.requestID`, one request is logged, with one ID. A time limit outside of it ends only its own call; a limit
    ///   inside ends the inner call for all.
    /// - Events: the events of the inner call go to the caller that began it, while its call lasts. Each other caller
    ///   reports ``SharingInFlight``.
    /// - Errors: those of the inner call, and ``ConnectionError/cancelled`` at once when the task is cancelled.
    /// - State: the inner calls in flight, created once per wrap: all calls through the wrapped connector share it.
    ///   Task-local values of an inner call are those of the caller that began it.
    public static func shareInFlight(ignoring names: Set<String> = []) -> Wrapper {
        let names = Set(names.map { $0.lowercased() })
        return Wrapper("shareInFlight") { connector in
            let calls = InFlightCalls()
            return connector.wrapped(
                by: Wrapper { input, next in
                    // No call may wait for the output of a dry run.
                    if next.context.isDryRun { return await next(input) }
                    if let key = InFlightKey(input, ignoring: names, next) {
                        return await calls.output(of: input, key, next)
                    }
                    let output = await next(input)
                    if !input.methodAndPayload.isSafe { calls.closeAll() }
                    return output
                }
            )
        }
    }
}

/// The wait of a call for an identical request in flight, as `.shareInFlight` reports it.
public struct SharingInFlight: ReportedEvent {
    /// Creates an event.
    public init() {}

    /// The name of the event.
    public var name: String { "shared" }
}

/// The inner calls of one wrapped connector that are in flight.
private struct InFlightCalls: Sendable {
    private let calls = Locked<[InFlightKey: SharedCall]>([:])

    /// Returns the output of the inner call for a key, which begins now if none is in flight.
    func output(of input: Input, _ key: InFlightKey, _ next: Next) async -> Output {
        // Nobody could join the inner call of a call that is over.
        if next.context.isCancelled { return .noResponse(.cancelled) }
        let (call, joined) = calls.withLock { calls -> (SharedCall, SharedCall.Caller?) in
            let limit = (input.options[TimeLimit.self] ?? nil)?.remainingTime
            if let running = calls[key], let joined = running.join(next.context, for: limit) {
                return (running, joined)
            }
            let call = SharedCall(for: next.context, of: limit)
            calls[key] = call
            return (call, nil)
        }
        guard let joined else {
            return await call.output(for: call.first) {
                let output = await next(input, sharedBy: { call.callers })
                calls.withLock { if $0[key] === call { $0[key] = nil } }
                return output
            }
        }
        next.report(SharingInFlight())
        return await call.output(for: joined)
    }

    /// Removes all calls, so that nobody joins them any more; they continue for those who have joined.
    func closeAll() {
        calls.withLock { $0 = [:] }
    }
}

/// The parts of a request by which it is identical to another one, so that both can share an inner call.
///
/// Texts are compared byte by byte. The parts are compared as the app gave them, and not as an engine would send them:
/// inner wrappers can treat them differently, such as a query in the URL and a query item.
private struct InFlightKey: Hashable, Sendable {
    private let isHead: Bool
    private let url: ByteEqualString

    /// The names and values of the query items, in turn.
    private let queries: [ByteEqualString?]
    private let fields: [HTTPHeaders.Field]
    private let ignoredCredentials: RequestIdentity?
    private let payloadLimit: Int?

    /// Whether a wrapper outside follows redirects, whose payload is then given up.
    private let followsRedirects: Bool
    private let options: RequestOptions
    private let isolation: CallIsolation

    /// Creates the key of a request; nil if it can't share an inner call.
    init?(_ input: Input, ignoring names: Set<String>, _ next: Next) {
        guard input.staysInMemory, input.options == input.options else { return nil }
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
        var options = input.options
        // Each caller ends at its own limit.
        if options[TimeLimit.self] ?? nil != nil { options[TimeLimit.self] = .some(.ofAnyDuration) }
        self.options = options
        followsRedirects = next.context.followsRedirects
        isolation = next.isolation
    }
}
