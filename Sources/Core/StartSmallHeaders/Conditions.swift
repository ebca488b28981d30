public import StartSmallCore
public import StartSmallFoundation
import StartSmallSupport

extension Request {
    /// Whether a 304 may answer the request (RFC 9110 15.4.5).
    var asksForChangesOnly: Bool {
        headers.contains("If-None-Match") || headers.contains("If-Modified-Since")
    }
}

/// Conditional requests (RFC 9110 13.1): `.get("…").ifNoneMatch(etag)`.
///
/// In a condition for reading, nil stands for no known version, and adds no condition. In a condition for changing a
/// resource, nil is an error, so that a change is never sent without its condition.
extension Either where Left == ConnectionError, Right == Input {
    /// Adds `If-None-Match`: proceed only if no current version matches the condition (RFC 9110 13.1.2).
    ///
    /// Otherwise the server answers a GET with 304, and any other request with 412. With ``ETagCondition/any``, a PUT
    /// only creates a resource that does not exist. A list without tags matches no version, so that no field is added.
    public func ifNoneMatch(_ condition: ETagCondition) -> Self {
        condition == .oneOf([]) ? self : setting("If-None-Match", to: "\(condition)")
    }

    /// Adds `If-None-Match`: the server answers a GET with 304 if this is still the version (RFC 9110 13.1.2).
    ///
    /// - Parameter tag: the known version; nil adds no condition.
    public func ifNoneMatch(_ tag: ETag?) -> Self {
        ifNoneMatch(.oneOf(tag.map { [$0] } ?? []))
    }

    /// Adds `If-Match`: proceed only if a current version matches the condition, else 412 (RFC 9110 13.1.1).
    ///
    /// A weak tag never matches. Nor does a list without tags: a server may ignore the empty field and make the change
    /// without a condition, so such a request fails with ``ConnectionError/malformedHeader(debugInfo:)`` before it is
    /// sent.
    public func ifMatch(_ condition: ETagCondition) -> Self {
        setting("If-Match", to: "\(condition)")
    }

    /// Adds `If-Match`: proceed only if this is still the version, else 412 (RFC 9110 13.1.1).
    ///
    /// Prevents lost updates: a change that another client made meanwhile is not overwritten. A weak tag never matches.
    /// Without a tag, as of a response that has none, the request fails with
    /// ``ConnectionError/malformedHeader(debugInfo:)`` before it is sent.
    public func ifMatch(_ tag: ETag?) -> Self {
        ifMatch(.oneOf(tag.map { [$0] } ?? []))
    }

    /// Adds `If-Modified-Since`: the server answers a GET with 304 if nothing changed since (RFC 9110 13.1.3).
    ///
    /// Servers evaluate `If-None-Match` first.
    ///
    /// - Parameter date: the date of the known version; nil adds no condition.
    public func ifModifiedSince(_ date: Date?) -> Self {
        date.map { setting("If-Modified-Since", to: HTTPDate.text($0)) } ?? self
    }

    /// Adds `If-Unmodified-Since`: proceed only if nothing changed since, else 412 (RFC 9110 13.1.4).
    ///
    /// Servers evaluate `If-Match` first.
    public func ifUnmodifiedSince(_ date: Date) -> Self {
        setting("If-Unmodified-Since", to: HTTPDate.text(date))
    }

    private func setting(_ name: String, to value: String) -> Self {
        map { input in input.with { $0.headers[name] = value } }
    }
}
