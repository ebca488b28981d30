import Foundation
public import StartSmall

/// The error of a recorded call that ended without a response.
///
/// The part of a response that had arrived is the ``Exchange/response`` of the exchange, and not here.
public struct RecordedFailure: Hashable, Sendable, Decodable {
    /// The name of the error, such as `connectionLost`.
    public var name: String

    /// The details of the error, without credentials; nil if there are none.
    public var text: String?

    /// The domain of the error's cause, such as `libcurl`; nil if the error has no cause.
    public var domain: String?

    /// The number of the cause in its domain; nil if the error has no cause.
    public var code: Int?

    /// The limit that was exceeded: of a payload in bytes, or of redirects; nil for other errors.
    public var limit: Int?

    /// Creates a failure from the error of a call.
    ///
    /// - Parameter error: the error; a response that it keeps is not a part of the failure.
    public init(_ error: ConnectionError) {
        name = error.name
        if let cause = error.cause { (text, domain, code) = (cause.text, cause.domain, cause.code) }
        switch error {
        case .cancelled: break
        case .payloadTooLarge(_, let limit), .tooManyRedirects(_, let limit): self.limit = limit
        case .rejected(_, let reason): text = Redaction.standard.shown(text: reason)
        default: text = text ?? Redaction.standard.shown(text: error.debugInfo)
        }
    }

    /// Returns the error for a replay; `other`, with the name and the text, for one that needs more than these.
    ///
    /// - Parameter arrived: the part of the response that had arrived; nil for none.
    public func error(after arrived: Response? = nil) -> ConnectionError {
        let text = text ?? ""
        if let error = error(text, after: arrived) { return error }
        let cause = ConnectionError.Cause(
            domain: domain ?? Self.domain,
            code: code ?? 0,
            text: text,
            partial: arrived
        )
        return switch name {
        case "timedOut": .timedOut(cause)
        case "notConnectedToInternet": .notConnectedToInternet(cause)
        case "hostNotFound": .hostNotFound(cause)
        case "connectionRefused": .connectionRefused(cause)
        case "proxyFailed": .proxyFailed(cause)
        case "secureConnectionFailed": .secureConnectionFailed(cause)
        case "serverCertificateUntrusted": .serverCertificateUntrusted(cause)
        case "clientCertificateRejected": .clientCertificateRejected(cause)
        case "connectionLost": .connectionLost(cause)
        case "malformedResponse": .malformedResponse(cause)
        case "unreadablePayload": .unreadablePayload(cause)
        case "other": .other(cause)
        default: .other(.init(domain: Self.domain, code: 0, text: "recorded as \(name): \(text)", partial: arrived))
        }
    }

    /// Returns the error without a cause that the name belongs to; nil if it belongs to another one.
    private func error(_ text: String, after arrived: Response?) -> ConnectionError? {
        let response = arrived ?? Exchange.nothing
        return switch name {
        case "malformedURL": .malformedURL(debugInfo: text)
        case "malformedMethod": .malformedMethod(debugInfo: text)
        case "malformedHeader": .malformedHeader(debugInfo: text)
        case "malformedPayload": .malformedPayload(debugInfo: text)
        case "missingCredentials": .missingCredentials(debugInfo: text)
        case "requestRefused": .requestRefused(reason: text)
        case "engineUnavailable": .engineUnavailable(debugInfo: text)
        case "cancelled": .cancelled
        case "payloadTooLarge": .payloadTooLarge(response, limit: limit ?? 0)
        case "tooManyRedirects": .tooManyRedirects(response, limit: limit ?? 0)
        case "rejected": .rejected(response, reason: text)
        case "unwritableDestination": .unwritableDestination(debugInfo: text)
        case "noDataOrNoResponse": .noDataOrNoResponse(debugInfo: text)
        default: nil
        }
    }

    /// The domain of a cause that the file does not name.
    private static let domain = "StartSmall"
}

extension RecordedFailure {
    /// Whether the call was cancelled, by its task or by the reader of a stream.
    var isCancelled: Bool { name == "cancelled" }

    /// Returns the failure with its text changed.
    func changed(by change: ExchangeChange) -> RecordedFailure {
        var failure = self
        failure.text = text.map(change.word)
        return failure
    }
}

extension Exchange {
    /// The response of a call to which not even a head arrived.
    static let nothing = Response(statusCode: .from(code: 0))

    /// The part of the response that arrived; nil if not even its head did.
    var arrived: Response? { response.statusCode.code == 0 ? nil : response }

    /// Whether the call ended without a response, for another reason than that the reader left a stream.
    var isUnanswered: Bool { failure.map { !$0.isCancelled || arrived == nil } ?? false }

    /// Returns the output for a replay, with the part that had arrived before a failure.
    ///
    /// The output is an error with instructions if the payload was over the limit.
    ///
    /// - Parameters:
    ///   - input: the new request, whose stream has the part.
    ///   - file: the name of the cassette.
    func output(for input: Input, in file: String) async -> Output {
        if let responseDigest {
            let size = responseDigest.size
            let text = """
                the response's payload of \(size) bytes is not in the cassette \(file), \
                which contains only its size and hash: record it with payloadsUpTo: \(size) or more
                """
            return .noResponse(.noDataOrNoResponse(debugInfo: text))
        }
        guard let failure else { return .hasResponse(response) }
        if failure.isCancelled, arrived == nil {
            // So that a `.timeout` ends this call again, and a `.hedge` prefers the other one.
            await Latch().wait()
            return .noResponse(.cancelled)
        }
        var head = arrived ?? Exchange.nothing
        (head.payload, head.trailers) = (Data(), [:])
        let text = """
            the recorded call was cancelled here, before its response had ended: \
            the cassette \(file) contains the \(response.payload.count) bytes that had arrived
            """
        if input.delivery == .stream, head.statusCode.isSuccess {
            let error = failure.isCancelled ? nil : failure.error(after: head)
            return .open(head, [response.payload], then: error ?? .noDataOrNoResponse(debugInfo: text))
        }
        guard failure.isCancelled else { return .noResponse(failure.error(after: arrived)) }
        return .noResponse(.noDataOrNoResponse(debugInfo: text))
    }
}
