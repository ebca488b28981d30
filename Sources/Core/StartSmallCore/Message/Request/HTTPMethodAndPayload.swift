public import StartSmallSupport
public import StartSmallFoundation

/// A method with its payload, such that a method without a payload can't be given one.
///
/// RFC 9110 9.3, and RFC 5789 for PATCH.
public indirect enum HTTPMethodAndPayload: Hashable, Sendable {
    /// Reads a resource (RFC 9110 9.3.1).
    case get

    /// Reads the response to GET, without the payload (RFC 9110 9.3.2).
    case head

    /// Lets the resource process the payload (RFC 9110 9.3.3).
    case post(payload: Payload?)

    /// Replaces a resource with the payload (RFC 9110 9.3.4).
    case put(payload: Payload?)

    /// Removes a resource (RFC 9110 9.3.5).
    case delete(payload: Payload?)

    /// Opens a tunnel (RFC 9110 9.3.6); engines do this themselves, and refuse the method here.
    case connect

    /// Requests the communication options of a resource (RFC 9110 9.3.7).
    case options(payload: Payload?)

    /// Requests an echo of the request as it arrived (RFC 9110 9.3.8).
    case trace

    /// Changes a resource as the payload describes (RFC 5789).
    case patch(payload: Payload?)

    /// Any other method; its name is case-sensitive (RFC 9110 9.1).
    case custom(method: String, payload: Payload?)
}

extension HTTPMethodAndPayload: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The method on one line, and the type and size of the payload.
    public var description: String {
        Redaction.standard.shown(text: method) + (payload.map { ", \($0)" } ?? "")
    }
}

extension HTTPMethodAndPayload {
    /// Creates the case for the name of a method.
    ///
    /// GET, HEAD, TRACE and CONNECT have no place for a payload: with one they become `custom`, so that nothing is lost
    /// here, and `ValidatedRequest` refuses them. A name that is not of RFC 9110 or RFC 5789 becomes `custom`, too.
    ///
    /// - Parameters:
    ///   - method: the name of the method, case-sensitive.
    ///   - payload: the payload; nil for none.
    public init(method: String, payload: Payload? = nil) {
        self =
            switch method {
            case "GET" where payload == nil: .get
            case "HEAD" where payload == nil: .head
            case "POST": .post(payload: payload)
            case "PUT": .put(payload: payload)
            case "DELETE": .delete(payload: payload)
            case "CONNECT" where payload == nil: .connect
            case "OPTIONS": .options(payload: payload)
            case "TRACE" where payload == nil: .trace
            case "PATCH": .patch(payload: payload)
            default: .custom(method: method, payload: payload)
            }
    }

    /// The name of the method, as in the request line.
    public var method: String {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .delete: "DELETE"
        case .connect: "CONNECT"
        case .options: "OPTIONS"
        case .trace: "TRACE"
        case .patch: "PATCH"
        case .custom(let method, _): method
        }
    }

    /// The methods that only read, by their registration (RFC 9110 9.2.1 and 18.2; RFC 3253, 4918, 5323 and 9113, and
    /// draft-ietf-httpbis-safe-method-w-body for QUERY).
    ///
    /// With ``idempotentMethods``, this is the only table of what a method means. An unknown method may change
    /// anything.
    private static let safeMethods: Set = [
        "GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "REPORT", "SEARCH", "QUERY", "PRI",
    ]

    /// The methods that are not safe, but of which several identical requests have the effect of one (RFC 9110 9.2.2).
    private static let idempotentMethods: Set = ["PUT", "DELETE"]

    /// Whether the method only reads: GET, HEAD, OPTIONS, TRACE, PROPFIND, REPORT, SEARCH or QUERY (RFC 9110 9.2.1).
    ///
    /// A method that is not known here may change anything, and is not safe.
    public var isSafe: Bool { Self.safeMethods.contains(method) }

    /// Whether several identical requests have the effect of one: a safe method, PUT or DELETE (RFC 9110 9.2.2).
    public var isIdempotent: Bool { Self.isIdempotent(method) }

    private static func isIdempotent(_ method: String) -> Bool {
        safeMethods.contains(method) || idempotentMethods.contains(method)
    }

    /// The field by which a server recognises a repeated request (draft-ietf-httpapi-idempotency-key-header).
    private static let idempotencyKeyHeader = "Idempotency-Key"

    /// Whether a request may be sent a second time without asking.
    ///
    /// True if the method is idempotent, or if the request has an idempotency key
    /// (draft-ietf-httpapi-idempotency-key-header).
    package static func isResendable(_ method: String, _ headers: HTTPHeaders) -> Bool {
        isIdempotent(method) || headers.contains(idempotencyKeyHeader)
    }

    /// The payload; nil if there is none.
    public var payload: Payload? {
        switch self {
        case .get, .head, .connect, .trace: nil
        case .post(let payload), .put(let payload), .delete(let payload), .options(let payload), .patch(let payload):
            payload
        case .custom(_, let payload): payload
        }
    }

    /// The bytes of the payload if they are in memory; nil otherwise.
    public var body: Data? {
        guard case .data(let data)? = payload?.content else { return nil }
        return data
    }
}
