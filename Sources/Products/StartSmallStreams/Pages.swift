public import StartSmallCore

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
    private let source: PageSource<Reason, Page>

    init(
        _ first: Endpoint<Reason, Page>,
        _ strategy: PaginationStrategy<Page>,
        _ loopDetector: PaginationLoopDetector,
        via connector: Connector
    ) {
        source = PageSource(first: first, strategy: strategy, loopDetector: loopDetector, connector: connector)
    }

    /// Creates an iterator that begins with the first page.
    public func makeAsyncIterator() -> Iterator {
        Iterator(source: source)
    }

    /// An iterator over the pages from the first one on.
    public struct Iterator: AsyncIteratorProtocol {
        /// The request of the next page, or the error for which it can't be built; nil if there is no next page.
        private var next: Either<ConnectionError, Input>?
        private let source: PageSource<Reason, Page>
        private var loopDetector: PaginationLoopDetector
        private var number = 0

        fileprivate init(source: PageSource<Reason, Page>) {
            (self.source, next, loopDetector) = (source, source.first.input, source.loopDetector)
        }

        /// Returns the next page; nil if there is none, after a failure, or if the task is cancelled.
        public mutating func next() async -> Either<PaginationError<Reason>, Page>? {
            guard let next, !Task.isCancelled else { return nil }
            self.next = nil
            number += 1
            let errorOrContext = await context(of: next)
            if Task.isCancelled { return nil }
            self.next = errorOrContext.right.flatMap { source.strategy.next($0) }
            return errorOrContext.mapLeft { PaginationError(page: number, reason: $0) }.map(\.page)
        }

        private typealias ErrorOrContext = PageSource<Reason, Page>.ErrorOrContext

        private mutating func context(of next: Either<ConnectionError, Input>) async -> ErrorOrContext {
            switch next {
            case .left(let error): return .left(.noResponse(error))
            case .right(let input):
                let rejection: PaginationError<Reason>.Reason? = loopDetector.rejection(of: input)
                if let rejection { return .left(rejection) }
                let errorOrContext = await source.fetch(input, number)
                if let url = errorOrContext.right?.response.called.url { loopDetector.remember(input, calledAt: url) }
                return errorOrContext
            }
        }
    }
}

/// The source of the pages of all iterators: one reference, since each iterator has it as a part.
private final class PageSource<Reason: Error, Page: Sendable>: Sendable {
    typealias ErrorOrContext = Either<PaginationError<Reason>.Reason, PageContext<Page>>

    let first: Endpoint<Reason, Page>
    let strategy: PaginationStrategy<Page>
    let loopDetector: PaginationLoopDetector
    let connector: Connector

    init(
        first: Endpoint<Reason, Page>,
        strategy: PaginationStrategy<Page>,
        loopDetector: PaginationLoopDetector,
        connector: Connector
    ) {
        (self.first, self.strategy, self.loopDetector, self.connector) = (first, strategy, loopDetector, connector)
    }

    func fetch(_ input: Input, _ number: Int) async -> ErrorOrContext {
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
