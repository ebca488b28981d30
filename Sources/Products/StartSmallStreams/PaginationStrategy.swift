public import StartSmallCore

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
