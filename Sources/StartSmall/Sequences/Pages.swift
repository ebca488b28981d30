/// The pages of an API that returns a list in parts, one call after the other, each when it is requested.
///
/// ```swift
/// let issues = Endpoint.json([Issue].self, .get("https://api.example.com/issues"))
/// for await errorOrPage in issues.pages(by: .link(), via: .app) {
///     print(errorOrPage.right?.count ?? 0)
/// }
/// ```
///
/// Each element is a page, or the error for which there is none; a failure is the last element, and contains the number
/// of its page. The sequence itself never throws. No page is fetched before it is requested, so that an abandoned
/// iteration makes no further calls. Each iteration starts again.
public struct Pages<Reason: Error, Page: Sendable>: AsyncSequence, Sendable {
    private let first: Endpoint<Reason, Page>
    private let strategy: PaginationStrategy<Page>
    private let loopDetector: PaginationLoopDetector
    private let connector: Connector

    init(
        _ first: Endpoint<Reason, Page>,
        _ strategy: PaginationStrategy<Page>,
        _ loopDetector: PaginationLoopDetector,
        via connector: Connector
    ) {
        self.first = first
        self.strategy = strategy
        self.loopDetector = loopDetector
        self.connector = connector
    }

    /// Creates an iterator that begins with the first page.
    public func makeAsyncIterator() -> Iterator {
        Iterator(next: first.input, pages: self, loopDetector: loopDetector)
    }

    /// An iterator over the pages from the first one on.
    public struct Iterator: AsyncIteratorProtocol {
        /// The request of the next page, or the error for which it can't be built; nil if there is no next page.
        fileprivate var next: Either<ConnectionError, Input>?
        fileprivate let pages: Pages
        fileprivate var loopDetector: PaginationLoopDetector
        private var number = 0

        fileprivate init(next: Either<ConnectionError, Input>, pages: Pages, loopDetector: PaginationLoopDetector) {
            self.next = next
            self.pages = pages
            self.loopDetector = loopDetector
        }

        /// Returns the next page; nil if there is none, after a failure, or if the task is cancelled.
        public mutating func next() async -> Either<PaginationError<Reason>, Page>? {
            guard let next, !Task.isCancelled else { return nil }
            self.next = nil
            number += 1
            let errorOrContext = await context(of: next)
            if Task.isCancelled { return nil }
            self.next = errorOrContext.right.flatMap { pages.strategy.next($0) }
            return errorOrContext.mapLeft { PaginationError(page: number, reason: $0) }.map(\.page)
        }

        private mutating func context(of next: Either<ConnectionError, Input>) async -> ErrorOrContext {
            switch next {
            case .left(let error): return .left(.noResponse(error))
            case .right(let input):
                if let rejection = loopDetector.rejection(of: input) { return .left(rejection.reason()) }
                let errorOrContext = await pages.fetch(input, number)
                if let url = errorOrContext.right?.response.called.url { loopDetector.remember(input, calledAt: url) }
                return errorOrContext
            }
        }
    }

    private typealias ErrorOrContext = Either<PaginationError<Reason>.Reason, PageContext<Page>>

    private func fetch(_ input: Input, _ number: Int) async -> ErrorOrContext {
        var endpoint = first.taggedWithResponse
        endpoint.input = .right(input)
        return switch await endpoint.fetch(via: connector) {
        case .left(.left(let error)): .left(.noResponse(error))
        case .left(.right(let failure)): .left(.failed(failure.value))
        case .right(let page):
            .right(PageContext(page: page.value, number: number, input: input, response: page.response))
        }
    }
}
