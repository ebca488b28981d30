public import StartSmallCore
import StartSmall
import StartSmallSupport
import StartSmallFoundation

/// The error of a recorded call that ended without a response.
///
/// The part of a response that had arrived is the ``Exchange/response`` of the exchange, and not here.
public struct RecordedFailure: Hashable, Sendable, Codable {
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

    /// The facts of a refusal by a wrapper; nil for other errors.
    public var refusal: RecordedRefusal?

    /// Creates a failure from the error of a call.
    ///
    /// - Parameter error: the error; a response that it keeps is not a part of the failure.
    public init(_ error: ConnectionError) {
        name = error.name
        if let cause = error.cause { (text, domain, code) = (cause.text, cause.domain, cause.code) }
        switch error {
        case .cancelled: break
        case .payloadTooLarge(_, let limit): self.limit = limit
        case .refused(let refused, _):
            limit = error.refusal(TooManyRedirects.self)?.limit
            text = Redaction.standard.shown(text: refused.refusal.reason)
            let hasType = refused.refusal is RequestRefused || refused.refusal is TooManyRedirects
            refusal = hasType ? nil : RecordedRefusal(refused.refusal)
        case .rejected(_, let reason): text = Redaction.standard.shown(text: reason)
        default: text = text ?? Redaction.standard.shown(text: error.debugInfo)
        }
    }

    /// Returns the error for a replay; a refusal has its own type if the file has all of it, or else its facts.
    ///
    /// - Parameter arrived: the part of the response that had arrived; nil for none.
    public func error(after arrived: Response? = nil) -> ConnectionError {
        let (text, response) = (text ?? "", arrived ?? Exchange.nothing)
        let cause = ConnectionError.Cause(domain: domain ?? Self.domain, code: code ?? 0, text: text, partial: arrived)
        if var refusal {
            refusal.reason = text
            return .refused(refusal, after: arrived)
        }
        let errors: [ConnectionError] = [
            .timedOut(cause), .notConnectedToInternet(cause), .hostNotFound(cause), .connectionRefused(cause),
            .proxyFailed(cause), .secureConnectionFailed(cause), .serverCertificateUntrusted(cause),
            .clientCertificateRejected(cause), .connectionLost(cause), .malformedResponse(cause),
            .unreadablePayload(cause), .other(cause), .malformedURL(debugInfo: text), .malformedMethod(debugInfo: text),
            .malformedHeader(debugInfo: text), .malformedPayload(debugInfo: text), .missingCredentials(debugInfo: text),
            .requestRefused(reason: text), .engineUnavailable(debugInfo: text), .cancelled,
            .payloadTooLarge(response, limit: limit ?? 0), .tooManyRedirects(response, limit: limit ?? 0),
            .rejected(response, reason: text), .unwritableDestination(debugInfo: text),
            .noDataOrNoResponse(debugInfo: text),
        ]
        return errors.first { $0.name.isSame(as: name) }
            ?? .other(.init(domain: Self.domain, code: 0, text: "recorded as \(name): \(text)", partial: arrived))
    }

    /// The domain of a cause that the file does not name.
    private static let domain = "StartSmall"
}

extension RecordedFailure {
    /// Whether the call was cancelled, by its task or by the reader of a stream.
    package var isCancelled: Bool { name == "cancelled" && refusal == nil }
}

/// A recorded refusal: its name, its reason and its facts, in place of a value of its type.
public struct RecordedRefusal: Refusal, Codable {
    /// The name of the refusal, such as `circuitOpen`.
    public let name: String

    /// The reason, without credentials: ``RecordedFailure/text`` of the failure, and no second time in the file.
    public internal(set) var reason = ""

    /// Whether a repetition with a short delay may succeed.
    public let isTransient: Bool

    /// The part whose change lets a later call pass.
    public let fault: ConnectionError.Fault

    private let mayPass: Bool
    private let until: Date?

    private enum CodingKeys: CodingKey {
        case name, isTransient, fault, mayPass, until
    }

    init(_ refusal: any Refusal) {
        (name, isTransient, fault) = (refusal.name, refusal.isTransient, refusal.fault)
        (mayPass, until) =
            switch refusal.end {
            case .never: (false, nil)
            case .unknown: (true, nil)
            case .at(let date): (true, date)
            }
    }

    /// The time from which a call may pass.
    public var end: RefusalEnd { until.map { .at($0) } ?? (mayPass ? .unknown : .never) }
}
