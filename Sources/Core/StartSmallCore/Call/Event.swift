/// One event of a call, as a listener receives it.
///
/// A call that succeeds reports `started`, `received`, `transformed`, `succeeded`, `ended`. A call that fails reports
/// `started`, then `received` if a complete response was returned, or rejected by ``Wrapper/validate(_:)``, then one of
/// `noResponse`, `rejected`, `malformed`, `invalid` and `cancelled`, then `failed` and `ended`.
///
/// - There is always one `started` at the beginning and one `ended` at the end, and nothing after `ended`.
/// - With the callback form, the caller's block runs before `succeeded` or `failed`.
/// - No event keeps the file or the body of a response.
/// - Events of wrappers and connectors come between `started` and the call's next event.
/// - Listeners get one event of a call at a time. An event that is reported while a listener runs, by it or on another
///   thread, is delivered after it by the thread of the listener, and who reported it goes on at once. So a listener
///   must not wait for another event of its call.
public enum Event: Equatable, Sendable {
    /// The call began with this input; nil if the endpoint could not build one, with the reason in `noResponse`.
    case started(Input?)

    /// A complete response arrived.
    case received(Response)

    /// The status and the header fields of a response arrived.
    ///
    /// For a payload that is delivered in parts, for example to a file or a stream, this event comes before the
    /// payload, once for each delivered response. In memory: reported by engines only, if the payload breaks off.
    case receivedHead(Response)

    /// The transform read the response as a value.
    case transformed

    /// The call ended with a value.
    case succeeded

    /// The connector returned no response.
    case noResponse(ConnectionError)

    /// The transform does not accept the status of the response.
    case rejected(Response)

    /// The transform can't read the payload of the response.
    case malformed(Response, debugInfo: String)

    /// A rule of the app rejects the response (``ConnectionError/rejected(_:reason:)``), or the value that was read.
    case invalid(Response, reason: String)

    /// The task of the call was cancelled.
    case cancelled

    /// The call ended without a value, for the reason in the event before.
    case failed

    /// The call is over.
    case ended

    /// Payload was sent or received.
    ///
    /// There are at most 20 such events a second, and one more at the end, unless no byte was transferred.
    case progress(TransferProgress)

    /// A network request ended, successfully or not; the timings show where its time went.
    ///
    /// There is one such event for each redirect and each attempt that reached a server. `.urlSession()` on Linux
    /// measures little of this.
    case timings(RequestTimings)

    // In a box: a value of any type is copied at run-time cost, with each event.
    /// A value that a wrapper or connector reported, such as a retry; see ``ReportedEvent``.
    indirect case reported(Reported)
}

extension Event {
    /// The name of the case, such as `started`, or of the reported value, such as `retrying`.
    public var name: String {
        switch self {
        case .started: "started"
        case .received: "received"
        case .receivedHead: "receivedHead"
        case .transformed: "transformed"
        case .succeeded: "succeeded"
        case .noResponse: "noResponse"
        case .rejected: "rejected"
        case .malformed: "malformed"
        case .invalid: "invalid"
        case .cancelled: "cancelled"
        case .failed: "failed"
        case .ended: "ended"
        case .progress: "progress"
        case .timings: "timings"
        case .reported(let reported): reported.event.name
        }
    }
}

extension Event {
    /// Whether the event is the reason for which a call fails: no response, a response without a value, or a
    /// cancellation.
    public var isFailure: Bool {
        switch self {
        case .noResponse, .rejected, .malformed, .invalid, .cancelled: true
        default: false
        }
    }

    /// Whether only the call itself reports this event, and no wrapper or connector.
    var isReportedByCall: Bool {
        switch self {
        case .receivedHead, .progress, .timings, .reported: false
        case .started, .received, .transformed, .succeeded, .noResponse, .rejected, .malformed, .invalid, .cancelled,
            .failed, .ended:
            true
        }
    }
}

/// A ``TransformError`` of any problem; any other failure is reported as ``Event/invalid(_:reason:)``.
protocol TransformFailure: Error {
    /// The event that reports this failure to listeners.
    var event: Event { get }
}

extension TransformError: TransformFailure {
    package var event: Event {
        switch self {
        case .problem(_, let response), .unexpectedStatusCode(let response): .rejected(response)
        case .malformedData(let response, let debugInfo): .malformed(response, debugInfo: debugInfo)
        case .invalid(let response, let reason): .invalid(response, reason: reason)
        }
    }
}
