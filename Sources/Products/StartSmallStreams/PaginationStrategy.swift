public import StartSmallCore
import StartSmallSupport
import StartSmallFoundation

/// A fetched page, with all data from which the next request can be derived.
public struct PageContext<Page: Sendable>: Sendable {
    /// The page.
    public var page: Page

    /// The number of the page in the sequence, from 1.
    public var number: Int

    /// The request of the page.
    public var input: Input

    /// The response from which the page was read.
    public var response: Response

    /// Creates the context of a page.
    public init(page: Page, number: Int, input: Input, response: Response) {
        self.page = page
        self.number = number
        self.input = input
        self.response = response
    }
}

/// The way in which an API leads from one page to the next: a pure function.
///
/// ```swift
/// let byOffset = PaginationStrategy<Commits> { context in
///     context.page.hasMore ? .right(context.input.settingQuery("offset", to: "\(context.number * 50)")) : nil
/// }
/// ```
public struct PaginationStrategy<Page: Sendable>: Sendable {
    /// The function that returns the request of the next page, or the error for which the request can't be built.
    ///
    /// The function returns nil if the page was the last.
    public let next: @Sendable (PageContext<Page>) -> Either<ConnectionError, Input>?

    /// Creates a custom strategy.
    public init(next: @escaping @Sendable (PageContext<Page>) -> Either<ConnectionError, Input>?) {
        self.next = next
    }
}

extension PaginationStrategy {
    /// Returns a strategy that follows a `Link` header field to the next page (RFC 8288).
    ///
    /// A page without such a link is the last. The link is called with the method, payload and headers of the page
    /// before it. A link with an anchor is ignored, since its source is another resource (RFC 8288 3.2).
    ///
    /// - Parameter relation: the relation type of the link, by default `next`.
    public static func link(_ relation: String = "next") -> PaginationStrategy {
        PaginationStrategy { context in
            let base = context.response.base(of: context.input)
            guard let link = context.response.links.first(of: relation) else { return nil }
            guard let target = link.target(from: base) else {
                let reason = Authority(of: link.reference)?.refusal ?? "not a valid URL"
                return .left(.malformedURL(debugInfo: "the link to the next page is refused: \(reason): \(link)"))
            }
            var input = context.input
            input.url = Origin(target) == Origin(base) ? target.keepingUserInfo(of: base) : target
            input.queries = []
            return .right(input)
        }
    }

    /// Returns a strategy of pages that are numbered in a query item, up to one for which `isLast` returns true.
    ///
    /// If the first input has such an item, numbering continues from its number. An item whose number is too large to
    /// be incremented ends the pages.
    ///
    /// - Parameters:
    ///   - query: the name of the query item.
    ///   - first: the number of a page that is requested without a number.
    ///   - step: the increment for each page: 1 where pages are counted, the size of a page where items are skipped.
    ///   - isLast: returns whether no page follows this one.
    public static func number(
        query: String = "page",
        first: Int = 1,
        step: Int = 1,
        isLast: @escaping @Sendable (Page) -> Bool
    ) -> PaginationStrategy {
        PaginationStrategy { context in
            if isLast(context.page) { return nil }
            let current = context.input.queryValues(of: query).first.map { Int($0) } ?? first
            guard let (next, overflow) = current?.addingReportingOverflow(step), !overflow else {
                return .left(.malformedURL(debugInfo: "the page number is invalid or too large"))
            }
            return .right(context.input.settingQuery(query, to: String(next)))
        }
    }

    /// Returns a strategy of pages that contain the cursor of the next page; nil, or an empty text, is the last.
    ///
    /// - Parameters:
    ///   - query: the name of the query item that sends the cursor.
    ///   - cursor: returns the cursor in a page.
    public static func cursor(query: String, _ cursor: @escaping @Sendable (Page) -> String?) -> PaginationStrategy {
        PaginationStrategy { context in
            guard let cursor = cursor(context.page), !cursor.isEmpty else { return nil }
            return .right(context.input.settingQuery(query, to: cursor))
        }
    }
}

extension PaginationStrategy {
    /// Reports for a page that is no collection what is missing, in place of an error about the types of overloads.
    ///
    /// - SeeAlso: ``PaginationStrategy/number(query:first:step:isLast:)``
    @available(*, unavailable, message: "the page is no Collection: say by isLast: which page is the last")
    public static func number(query: String = "page", first: Int = 1, step: Int = 1) -> PaginationStrategy {
        number(query: query, first: first, step: step) { _ in true }
    }
}

extension PaginationStrategy where Page: Collection {
    /// Returns a strategy of pages that are numbered in a query item; an empty page is the last.
    ///
    /// - Parameters:
    ///   - query: the name of the query item.
    ///   - first: the number of a page that is requested without a number.
    ///   - step: the increment for each page: 1 where pages are counted, the size of a page where items are skipped.
    public static func number(query: String = "page", first: Int = 1, step: Int = 1) -> PaginationStrategy {
        number(query: query, first: first, step: step, isLast: \.isEmpty)
    }
}

extension Input {
    /// Returns a copy in which this query item replaces all of its name, whether in the URL or in `queries`.
    ///
    /// ```swift
    /// let second = first.settingQuery("page", to: "2")
    /// ```
    ///
    /// - Parameters:
    ///   - name: the name of the query item.
    ///   - value: the value of the query item.
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
}
