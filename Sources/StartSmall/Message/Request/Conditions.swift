public import Foundation

/// Conditional requests (RFC 9110 13.1): `.get("…").ifNoneMatch(etag)`.
///
/// Where there is nothing to compare with yet, nil asks for any version. A change is never without its condition.
extension Request {
    /// The same, but only if no version is there that the condition names (RFC 9110 13.1.2): a GET is answered by 304
    /// otherwise, anything else by 412; with ``ETagCondition/any``, a PUT only makes what is not there.
    ///
    /// A list of no tags names no version, so that it changes nothing.
    public func ifNoneMatch(_ condition: ETagCondition) -> Request {
        if condition == .oneOf([]) { return self }
        return with { $0.headers.set("If-None-Match", to: "\(condition)") }
    }

    /// The same, but a GET is answered by 304 if this still is the version (RFC 9110 13.1.2).
    public func ifNoneMatch(_ tag: ETag?) -> Request {
        tag.map { ifNoneMatch(.oneOf([$0])) } ?? self
    }

    /// The same, but only if a version is there that the condition names (RFC 9110 13.1.1), and 412 otherwise.
    ///
    /// A weak tag never matches. Nor does a list of no tags: since a server may take an empty field for none, and make the
    /// change on no condition, such a request is ``ConnectionError/malformedHeader(debugInfo:)`` before it is sent.
    public func ifMatch(_ condition: ETagCondition) -> Request {
        with { $0.headers.set("If-Match", to: "\(condition)") }
    }

    /// The same, but only if this still is the version, so that no change of another is lost (RFC 9110 13.1.1); 412
    /// otherwise.
    ///
    /// A weak tag never matches.
    public func ifMatch(_ tag: ETag) -> Request {
        ifMatch(.oneOf([tag]))
    }

    /// The same, but a GET is answered by 304 if nothing changed since (RFC 9110 13.1.3); servers look at
    /// `If-None-Match` first.
    public func ifModifiedSince(_ date: Date?) -> Request {
        with { request in
            if let date { request.headers.set("If-Modified-Since", to: HTTPDate.text(date)) }
        }
    }

    /// The same, but only if nothing changed since, and 412 otherwise (RFC 9110 13.1.4); servers look at `If-Match` first.
    public func ifUnmodifiedSince(_ date: Date) -> Request {
        with { $0.headers.set("If-Unmodified-Since", to: HTTPDate.text(date)) }
    }

    /// Whether a 304 may answer it (RFC 9110 15.4.5).
    var asksForChangesOnly: Bool {
        headers.contains("If-None-Match") || headers.contains("If-Modified-Since")
    }
}

/// Conditions of inputs that are being built.
extension Either where Left == ConnectionError, Right == Input {
    /// The same, but only if no version is there that the condition names; a list of no tags changes nothing.
    public func ifNoneMatch(_ condition: ETagCondition) -> Self {
        map { $0.ifNoneMatch(condition) }
    }

    /// The same, but a GET is answered by 304 if this still is the version.
    public func ifNoneMatch(_ tag: ETag?) -> Self {
        map { $0.ifNoneMatch(tag) }
    }

    /// The same, but only if a version is there that the condition names, and 412 otherwise; one that names none is never
    /// sent.
    public func ifMatch(_ condition: ETagCondition) -> Self {
        map { $0.ifMatch(condition) }
    }

    /// The same, but only if this still is the version, so that no change of another is lost; 412 otherwise.
    public func ifMatch(_ tag: ETag) -> Self {
        map { $0.ifMatch(tag) }
    }

    /// The same, but a GET is answered by 304 if nothing changed since.
    public func ifModifiedSince(_ date: Date?) -> Self {
        map { $0.ifModifiedSince(date) }
    }

    /// The same, but only if nothing changed since, and 412 otherwise.
    public func ifUnmodifiedSince(_ date: Date) -> Self {
        map { $0.ifUnmodifiedSince(date) }
    }
}
