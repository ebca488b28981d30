import StartSmallCore
import StartSmallSupport
import StartSmallFoundation

/// A check of each page request against loops, endless pages and other origins.
///
/// A server can't lead its client to any of them.
struct PaginationLoopDetector: Sendable {
    private let limit: Int
    private var origins: Set<Origin>
    private var first: URL?
    private var count = 0

    /// The requests of the pages so far, each with its whole URL; each part of a request may contain a cursor.
    private var seen: Set<Input> = []

    init(limit: Int, origins: Set<Origin>) {
        self.limit = limit
        self.origins = origins
    }

    /// Returns the reason to refuse a request; nil if it is allowed, and then stores it.
    mutating func rejection<Failure>(of input: Input) -> PaginationError<Failure>.Reason? {
        let key = Self.key(input)
        if seen.contains(key) { return .repeated(input.calledURL) }
        if let first, !isAllowed(input.url, after: first) { return .otherOrigin(input.calledURL) }
        if count >= limit { return .tooMany(limit: limit) }
        first = first ?? input.url
        count += 1
        seen.insert(key)
        return nil
    }

    /// Stores the URL that a wrapper made of a page's URL.
    ///
    /// Links of the page may lead to that origin, but not back to that URL.
    mutating func remember(_ input: Input, calledAt url: URL) {
        seen.insert(Self.key(input.with { ($0.url, $0.queries) = (url, []) }))
        if let origin = Origin(url) { origins.insert(origin) }
    }

    private static func key(_ input: Input) -> Input {
        let url = URIEncoding.withoutFragment(input.calledURL.absoluteString)
        return input.with { ($0.url, $0.queries) = (URL(string: url) ?? $0.url, []) }
    }

    /// Returns whether the URL has the first page's origin, is relative as that one was, or has an allowed origin.
    private func isAllowed(_ url: URL, after first: URL) -> Bool {
        guard let origin = Origin(url) else { return url.isOnlyPath && first.isOnlyPath }
        return origin == Origin(first) || origins.contains(origin)
    }
}

extension URL {
    /// Whether the URL has neither a scheme nor a host, which a wrapper will add.
    fileprivate var isOnlyPath: Bool {
        scheme == nil && host(percentEncoded: true) == nil
    }
}
