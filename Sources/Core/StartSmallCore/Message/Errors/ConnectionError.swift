public import StartSmallSupport
public import StartSmallFoundation

/// An error that explains why a transform has no response to read, with one case for each distinguishable cause.
///
/// Some cases keep a response, as ``response``: a complete one that was refused, or the part that had arrived. No case
/// describes the meaning of a status: a ``Response`` of any status reaches the transform, unless a wrapper refuses it.
/// No text of an error contains a credential.
public indirect enum ConnectionError: Error, Hashable, Sendable {
    // Detected before anything is sent.

    /// The URL is invalid, has no host or one that is not ASCII, or is neither `http` nor `https`.
    case malformedURL(debugInfo: String)

    /// The method is not a token, or can't carry the given payload.
    case malformedMethod(debugInfo: String)

    /// A header field could break the message, or could not be computed.
    case malformedHeader(debugInfo: String)

    /// The payload can't be encoded or read.
    case malformedPayload(debugInfo: String)

    /// The app has no credentials to send, or none that can be sent.
    case missingCredentials(debugInfo: String)

    /// The request may not be sent: the address policy of the engine refuses each address of the host, or a custom
    /// wrapper refused the request, such as one that enforces its own limit.
    case requestRefused(reason: String)

    /// The engine can't be used.
    ///
    /// The cause is a missing library, or a certificate, key or list from the options, or a process that is out of
    /// descriptors or memory.
    case engineUnavailable(debugInfo: String)

    // Ended by the client.

    /// The task of the call was cancelled.
    case cancelled

    /// A time limit was exceeded.
    ///
    /// Nothing was transferred for the engine's idle timeout, or the call took longer than
    /// ``Wrapper/timeout(_:clock:)`` or ``Wrapper/deadline(_:clock:)`` allow.
    case timedOut(Cause)

    /// The payload is larger than the limit; the response is what had arrived, without the part over the limit.
    case payloadTooLarge(Response, limit: Int)

    /// The server redirected more often than allowed; the response is the redirect that was not followed.
    case tooManyRedirects(Response, limit: Int)

    /// The response was refused by ``Wrapper/validate(_:)``.
    case rejected(Response, reason: String)

    /// The token refresh failed; the response rejected the old token, and is nil if that token had only expired.
    case refreshFailed(RefreshFailure, after: Response?)

    /// The limit of running calls is reached, and so is the limit of waiting calls.
    case tooManyCalls(limit: Int, waiting: Int)

    /// A circuit breaker sends no requests before a time, since the service fails.
    case circuitOpen(until: Date)

    /// A limit of requests allows none before a time, which is too far away to wait for.
    case rateLimited(until: Date)

    /// The payload can't be written to its file.
    case unwritableDestination(debugInfo: String)

    // Failed to connect to the server.

    /// The machine has no network.
    case notConnectedToInternet(Cause)

    /// The host name has no address.
    case hostNotFound(Cause)

    /// The host refused the connection, or can't be reached.
    case connectionRefused(Cause)

    /// The proxy can't be found, or refuses.
    case proxyFailed(Cause)

    /// A secure connection could not be made, for another reason than the server's identity.
    case secureConnectionFailed(Cause)

    /// The server could not prove its identity: its certificate is untrusted, expired, or for another host.
    case serverCertificateUntrusted(Cause)

    /// The server did not accept the client's certificate, or requires one.
    case clientCertificateRejected(Cause)

    // Failed during the exchange.

    /// The connection was lost before the response was complete.
    case connectionLost(Cause)

    /// The server's bytes are not HTTP, contradict themselves, or are a part of a payload that was not requested.
    case malformedResponse(Cause)

    /// The payload can't be decompressed, or ends before its compressed data does.
    case unreadablePayload(Cause)

    /// The engine returned neither data nor a response, nor an error that it could name.
    case noDataOrNoResponse(debugInfo: String)

    /// Any other error of the engine.
    case other(Cause)
}

extension ConnectionError {
    /// Whether a time limit had passed before anything was sent, as it will have for a retry.
    package var isWithoutTime: Bool { self == .timedOut(.noTimeLeft) }

    /// All known details, for developers.
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
        case .tooManyCalls(let limit, let waiting):
            "the limits of \(limit) running and \(waiting) waiting calls are reached"
        case .circuitOpen(let date): "the service fails, and gets no request before \(date.ISO8601Format())"
        case .rateLimited(let date): "the limit of requests is reached, until \(date.ISO8601Format())"
        default: cause.map { "\($0)" } ?? ""
        }
    }

    /// The name of the case, such as `timedOut`, for logs and metrics.
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
        case .circuitOpen: "circuitOpen"
        case .rateLimited: "rateLimited"
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

    /// Hashes the name and the response; the other parts are compared only.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(response)
    }

    /// The cause that the engine or the kit reported; nil if there is none.
    public var cause: Cause? {
        switch self {
        case .timedOut(let cause), .notConnectedToInternet(let cause), .hostNotFound(let cause),
            .connectionRefused(let cause), .proxyFailed(let cause), .secureConnectionFailed(let cause),
            .serverCertificateUntrusted(let cause), .clientCertificateRejected(let cause), .connectionLost(let cause),
            .malformedResponse(let cause), .unreadablePayload(let cause), .other(let cause):
            cause
        default: nil
        }
    }

    /// The response that the error keeps: a complete one that was refused, or the part that had arrived; nil if there
    /// is none.
    public var response: Response? {
        switch self {
        case .payloadTooLarge(let response, _), .tooManyRedirects(let response, _), .rejected(let response, _): response
        case .refreshFailed(_, let response): response
        default: cause?.partial
        }
    }

    package func changingResponse(_ change: (Response) -> Response) -> ConnectionError {
        response.map { with(change($0)) } ?? self
    }

    // Not in the function above, of which each caller gets a copy.
    private func with(_ response: Response) -> ConnectionError {
        switch self {
        case .refreshFailed(let failure, _): .refreshFailed(failure, after: response)
        case .payloadTooLarge(_, let limit): .payloadTooLarge(response, limit: limit)
        case .tooManyRedirects(_, let limit): .tooManyRedirects(response, limit: limit)
        case .rejected(_, let reason): .rejected(response, reason: reason)
        default: changingCause { $0.partial = response }
        }
    }

    package func changingCause(_ change: (inout Cause) -> Void) -> ConnectionError {
        guard var cause else { return self }
        change(&cause)
        return with(cause)
    }

    private func with(_ cause: Cause) -> ConnectionError {
        switch self {
        case .timedOut: .timedOut(cause)
        case .notConnectedToInternet: .notConnectedToInternet(cause)
        case .hostNotFound: .hostNotFound(cause)
        case .connectionRefused: .connectionRefused(cause)
        case .proxyFailed: .proxyFailed(cause)
        case .secureConnectionFailed: .secureConnectionFailed(cause)
        case .serverCertificateUntrusted: .serverCertificateUntrusted(cause)
        case .clientCertificateRejected: .clientCertificateRejected(cause)
        case .connectionLost: .connectionLost(cause)
        case .malformedResponse: .malformedResponse(cause)
        case .unreadablePayload: .unreadablePayload(cause)
        case .other: .other(cause)
        default: self
        }
    }
}

extension ConnectionError: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The name of the case and all known details, on one line, with credentials redacted.
    public var description: String {
        "\(name): \(Redaction.standard.shown(text: debugInfo))"
    }
}
