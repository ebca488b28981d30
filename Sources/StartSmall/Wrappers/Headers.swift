public import StartSmallCore

extension Wrapper {
    /// Adds header fields to each request; by default, fields of the request take precedence.
    ///
    /// ```swift
    /// .headers(["Accept": "application/json", "Accept-Language": "ja"])
    /// ```
    ///
    /// - Parameters:
    ///   - headers: the header fields to add.
    ///   - rule: the policy for fields whose name the request already has.
    /// - Passes through: requests that have fields of all these names, if `rule` is ``HeaderMergePolicy/ifAbsent``.
    /// - Order: of two that name the same field, the outer one wins with ``HeaderMergePolicy/ifAbsent``, and the inner
    ///   one with ``HeaderMergePolicy/override``. Inside of `.redirect`, the fields are sent to each redirect target,
    ///   credentials included; outside of it, `.redirect` drops credentials.
    public static func headers(_ headers: HTTPHeaders, _ rule: HeaderMergePolicy = .ifAbsent) -> Wrapper {
        let hasCredentials = headers.fields.contains { Redaction.standard.hides($0.name) }
        return Wrapper(hasCredentials ? "headers(credentials)" : "headers") { input, next in
            await next(input.with { $0.headers = rule.combined($0.headers, with: headers) })
        }
    }

    /// Computes header fields for each request, such as a timestamp or a signature.
    ///
    /// ```swift
    /// .headers(.override) { input in ["X-Signature": try await signer.sign(input)] }
    /// ```
    ///
    /// - Parameters:
    ///   - rule: the policy for fields whose name the request already has.
    ///   - compute: returns the header fields for a request.
    /// - Passes through: requests that have fields of all the computed names, if `rule` is
    ///   ``HeaderMergePolicy/ifAbsent``.
    /// - Order: inside of `.retry`, the fields are computed for each attempt, outside of it once for all attempts. The
    ///   function gets the request as the outer wrappers changed it.
    /// - Errors: the error that the function throws, if it is a ``ConnectionError``; otherwise
    ///   ``ConnectionError/malformedHeader(debugInfo:)`` with a description of that error.
    public static func headers(
        _ rule: HeaderMergePolicy = .ifAbsent,
        _ compute: @escaping @Sendable (Input) async throws -> HTTPHeaders
    ) -> Wrapper {
        Wrapper("headers") { input, next in
            let headers = await Either.provided(
                by: { try await compute(input) },
                or: { .malformedHeader(debugInfo: "the header fields can't be computed: \($0)") }
            )
            return await next(
                headers.map { headers in input.with { $0.headers = rule.combined($0.headers, with: headers) } }
            )
        }
    }
}

/// The policy for a header field whose name the request already has.
public enum HeaderMergePolicy: Hashable, Sendable, CaseIterable {
    /// Only the fields of the request are sent: an endpoint is more specific than a wrapper for all endpoints.
    case ifAbsent

    /// The field replaces those of the request.
    case override

    /// The field is added after those of the request.
    case append

    fileprivate func combined(_ own: HTTPHeaders, with others: HTTPHeaders) -> HTTPHeaders {
        switch self {
        case .ifAbsent: others.fields.reduce(into: own) { if !own.contains($1.name) { $0.append($1.name, $1.value) } }
        case .override: own.merging(others)
        case .append: HTTPHeaders(own.fields + others.fields)
        }
    }
}
