extension Wrapper {
    /// Wrapper that adds header fields to each request; those that the request has stay as they are.
    ///
    /// ```swift
    /// .headers(["Accept": "application/json", "Accept-Language": "ja"])
    /// ```
    ///
    /// - Unchanged when: the request has fields of all these names, and `rule` is ``HeaderMergePolicy/ifAbsent``.
    /// - Order: of two that name the same field, the outer one wins by ``HeaderMergePolicy/ifAbsent``, and the inner one by
    ///   ``HeaderMergePolicy/override``. Inside of `.redirect`, the fields go wherever a server leads, credentials too; outside of
    ///   it, `.redirect` leaves credentials behind.
    public static func headers(_ headers: HTTPHeaders, _ rule: HeaderMergePolicy = .ifAbsent) -> Wrapper {
        Wrapper { input, next in
            await next(input.with { $0.headers = rule.combined($0.headers, with: headers) })
        }
    }

    /// Wrapper that computes header fields for each request, as a time or a signature.
    ///
    /// ```swift
    /// .headers(.override) { input in ["X-Signature": try await signer.sign(input)] }
    /// ```
    ///
    /// - Unchanged when: the request has fields of all the names that come out, and `rule` is ``HeaderMergePolicy/ifAbsent``.
    /// - Order: inside of what tries again they are computed for each attempt, outside of it once for all; the request that
    ///   the function sees is as the outer wrappers made it.
    /// - Fails with: what the function throws, if it is a ``ConnectionError``, or else
    ///   ``ConnectionError/malformedHeader(debugInfo:)``, which says what it threw.
    public static func headers(
        _ rule: HeaderMergePolicy = .ifAbsent,
        _ compute: @escaping @Sendable (Input) async throws -> HTTPHeaders
    ) -> Wrapper {
        Wrapper { input, next in
            let headers = await Either.provided(
                by: { try await compute(input) },
                or: { .malformedHeader(debugInfo: "can't be computed: \($0)") }
            )
            return await next(
                headers.map { headers in input.with { $0.headers = rule.combined($0.headers, with: headers) } }
            )
        }
    }
}

/// What becomes of a header field when the request has some of its name.
public enum HeaderMergePolicy: Hashable, Sendable, CaseIterable {
    /// Those of the request stay alone: an endpoint knows better than what stands around all of them.
    case ifAbsent

    /// It stands in their place.
    case override

    /// It stands beside them, after them.
    case append

    fileprivate func combined(_ own: HTTPHeaders, with others: HTTPHeaders) -> HTTPHeaders {
        switch self {
        case .ifAbsent: others.fields.reduce(into: own) { if !own.contains($1.name) { $0.append($1.name, $1.value) } }
        case .override: own.merging(others)
        case .append: HTTPHeaders(own.fields + others.fields)
        }
    }
}
