/// A page that was fetched: all that the way to the next one can depend on.
public struct PageContext<Page: Sendable>: Sendable {
    /// The page.
    public var page: Page

    /// Which page it is of the sequence, from 1.
    public var number: Int

    /// What was sent for it.
    public var input: Input

    /// The response that it was read of.
    public var response: Response

    /// Creates a turn.
    public init(page: Page, number: Int, input: Input, response: Response) {
        self.page = page
        self.number = number
        self.input = input
        self.response = response
    }
}

/// How an API leads from one page to the next: a pure function.
///
/// ```swift
/// let byOffset = PaginationStrategy<Commits> { turn in
///     turn.page.hasMore ? .right(turn.input.settingQuery("offset", to: "\(turn.number * 50)")) : nil
/// }
/// ```
public struct PaginationStrategy<Page: Sendable>: Sendable {
    /// What to send for the next page, or why that can't be built; nil if this was the last page.
    public let next: @Sendable (PageContext<Page>) -> Either<ConnectionError, Input>?

    /// Creates a way of one's own.
    public init(next: @escaping @Sendable (PageContext<Page>) -> Either<ConnectionError, Input>?) {
        self.next = next
    }
}
