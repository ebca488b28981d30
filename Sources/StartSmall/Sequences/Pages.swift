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
/// of its page. No page is fetched before it is requested, so that an abandoned iteration makes no further calls. Each
/// iteration starts again.
public struct Pages<Reason: Error, Page: Sendable>: AsyncSequence, Sendable {
    /// A page, or the error for which there is none.
    public typealias Element = Either<PaginationError<Reason>, Page>

    /// The sequence itself never fails: failures are elements.
    public typealias Failure = Never

    private let first: Endpoint<Reason, Page>
    private let paging: PaginationStrategy<Page>
    private let guide: PaginationLoopDetector
    private let connector: Connector

    init(
        _ first: Endpoint<Reason, Page>,
        _ paging: PaginationStrategy<Page>,
        _ guide: PaginationLoopDetector,
        via connector: Connector
    ) {
        self.first = first
        self.paging = paging
        self.guide = guide
        self.connector = connector
    }

    /// Creates an iterator that begins with the first page.
    public func makeAsyncIterator() -> Iterator {
        Iterator(next: first.input, pages: self, guide: guide)
    }

    /// An iterator over the pages from the first one on.
    public struct Iterator: AsyncIteratorProtocol {
        /// The request of the next page, or the error for which it can't be built; nil if there is no next page.
        fileprivate var next: Either<ConnectionError, Input>?
        fileprivate let pages: Pages
        fileprivate var guide: PaginationLoopDetector
        private var number = 0

        fileprivate init(next: Either<ConnectionError, Input>, pages: Pages, guide: PaginationLoopDetector) {
            self.next = next
            self.pages = pages
            self.guide = guide
        }

        /// Returns the next page; nil if there is none, after a failure, or if the task is cancelled.
        public mutating func next() async -> Element? {
            guard let next, !Task.isCancelled else { return nil }
            self.next = nil
            number += 1
            let errorOrTurn = await turn(to: next)
            if Task.isCancelled { return nil }
            self.next = errorOrTurn.right.flatMap { pages.paging.next($0) }
            return errorOrTurn.mapLeft { PaginationError(page: number, reason: $0) }.map(\.page)
        }

        private mutating func turn(to next: Either<ConnectionError, Input>) async -> Turned {
            switch next {
            case .left(let error): return .left(.noResponse(error))
            case .right(let input):
                if let rejectionReason = guide.rejectionReason(to: input) { return .left(rejectionReason.reason()) }
                let turned = await pages.fetch(input, number)
                if let url = turned.right?.response.called.url { guide.remember(input, calledAt: url) }
                return turned
            }
        }
    }

    private typealias Turned = Either<PaginationError<Reason>.Reason, PageContext<Page>>

    private func fetch(_ input: Input, _ number: Int) async -> Turned {
        var endpoint = first.answered
        endpoint.input = .right(input)
        return switch await endpoint.fetch(via: connector) {
        case .left(.left(let error)): .left(.noResponse(error))
        case .left(.right(let failure)): .left(.failed(failure.reading))
        case .right(let page):
            .right(PageContext(page: page.reading, number: number, input: input, response: page.response))
        }
    }
}
