public import StartSmallCore
public import StartSmall

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
                let response = errorOrContext.right?.response
                // A redirect must not lead the next requests, with their credentials, to its origin.
                if let url = response?.redirections.first?.from ?? response?.url {
                    loopDetector.remember(input, calledAt: url)
                }
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

/// The items of all pages, one after the other; a page is fetched when its first item is requested.
///
/// Each element is an item, or the error for which there are no more; the sequence itself never throws.
struct PageItems<Reason: Error, Items: Sequence & Sendable>: AsyncSequence, Sendable {
    let pages: Pages<Reason, Items>

    func makeAsyncIterator() -> Iterator {
        Iterator(pages: pages.makeAsyncIterator())
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var pages: Pages<Reason, Items>.Iterator
        private var items: Items.Iterator?

        fileprivate init(pages: Pages<Reason, Items>.Iterator) { self.pages = pages }

        /// Returns the next item; nil if there is none, after a failure, or if the task is cancelled.
        mutating func next() async -> Either<PaginationError<Reason>, Items.Element>? {
            if Task.isCancelled { return nil }
            while true {
                if let item = items?.next() { return .right(item) }
                switch await pages.next() {
                case nil: return nil
                case .left(let failure): return .left(failure)
                case .right(let page): items = page.makeIterator()
                }
            }
        }
    }
}

extension Pages where Page: Sequence {
    /// The items of all pages, one after the other; a page is fetched when its first item is requested.
    ///
    /// Each element is an item, or the error for which there are no more; the sequence itself never throws.
    public var items: some AsyncSequence<Either<PaginationError<Reason>, Page.Element>, Never> & Sendable {
        PageItems(pages: self)
    }
}

extension Endpoint {
    /// Returns the pages that begin with this endpoint, each fetched when it is requested.
    ///
    /// A page that was already fetched, a page of another origin, and a page above the limit are failures. The origin
    /// is checked because the request's credentials would be sent there too.
    ///
    /// - Parameters:
    ///   - strategy: the strategy that leads from one page to the next.
    ///   - limit: the maximum number of pages; 1,000 by default.
    ///   - origins: further allowed origins of pages, in addition to the origin of this endpoint's own URL, and the one
    ///     at which a wrapper such as ``Wrapper/baseURL(_:others:)`` calls it.
    ///   - connector: the connector that makes the calls.
    public func pages(
        by strategy: PaginationStrategy<Value>,
        limit: Int = DefaultLimits.pages,
        alsoAt origins: Set<Origin> = [],
        via connector: Connector = .standard
    ) -> Pages<Failure, Value> {
        Pages(self, strategy, PaginationLoopDetector(limit: limit, origins: origins), via: connector)
    }
}
