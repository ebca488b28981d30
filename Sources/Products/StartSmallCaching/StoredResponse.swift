public import StartSmallCore
public import StartSmallFoundation

/// A response in a cache, with what is needed to decide on its use.
public struct StoredResponse: Sendable {
    /// The response as it arrived, updated by validations (RFC 9111 3.2).
    public internal(set) var response: Response

    /// The fields of the request that `Vary` names, in normal form; empty without `Vary` (RFC 9111 4.1).
    ///
    /// The values of credentials are digests. For a payload with a content coding, the field `content-coding` says
    /// whether the engine has decoded it.
    public internal(set) var variant: HTTPHeaders

    /// The time at which the request was sent (RFC 9111 4.2.3, `request_time`).
    public let requestedAt: Date

    /// The time at which the response arrived (RFC 9111 4.2.3, `response_time`).
    public let receivedAt: Date

    var facts: ResponseFacts

    /// The names of further credentials in ``variant``, in lower case: those that the options of the cache name.
    var credentials: Set<String> = []

    /// Creates a stored response.
    public init(_ response: Response, variant: HTTPHeaders = [:], requestedAt: Date, receivedAt: Date) {
        (self.response, self.variant) = (response, variant)
        (self.requestedAt, self.receivedAt) = (requestedAt, receivedAt)
        facts = ResponseFacts(response.headers, receivedAt: receivedAt)
    }

    /// The value of `Date`, or the time at which the response arrived (RFC 9110 6.6.1).
    var date: Date { facts.date ?? receivedAt }
}

extension StoredResponse: Hashable {
    /// Whether two responses and their times are equal; the values of the header fields follow from them.
    public static func == (left: StoredResponse, right: StoredResponse) -> Bool {
        left.requestedAt == right.requestedAt && left.receivedAt == right.receivedAt
            && left.variant == right.variant && left.response == right.response
    }

    /// Hashes the times and the response.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(requestedAt)
        hasher.combine(receivedAt)
        hasher.combine(response)
    }
}

/// The times of a request and its response (RFC 9111 4.2.3).
struct ExchangeTimes: Hashable, Sendable {
    var requestedAt: Date
    var receivedAt: Date
}
