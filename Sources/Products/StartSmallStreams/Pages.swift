public import StartSmallCore
public import StartSmall

/// The pages of an API that returns a list in parts, as a value: the first request, and the way to the next ones.
///
/// ```swift
/// let issues = Endpoint.json([Issue].self, .get("https://api.example.com/issues")).pages(by: .link())
/// for await errorOrIssue in issues.items(via: .app) {
///     print(errorOrIssue.right?.title ?? "…")
/// }
/// ```
///
/// No request is sent until the first element of one of its sequences is requested.
public struct Pages<Failure: Error, Page: Sendable>: Sendable {
    /// The endpoint of the first page.
    public var first: Endpoint<Failure, Page>

    fileprivate let strategy: PaginationStrategy<Page>
    fileprivate let loopDetector: PaginationLoopDetector

    /// Returns the pages, one call after the other, each when it is requested.
    public func stream(via connector: Connector = .standard) -> PageStream<Failure, Page> {
        PageStream(self, via: connector)
    }
}

extension Pages where Page: Sequence {
    /// Returns the items of all pages, one after the other; a page is fetched when its first item is requested.
    ///
    /// Each element is an item, or the error for which there are no more; the sequence itself never throws.
    public func items(
        via connector: Connector = .standard
    ) -> some AsyncSequence<Either<PaginationError<Failure>, Page.Element>, Never> & Sendable {
        PageItems(pages: stream(via: connector))
    }
}

/// The pages of ``Pages``, one call after the other, each when it is requested.
///
/// Each element is a page, or the error for which there is none; a failure is the last element, and contains the number
/// of its page. The sequence itself never throws. No page is fetched before it is requested, so that an abandoned
/// iteration makes no further calls. Each iteration starts again.
public struct PageStream<Reason: Error, Page: Sendable>: AsyncSequence, Sendable {
    private let source: PageSource<Reason, Page>

    fileprivate init(_ pages: Pages<Reason, Page>, via connector: Connector) {
        source = PageSource(pages: pages, connector: connector)
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
            (self.source, next) = (source, source.pages.first.input)
            loopDetector = source.pages.loopDetector
        }

        /// Returns the next page; nil if there is none, after a failure, or if the task is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async -> Either<PaginationError<Reason>, Page>? {
            guard let next, !Task.isCancelled else { return nil }
            self.next = nil
            number += 1
            let errorOrContext = await context(of: next)
            if Task.isCancelled { return nil }
            self.next = errorOrContext.right.flatMap { source.pages.strategy.next($0) }
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

    let pages: Pages<Reason, Page>
    private let connector: Connector

    init(pages: Pages<Reason, Page>, connector: Connector) { (self.pages, self.connector) = (pages, connector) }

    func fetch(_ input: Input, _ number: Int) async -> ErrorOrContext {
        var endpoint = pages.first.taggedWithResponse
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
    let pages: PageStream<Reason, Items>

    func makeAsyncIterator() -> Iterator {
        Iterator(pages: pages.makeAsyncIterator())
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var pages: PageStream<Reason, Items>.Iterator
        private var items: Items.Iterator?

        fileprivate init(pages: PageStream<Reason, Items>.Iterator) { self.pages = pages }

        /// Returns the next item; nil if there is none, after a failure, or if the task is cancelled.
        ///
        /// An item of a page that has arrived is returned without leaving the actor.
        mutating func next(
            isolation actor: isolated (any Actor)?
        ) async -> Either<PaginationError<Reason>, Items.Element>? {
            if Task.isCancelled { return nil }
            while true {
                if let item = items?.next() { return .right(item) }
                switch await pages.next(isolation: actor) {
                case nil: return nil
                case .left(let failure): return .left(failure)
                case .right(let page): items = page.makeIterator()
                }
            }
        }
    }
}

extension Endpoint {
    /// Returns the pages that begin with this endpoint, as a value.
    ///
    /// A page that was already fetched, a page of another origin, and a page above the limit are failures. The origin
    /// is checked because the request's credentials would be sent there too.
    ///
    /// - Parameters:
    ///   - strategy: the strategy that leads from one page to the next.
    ///   - limit: the maximum number of pages; 1,000 by default.
    ///   - origins: further allowed origins of pages, in addition to the origin of this endpoint's own URL, and the one
    ///     at which a wrapper such as ``Wrapper/baseURL(_:others:)`` calls it.
    public func pages(
        by strategy: PaginationStrategy<Value>,
        limit: Int = DefaultLimits.pages,
        alsoAt origins: Set<Origin> = []
    ) -> Pages<Failure, Value> {
        Pages(first: self, strategy: strategy, loopDetector: PaginationLoopDetector(limit: limit, origins: origins))
    }
}
