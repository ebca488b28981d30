/// One thing that happens in a call.
///
/// A call that succeeds: `started`, `received`, `transformed`, `succeeded`, `ended`. One that fails: `started`, then
/// `received` if there was a response, then one of `noResponse`, `refused`, `malformed`, `invalid` and `cancelled`,
/// then `failed` and `ended`. With the callback form, the caller's block runs before `succeeded` or `failed`.
/// Whatever happens, there is one `started` at the beginning and one `ended` at the end, and nothing after that.
/// Events of wrappers and connectors come between `started` and the next of these. One that another thread is still
/// reporting when the call ends is delivered first.
public enum Event: Hashable, Sendable {
    /// The call began, with this input; nil if the endpoint could not build one, and `noResponse` says why.
    case started(Input?)

    /// A whole response came.
    case received(Response)

    /// The status and the header fields of a response came.
    ///
    /// Where the payload is taken in parts, as by a file or a stream, this comes before it, once for each response that is
    /// delivered. Where the payload goes into memory, it comes only from the kit's engines, and only if the call ends before
    /// the payload is whole.
    case receivedHead(Response)

    /// The response was read as a value.
    case transformed

    /// The call ended with a value.
    case succeeded

    /// The connector found no response.
    case noResponse(ConnectionError)

    /// The transform does not accept the response's status.
    case refused(Response)

    /// The transform can't read the response's payload.
    case malformed(Response, debugInfo: String)

    /// The transform refuses the value it read.
    case invalid(Response, reason: String)

    /// The task of the call was cancelled.
    case cancelled

    /// The call ended without a value; the event before says why.
    case failed

    /// The call is over.
    case ended

    /// The server asks for another URL, which is called next.
    case redirecting(Redirection)

    /// The call is made again, after a wait that begins now.
    case retrying(RetryAttempt)

    /// The call waits for a new token: the response rejected the old one, nil if that had only expired; `isFirst` if it
    /// is this call that has it refreshed.
    case refreshing(after: Response?, isFirst: Bool)

    /// The call goes on with another token than it had.
    case refreshed

    /// The call waits for its turn behind this many others.
    case waiting(behind: Int)

    /// Payload was sent or received; at most 20 times a second, and once more at the end, unless no byte went by.
    case progress(TransferProgress)

    /// A request over the network is done, well or not, and where its time went; one for each redirect and each try that
    /// reached a server.
    ///
    /// `.urlSession()` on Linux knows little of it.
    case timings(RequestTimings)

    /// Something that a wrapper or connector of one's own tells.
    case custom(name: String, detail: String)
}

extension Event {
    /// The case's name, such as `started`.
    public var name: String {
        switch self {
        case .started: "started"
        case .received: "received"
        case .receivedHead: "receivedHead"
        case .transformed: "transformed"
        case .succeeded: "succeeded"
        case .noResponse: "noResponse"
        case .refused: "refused"
        case .malformed: "malformed"
        case .invalid: "invalid"
        case .cancelled: "cancelled"
        case .failed: "failed"
        case .ended: "ended"
        case .redirecting: "redirecting"
        case .retrying: "retrying"
        case .refreshing: "refreshing"
        case .refreshed: "refreshed"
        case .waiting: "waiting"
        case .progress: "progress"
        case .timings: "timings"
        case .custom(let name, _): name
        }
    }
}

extension Event {
    /// Whether it is for the call itself to tell, and for no wrapper or connector.
    var isTheCalls: Bool {
        switch self {
        case .started, .received, .transformed, .succeeded, .noResponse, .refused, .malformed, .invalid, .cancelled,
            .failed, .ended:
            true
        case .receivedHead, .redirecting, .retrying, .refreshing, .refreshed, .waiting, .progress, .timings, .custom:
            false
        }
    }
}

/// A failure of a transform that knows which event tells of it; any other is told of as ``Event/invalid(_:reason:)``.
public protocol TransformFailure: Error {
    /// The event that listeners hear.
    var event: Event { get }
}

extension TransformError: TransformFailure {
    /// The event that listeners hear.
    public var event: Event {
        switch self {
        case .problem(_, let response), .unexpectedStatusCode(let response): .refused(response)
        case .malformedData(let response, let debugInfo): .malformed(response, debugInfo: debugInfo)
        case .invalid(let response, let reason): .invalid(response, reason: reason)
        }
    }
}
