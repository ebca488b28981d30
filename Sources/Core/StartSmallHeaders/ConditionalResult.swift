public import StartSmallCore
public import StartSmallFoundation
import StartSmallSupport

/// The response to a client with a known version: that version is current, or there is a newer one.
///
/// ```swift
/// switch await user.ifNoneMatch(kept?.etag).fetch() {
/// case .right(.notModified): show(kept)
/// case .right(.modified(let user, let validators)): keep(user, validators.etag)
/// case .left(let failure): show(failure)
/// }
/// ```
public enum ConditionalResult<Value> {
    /// 304: the version of the caller is current (RFC 9110 15.4.5).
    case notModified

    /// Another version, and the validators for the next request.
    case modified(Value, CacheValidators)
}

extension ConditionalResult: Sendable where Value: Sendable {}
extension ConditionalResult: Equatable where Value: Equatable {}

extension ConditionalResult {
    /// The new value; nil if there is none.
    public var modified: Value? {
        if case .modified(let value, _) = self { value } else { nil }
    }

    /// Maps the new value with a function, if there is one.
    public func map<NewValue>(_ change: (Value) -> NewValue) -> ConditionalResult<NewValue> {
        switch self {
        case .notModified: .notModified
        case .modified(let value, let validators): .modified(change(value), validators)
        }
    }
}

/// The validators by which a server distinguishes versions of a resource (RFC 9110 8.8).
public struct CacheValidators: Equatable, Sendable, Codable {
    /// The entity tag; nil if the server sends none.
    public var etag: ETag?

    /// The date of the last change; nil if the server sends none.
    public var lastModified: Date?

    /// Creates validators.
    public init(etag: ETag? = nil, lastModified: Date? = nil) {
        self.etag = etag
        self.lastModified = lastModified
    }
}

extension Response {
    /// The validators by which the server distinguishes this version from others.
    public var validators: CacheValidators { CacheValidators(etag: etag, lastModified: lastModified) }
}

/// Endpoints that ask for changes only, and endpoints that change a resource only if it is unchanged.
///
/// The other conditions of an `Either<ConnectionError, Input>` apply to the ``Endpoint/input`` of an endpoint.
extension Endpoint {
    /// Requests a version with another entity tag, and treats a 304 as a value; nil requests any version.
    public func ifNoneMatch(_ tag: ETag?) -> Endpoint<Failure, ConditionalResult<Value>> {
        conditional(input.ifNoneMatch(tag))
    }

    /// Requests a version that is newer than a date, and treats a 304 as a value; nil requests any version.
    ///
    /// The date should be one that the server sent. Two changes within one second have the same date (RFC 9110
    /// 8.8.2.2).
    public func ifModifiedSince(_ date: Date?) -> Endpoint<Failure, ConditionalResult<Value>> {
        conditional(input.ifModifiedSince(date))
    }

    /// Requests a version other than one with these validators, and treats a 304 as a value; nil requests any version.
    ///
    /// The request has a condition for each validator that the server sent.
    public func ifChanged(from validators: CacheValidators?) -> Endpoint<Failure, ConditionalResult<Value>> {
        conditional(input.ifNoneMatch(validators?.etag).ifModifiedSince(validators?.lastModified))
    }

    /// Makes the request conditional on this entity tag, so that no concurrent change is lost.
    ///
    /// If the tag does not match, the server responds with 412.
    ///
    /// A weak tag never matches. Without a tag, as of a response that has none, the call fails before anything is sent.
    public func ifMatch(_ tag: ETag?) -> Endpoint {
        Endpoint(input.ifMatch(tag), read: read)
    }

    /// Returns an endpoint for which a 304 is a value if it was requested: a client without a version could not use it.
    private func conditional(_ input: Either<ConnectionError, Input>) -> Endpoint<Failure, ConditionalResult<Value>> {
        let isConditional = input.right?.asksForChangesOnly ?? false
        return Endpoint<Failure, ConditionalResult<Value>>(input) { [read] response in
            if isConditional, response.statusCode == .notModified { return (.right(.notModified), .transformed) }
            let (value, event) = read(response)
            return (value.map { .modified($0, response.validators) }, event)
        }
    }
}
