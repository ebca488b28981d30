public import Foundation

/// What a server answers a client that has a version already: it is still current, or here is a newer one.
///
/// ```swift
/// switch await user.ifNoneMatch(kept?.etag).fetch() {
/// case .right(.notModified): show(kept)
/// case .right(.modified(let user, let validators)): keep(user, validators.etag)
/// case .left(let failure): tell(failure)
/// }
/// ```
public enum ConditionalResult<Value> {
    /// 304: what the caller has is right (RFC 9110 15.4.5).
    case notModified

    /// Another version, and by what to ask for the next one.
    case modified(Value, CacheValidators)
}

extension ConditionalResult: Sendable where Value: Sendable {}
extension ConditionalResult: Equatable where Value: Equatable {}
extension ConditionalResult: Hashable where Value: Hashable {}

extension ConditionalResult {
    /// The new value; nil if there is none.
    public var modified: Value? {
        if case .modified(let value, _) = self { value } else { nil }
    }

    /// The same with its value changed, if there is a new one.
    public func map<NewValue>(_ change: (Value) -> NewValue) -> ConditionalResult<NewValue> {
        switch self {
        case .notModified: .notModified
        case .modified(let value, let validators): .modified(change(value), validators)
        }
    }
}

/// By what a server tells one version of a resource from another (RFC 9110 8.8).
public struct CacheValidators: Hashable, Sendable, Codable {
    /// The entity tag; nil if the server gives none.
    public var etag: ETag?

    /// The date of the last change; nil if the server gives none.
    public var lastModified: Date?

    /// Creates validators.
    public init(etag: ETag? = nil, lastModified: Date? = nil) {
        self.etag = etag
        self.lastModified = lastModified
    }
}

extension Response {
    /// By what the server tells this version from another.
    public var validators: CacheValidators { CacheValidators(etag: etag, lastModified: lastModified) }
}

/// Endpoints that ask for changes only, and those that change only what is as it was.
extension Endpoint {
    /// The same endpoint, but it asks for a version other than this one, and a 304 is a value; nil asks for any.
    public func ifNoneMatch(_ tag: ETag?) -> Endpoint<Failure, ConditionalResult<Value>> {
        conditional(input.ifNoneMatch(tag))
    }

    /// The same endpoint, but it asks for a version that is newer than this date, and a 304 is a value; nil asks for any.
    ///
    /// The date should be one that the server gave; two changes within one second have the same (RFC 9110 8.8.2.2).
    public func ifModifiedSince(_ date: Date?) -> Endpoint<Failure, ConditionalResult<Value>> {
        conditional(input.ifModifiedSince(date))
    }

    /// The same endpoint, but it asks for a version other than this one by whatever the server gave, and a 304 is a value;
    /// nil asks for any.
    public func ifChanged(from validators: CacheValidators?) -> Endpoint<Failure, ConditionalResult<Value>> {
        conditional(input.ifNoneMatch(validators?.etag).ifModifiedSince(validators?.lastModified))
    }

    /// The same endpoint, but it holds only if this still is the version, so that no change of another is lost; else 412.
    ///
    /// A weak tag never matches.
    public func ifMatch(_ tag: ETag) -> Endpoint {
        Endpoint(input.ifMatch(tag), read: read)
    }

    /// The same endpoint, but it holds only if the version is one of these, as ``ETagCondition/any`` is; else 412.
    public func ifMatch(_ condition: ETagCondition) -> Endpoint {
        Endpoint(input.ifMatch(condition), read: read)
    }

    /// The same endpoint, but it holds only if the version is none of these; with ``ETagCondition/any``, if there is none.
    ///
    /// A 304 stays what the endpoint makes of it: this is for a PUT that must not write over anything.
    public func ifNoneMatch(_ condition: ETagCondition) -> Endpoint {
        Endpoint(input.ifNoneMatch(condition), read: read)
    }

    /// The same endpoint, but it holds only if nothing changed since; 412 otherwise.
    ///
    /// Servers look at `If-Match` first.
    public func ifUnmodifiedSince(_ date: Date) -> Endpoint {
        Endpoint(input.ifUnmodifiedSince(date), read: read)
    }

    /// A 304 is a value only where it was asked for: nobody could use one who has no version yet.
    private func conditional(_ input: Either<ConnectionError, Input>) -> Endpoint<Failure, ConditionalResult<Value>> {
        let isAskedFor = input.right?.asksForChangesOnly ?? false
        return Endpoint<Failure, ConditionalResult<Value>>(input) { [read] response in
            if isAskedFor, response.statusCode == .notModified { return (.right(.notModified), .transformed) }
            let (value, event) = read(response)
            return (value.map { .modified($0, response.validators) }, event)
        }
    }
}
