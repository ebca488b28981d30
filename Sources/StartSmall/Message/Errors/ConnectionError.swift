/// Why there is no response: one case for each thing that an engine can tell apart.
///
/// No case says anything of what a server meant: whatever has a status is a ``Response``. No text in here holds a
/// credential.
public indirect enum ConnectionError: Error, Hashable, Sendable {
    // Found before anything is sent.

    /// The URL is none, or has no host, or is neither `http` nor `https`.
    case malformedURL(debugInfo: String)

    /// The method is not a token, or can't carry the payload it was given.
    case malformedMethod(debugInfo: String)

    /// A header field could break the message, or could not be computed.
    case malformedHeader(debugInfo: String)

    /// The payload can't be encoded or read.
    case malformedPayload(debugInfo: String)

    /// The app has no credentials to send, or none that can be sent.
    case missingCredentials(debugInfo: String)

    /// A wrapper of the app refused to send the request, such as one that guards a limit of its own.
    case requestRefused(reason: String)

    /// The engine can't be used: its library is missing, or a certificate, key or list that it was told to use, or the
    /// process is out of descriptors or memory.
    case engineUnavailable(debugInfo: String)

    // The call was ended by us.

    /// The task of the call was cancelled.
    case cancelled

    /// A limit of time was over: nothing moved for the engine's idle timeout, or the call took longer than
    /// ``Wrapper/timeout(_:clock:)`` or ``Wrapper/deadline(_:clock:)`` allow.
    case timedOut(Cause)

    /// The payload is larger than the limit; the response is what had arrived, without the part over the limit.
    case payloadTooLarge(Response, limit: Int)

    /// The server redirected more often than allowed; the response is the redirect that was not followed.
    case tooManyRedirects(Response, limit: Int)

    /// There is a response, and ``Wrapper/validate(_:)`` refused it.
    case rejected(Response, reason: String)

    /// There is no new token; the response is the one that rejected the old one, nil if that had only expired.
    case refreshFailed(RefreshFailure, after: Response?)

    /// As many calls as allowed are running, and as many as allowed wait for their turn.
    case tooManyCalls(limit: Int, waiting: Int)

    /// The payload can't go where it was to go: a file can't be written, or a receiver refused a part.
    case unwritableDestination(debugInfo: String)

    // The engine found no way to the server.

    /// The machine has no network.
    case notConnectedToInternet(Cause)

    /// The name of the host has no address.
    case hostNotFound(Cause)

    /// The host refused the connection, or can't be reached.
    case connectionRefused(Cause)

    /// The proxy can't be found, or refuses.
    case proxyFailed(Cause)

    /// A secure connection could not be made, for another reason than the server's identity.
    case secureConnectionFailed(Cause)

    /// The server could not prove who it is: its certificate is untrusted, expired, or for another host.
    case serverCertificateUntrusted(Cause)

    /// The server did not accept the client's certificate, or demands one.
    case clientCertificateRejected(Cause)

    // The conversation broke.

    /// The connection was lost before the response was whole.
    case connectionLost(Cause)

    /// The server's bytes are not HTTP, contradict themselves, or are a part of a payload that was not asked for.
    case malformedResponse(Cause)

    /// The payload can't be decompressed, or ends before its compressed data does.
    case unreadablePayload(Cause)

    /// There is neither data nor a response, nor an error that the engine could name.
    case noDataOrNoResponse(debugInfo: String)

    /// Anything else that the engine said.
    case other(Cause)
}

extension ConnectionError {
    /// Whether a limit of time was past before anything was sent, as it will be the next time.
    var isWithoutTime: Bool { self == .timedOut(.noTimeLeft) }

    /// All that is known, for a developer to read.
    public var debugInfo: String {
        switch self {
        case .malformedURL(let info), .malformedMethod(let info), .malformedHeader(let info),
            .malformedPayload(let info), .missingCredentials(let info), .engineUnavailable(let info),
            .unwritableDestination(let info), .noDataOrNoResponse(let info):
            info
        case .requestRefused(let reason): reason
        case .cancelled: "the task was cancelled"
        case .payloadTooLarge(let response, let limit): "more than \(limit) bytes of payload: \(response)"
        case .tooManyRedirects(let response, let limit): "more than \(limit) redirects: \(response)"
        case .rejected(let response, let reason): "\(reason): \(response)"
        case .refreshFailed(let failure, let response): "\(failure)" + (response.map { ", after \($0)" } ?? "")
        case .tooManyCalls(let limit, let waiting): "\(limit) calls at once are allowed, and \(waiting) waiting"
        default: cause.map { "\($0)" } ?? ""
        }
    }

