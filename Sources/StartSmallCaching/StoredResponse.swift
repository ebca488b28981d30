public import Foundation
public import StartSmall

/// A response in a cache, with what is needed to decide on its use.
public struct StoredResponse: Hashable, Sendable {
    /// The response as it arrived, updated by validations (RFC 9111 3.2).
    public var response: Response

    /// The fields of the request that `Vary` names, in normal form; empty without `Vary` (RFC 9111 4.1).
    ///
    /// The values of credentials are digests.
    public var variant: HTTPHeaders

    /// The time at which the request was sent (RFC 9111 4.2.3, `request_time`).
    public var requestedAt: Date

    /// The time at which the response arrived (RFC 9111 4.2.3, `response_time`).
    public var receivedAt: Date

    /// Whether the response must be validated before any use, since it was invalidated (RFC 9111 4.4).
    public var isInvalidated: Bool

    /// Creates a stored response.
    ///
    /// - Parameters:
    ///   - response: the response as it arrived.
    ///   - variant: the fields of the request that `Vary` names, in normal form.
    ///   - requestedAt: the time at which the request was sent.
    ///   - receivedAt: the time at which the response arrived.
    ///   - isInvalidated: whether the response must be validated before any use.
    public init(
        _ response: Response,
        variant: HTTPHeaders = [:],
        requestedAt: Date,
        receivedAt: Date,
        isInvalidated: Bool = false
    ) {
        (self.response, self.variant) = (response, variant)
        (self.requestedAt, self.receivedAt) = (requestedAt, receivedAt)
        self.isInvalidated = isInvalidated
    }
}
