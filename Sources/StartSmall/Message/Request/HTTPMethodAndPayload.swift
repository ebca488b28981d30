public import Foundation

/// A method and what it carries, so that a method that can't carry a payload can't be given one.
///
/// RFC 9110 9.3, and RFC 5789 for PATCH.
public indirect enum HTTPMethodAndPayload: Hashable, Sendable {
    /// Reads a resource (RFC 9110 9.3.1).
    case get

    /// Reads what GET would answer, without the payload (RFC 9110 9.3.2).
    case head

    /// Has the resource process the payload (RFC 9110 9.3.3).
    case post(payload: Payload?)

    /// Replaces a resource by the payload (RFC 9110 9.3.4).
    case put(payload: Payload?)

    /// Removes a resource (RFC 9110 9.3.5).
    case delete(payload: Payload?)

    /// Opens a tunnel (RFC 9110 9.3.6); engines do this on their own, and refuse it here.
    case connect

    /// Asks what can be done with a resource (RFC 9110 9.3.7).
    case options(payload: Payload?)

    /// Has the request sent back as it arrived (RFC 9110 9.3.8).
    case trace

    /// Changes a resource as the payload says (RFC 5789).
    case patch(payload: Payload?)

    /// Any other method; its name is case-sensitive (RFC 9110 9.1).
    case custom(method: String, payload: Payload?)
}

extension HTTPMethodAndPayload {
    /// Creates the case of a method's name, which is case-sensitive, with a payload if there is one.
    ///
    /// GET, HEAD, TRACE and CONNECT have no place for a payload: with one they become `custom`, so that nothing is lost
    /// here, and ``ValidatedRequest`` refuses them. A name that is not of RFC 9110 or RFC 5789 becomes `custom` too.
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

    /// The method as it stands in the request line.
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

    /// Whether doing it twice has the effect of doing it once (RFC 9110 9.2.2).
    ///
    /// A method of one's own is not, as far as is known here.
    public var isIdempotent: Bool { Self.idempotentMethods.contains(method) }

    private static let idempotentMethods: Set = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"]

    /// The field by which a server knows a request that comes again (draft-ietf-httpapi-idempotency-key-header).
    static let idempotencyKeyHeader = "Idempotency-Key"

    /// Whether a request may be sent a second time without asking: its method is idempotent, or it says so itself
    /// (draft-ietf-httpapi-idempotency-key-header).
    static func mayBeSentAnew(_ method: String, _ headers: HTTPHeaders) -> Bool {
        idempotentMethods.contains(method) || headers.contains(idempotencyKeyHeader)
    }

    /// The payload, or nil if there is none.
    public var payload: Payload? {
        switch self {
        case .get, .head, .connect, .trace: nil
        case .post(let payload), .put(let payload), .delete(let payload), .options(let payload), .patch(let payload):
            payload
        case .custom(_, let payload): payload
        }
    }

    /// The bytes of the payload if they are in memory, or nil.
    public var body: Data? {
        guard case .data(let data)? = payload?.content else { return nil }
        return data
    }
}
