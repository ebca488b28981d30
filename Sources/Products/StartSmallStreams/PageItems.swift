public import StartSmallCore

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