    /// What the engine, or the kit itself, said; nil where there is none.
    public var cause: Cause? {
        switch self {
        case .malformedURL, .malformedMethod, .malformedHeader, .malformedPayload, .missingCredentials,
            .requestRefused, .engineUnavailable, .cancelled, .payloadTooLarge, .tooManyRedirects, .rejected,
            .refreshFailed, .tooManyCalls, .unwritableDestination, .noDataOrNoResponse:
            nil
        case .timedOut(let cause), .notConnectedToInternet(let cause), .hostNotFound(let cause),
            .connectionRefused(let cause), .proxyFailed(let cause), .secureConnectionFailed(let cause),
            .serverCertificateUntrusted(let cause), .clientCertificateRejected(let cause),
            .connectionLost(let cause), .malformedResponse(let cause), .unreadablePayload(let cause),
            .other(let cause):
            cause
        }
    }

    /// What it keeps of a response: a whole one that was refused, or what had arrived.
    var keptResponse: Response? {
        switch self {
        case .payloadTooLarge(let response, _), .tooManyRedirects(let response, _), .rejected(let response, _): response
        case .refreshFailed(_, let response): response
        default: cause?.partial
        }
    }

    /// The same, what it keeps of a response changed.
    func changingResponse(_ change: (Response) -> Response) -> ConnectionError {
        func changing(_ cause: Cause) -> Cause {
            var cause = cause
            cause.partial = cause.partial.map(change)
            return cause
        }
        return switch self {
        case .malformedURL, .malformedMethod, .malformedHeader, .malformedPayload, .missingCredentials,
            .requestRefused, .engineUnavailable, .cancelled, .tooManyCalls, .unwritableDestination, .noDataOrNoResponse:
            self
        case .refreshFailed(let failure, let response): .refreshFailed(failure, after: response.map(change))
        case .payloadTooLarge(let response, let limit): .payloadTooLarge(change(response), limit: limit)
        case .tooManyRedirects(let response, let limit): .tooManyRedirects(change(response), limit: limit)
        case .rejected(let response, let reason): .rejected(change(response), reason: reason)
        case .timedOut(let cause): .timedOut(changing(cause))
        case .notConnectedToInternet(let cause): .notConnectedToInternet(changing(cause))
        case .hostNotFound(let cause): .hostNotFound(changing(cause))
        case .connectionRefused(let cause): .connectionRefused(changing(cause))
        case .proxyFailed(let cause): .proxyFailed(changing(cause))
        case .secureConnectionFailed(let cause): .secureConnectionFailed(changing(cause))
        case .serverCertificateUntrusted(let cause): .serverCertificateUntrusted(changing(cause))
        case .clientCertificateRejected(let cause): .clientCertificateRejected(changing(cause))
        case .connectionLost(let cause): .connectionLost(changing(cause))
        case .malformedResponse(let cause): .malformedResponse(changing(cause))
        case .unreadablePayload(let cause): .unreadablePayload(changing(cause))
        case .other(let cause): .other(changing(cause))
        }
    }

    /// The case's name, such as `timedOut`: for logs and metrics.
    public var name: String {
        switch self {
        case .malformedURL: "malformedURL"
        case .malformedMethod: "malformedMethod"
        case .malformedHeader: "malformedHeader"
        case .malformedPayload: "malformedPayload"
        case .missingCredentials: "missingCredentials"
        case .requestRefused: "requestRefused"
        case .engineUnavailable: "engineUnavailable"
        case .cancelled: "cancelled"
        case .timedOut: "timedOut"
        case .payloadTooLarge: "payloadTooLarge"
        case .tooManyRedirects: "tooManyRedirects"
        case .rejected: "rejected"
        case .refreshFailed: "refreshFailed"
        case .tooManyCalls: "tooManyCalls"
        case .unwritableDestination: "unwritableDestination"
        case .notConnectedToInternet: "notConnectedToInternet"
        case .hostNotFound: "hostNotFound"
        case .connectionRefused: "connectionRefused"
        case .proxyFailed: "proxyFailed"
        case .secureConnectionFailed: "secureConnectionFailed"
        case .serverCertificateUntrusted: "serverCertificateUntrusted"
        case .clientCertificateRejected: "clientCertificateRejected"
        case .connectionLost: "connectionLost"
        case .malformedResponse: "malformedResponse"
        case .unreadablePayload: "unreadablePayload"
        case .noDataOrNoResponse: "noDataOrNoResponse"
        case .other: "other"
        }
    }
}

extension ConnectionError: CustomStringConvertible {
    /// The case's name and all that is known, on one line, credentials redacted.
    public var description: String {
        "\(name): \(Redaction.standard.shown(text: debugInfo))"
    }
}
