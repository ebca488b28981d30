import Foundation

/// Which pages may be asked for, so that no server can lead its client in circles, without end, or astray.
struct PaginationLoopDetector: Sendable {
    /// Why a page may not be asked for.
    enum Objection: Hashable {
        case repeated(URL)
        case otherOrigin(URL)
        case tooMany(limit: Int)
    }

    /// What makes two requests the same for a server; a cursor may be in any of it.
    private struct Key: Hashable {
        let url: String
        let headers: HTTPHeaders
        let methodAndPayload: HTTPMethodAndPayload

        init(_ input: Input) {
            url = URIEncoding.withoutFragment(input.calledURL.absoluteString)
            headers = input.headers
            methodAndPayload = input.methodAndPayload
        }
    }

    private let limit: Int
    private var origins: Set<Origin>
    private var first: URL?
    private var count = 0
    private var seen: Set<Key> = []

    init(limit: Int, origins: Set<Origin>) {
        self.limit = limit
        self.origins = origins
    }

    /// Why this may not be asked for; if it may, it is remembered.
    mutating func rejectionReason(to input: Input) -> Objection? {
        let key = Key(input)
        if seen.contains(key) { return .repeated(input.calledURL) }
        if let first, !isAllowed(input.url, after: first) { return .otherOrigin(input.calledURL) }
        if count >= limit { return .tooMany(limit: limit) }
        first = first ?? input.url
        count += 1
        seen.insert(key)
        return nil
    }

    /// Remembers what a wrapper made of the URL of a page that was asked for: its links may lead there, but not back.
    mutating func remember(_ input: Input, calledAt url: URL) {
        seen.insert(Key(input.with { $0.url = url }))
        if let origin = Origin(url) { origins.insert(origin) }
    }

    /// Whether the URL is where the first page was, or relative as that was, or allowed.
    private func isAllowed(_ url: URL, after first: URL) -> Bool {
        guard let origin = Origin(url) else { return url.isOnlyPath && first.isOnlyPath }
        return origin == Origin(first) || origins.contains(origin)
    }
}

extension URL {
    /// Whether neither a scheme nor a host is named: a wrapper will say where it goes.
    fileprivate var isOnlyPath: Bool {
        scheme == nil && host(percentEncoded: true) == nil
    }
}
