import Foundation

extension PaginationStrategy {
    /// The server says where the next page is, in a `WebLink` header (RFC 8288); without such a link it was the last page.
    ///
    /// The link is called with the method, payload and headers of the page before it. Of links that say what they are from,
    /// the first ``WebLink/mostAnchors`` are looked at.
    ///
    /// - Parameter relation: what the link is, `next` unless told otherwise.
    public static func link(_ relation: String = "next") -> PaginationStrategy {
        PaginationStrategy { turn in
            let base = turn.response.base(of: turn.input)
            guard let link = turn.response.links.first(of: relation, from: base) else { return nil }
            guard let target = link.target(from: base) else {
                return .left(.malformedURL(debugInfo: "the link to the next page leads to no URL: \(link)"))
            }
            var input = turn.input
            input.url = Origin(target) == Origin(base) ? target.keepingUserInfo(of: base) : target
            input.queries = []
            return .right(input)
        }
    }

    /// Pages are numbered in a query item, and one for which `isLast` is true is the last.
    ///
    /// Where the first input has such an item, its number is gone on from. An item whose number is too large to be
    /// counted on ends the pages.
    ///
    /// - Parameters:
    ///   - query: the name of the item.
    ///   - first: the number of a page that is asked for without one.
    ///   - step: how much is added for each page: 1 where pages are counted, the size of a page where items are skipped.
    ///   - isLast: whether nothing comes behind this page.
    public static func number(
        query: String = "page",
        first: Int = 1,
        step: Int = 1,
        isLast: @escaping @Sendable (Page) -> Bool
    ) -> PaginationStrategy {
        PaginationStrategy { turn in
            if isLast(turn.page) { return nil }
            let current = turn.input.values(of: query).first.map { Int($0) } ?? first
            guard let (next, overflow) = current?.addingReportingOverflow(step), !overflow else {
                return .left(.malformedURL(debugInfo: "the number of the page is none to count on from"))
            }
            return .right(turn.input.settingQuery(query, to: String(next)))
        }
    }

    /// Each page says what is to be asked for to get the next one; nil, or an empty text, is the last.
    ///
    /// - Parameters:
    ///   - query: the name of the query item that asks for it.
    ///   - cursor: what a page says.
    public static func cursor(query: String, _ cursor: @escaping @Sendable (Page) -> String?) -> PaginationStrategy {
        PaginationStrategy { turn in
            guard let cursor = cursor(turn.page), !cursor.isEmpty else { return nil }
            return .right(turn.input.settingQuery(query, to: cursor))
        }
    }
}

extension PaginationStrategy where Page: Collection {
    /// Pages are numbered in a query item, and an empty one is the last.
    ///
    /// - Parameters:
    ///   - query: the name of the item.
    ///   - first: the number of a page that is asked for without one.
    ///   - step: how much is added for each page: 1 where pages are counted, the size of a page where items are skipped.
    public static func number(query: String = "page", first: Int = 1, step: Int = 1) -> PaginationStrategy {
        number(query: query, first: first, step: step, isLast: \.isEmpty)
    }
}

extension Input {
    /// The same with this query item in place of all of its name, whether they stand in the URL or beside it.
    ///
    /// ```swift
    /// let second = first.settingQuery("page", to: "2")
    /// ```
    public func settingQuery(_ name: String, to value: String) -> Input {
        var input = self
        input.queries.removeAll { $0.name == name }
        input.queries.append(URLQueryItem(name: name, value: value))
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: false),
            let items = components.queryItems, items.contains(where: { $0.name == name })
        else { return input }
        let encoded = components.percentEncodedQueryItems ?? []
        let others = zip(items, encoded).filter { $0.0.name != name }.map(\.1)
        components.percentEncodedQueryItems = others.isEmpty ? nil : others
        input.url = components.url ?? url
        return input
    }

    /// The values of query items of this name, those in the URL first.
    func values(of name: String) -> [String] {
        let inURL = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        return (inURL + queries).filter { $0.name == name }.map { $0.value ?? "" }
    }
}
