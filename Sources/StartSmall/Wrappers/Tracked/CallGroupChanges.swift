extension CallGroup {
    /// The numbers of calls in a group, one after the other.
    public struct Changes: AsyncSequence, Sendable {
        let group: CallGroup

        /// Starts watching.
        public func makeAsyncIterator() -> Iterator {
            Iterator(group: group, ticks: group.ticks().makeAsyncIterator())
        }

        /// One who watches.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let group: CallGroup
            fileprivate var ticks: AsyncStream<Void>.AsyncIterator
            private var last: Int?

            fileprivate init(group: CallGroup, ticks: AsyncStream<Void>.AsyncIterator) {
                (self.group, self.ticks) = (group, ticks)
            }

            /// The next number that is not the last one; nil if the task is cancelled.
            public mutating func next() async -> Int? {
                await next(isolation: #isolation)
            }

            /// The next number that is not the last one; nil if the task is cancelled.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
                while await ticks.next(isolation: actor) != nil {
                    let count = group.count
                    if count == last { continue }
                    last = count
                    return count
                }
                return nil
            }
        }
    }
}
