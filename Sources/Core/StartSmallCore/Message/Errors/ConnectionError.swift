public import StartSmallSupport

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

    /// The response was refused by ``Wrapper/validate(_:)``.
    case rejected(Response, reason: String)

    /// A wrapper ended the call: see ``Refusal``, and ``refusal(_:)`` for its type.
    ///
    /// The response is that after which the wrapper refused to go on; nil if no request was sent.
    case refused(Refused, after: Response?)

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
    /// All known details, for developers.
    public var debugInfo: String {
        switch self {
        case .malformedURL(let info), .malformedMethod(let info), .malformedHeader(let info),
            .malformedPayload(let info), .missingCredentials(let info), .engineUnavailable(let info),
            .unwritableDestination(let info), .noDataOrNoResponse(let info):
            info
        case .cancelled: "the task was cancelled"
        case .payloadTooLarge(let response, let limit): "more than \(limit) bytes of payload: \(response)"
        case .rejected(let response, let reason): "\(reason): \(response)"
        case .refused(let refused, let response):
            refused.refusal.reason + (response.map { ", after \($0)" } ?? "")
        default: cause.map { "\($0)" } ?? ""
        }
    }

    /// The name of the case, such as `timedOut`, or of the refusal, such as `circuitOpen`, for logs and metrics.
    public var name: String {
        switch self {
        case .malformedURL: "malformedURL"
        case .malformedMethod: "malformedMethod"
        case .malformedHeader: "malformedHeader"
        case .malformedPayload: "malformedPayload"
        case .missingCredentials: "missingCredentials"
        case .engineUnavailable: "engineUnavailable"
        case .cancelled: "cancelled"
        case .timedOut: "timedOut"
        case .payloadTooLarge: "payloadTooLarge"
        case .rejected: "rejected"
        case .refused(let refused, _): refused.refusal.name
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
        case .payloadTooLarge(let response, _), .rejected(let response, _): response
        case .refused(_, let response): response
        default: cause?.partial
        }
    }

    func changingResponse(_ change: (Response) -> Response) -> ConnectionError {
        response.map { with(change($0)) } ?? self
    }

    // Not in the function above, of which each caller gets a copy.
    private func with(_ response: Response) -> ConnectionError {
        switch self {
        case .refused(let refused, _): .refused(refused, after: response)
        case .payloadTooLarge(_, let limit): .payloadTooLarge(response, limit: limit)
        case .rejected(_, let reason): .rejected(response, reason: reason)
        default: changingCause { $0.partial = response }
        }
    }

    /// Returns this error with its ``cause`` changed, if it has one.
    public func changingCause(_ change: (inout Cause) -> Void) -> ConnectionError {
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
