extension CallGroup {
    /// The sequence of the numbers of running calls in a group.
    struct Changes: AsyncSequence, Sendable {
        let group: CallGroup

        /// Starts to watch the group.
        func makeAsyncIterator() -> Iterator {
            Iterator(group: group, ticks: group.ticks().makeAsyncIterator())
        }

        /// An iterator over the numbers of running calls.
        struct Iterator: AsyncIteratorProtocol {
            fileprivate let group: CallGroup
            fileprivate var ticks: AsyncStream<Void>.AsyncIterator
            private var last: Int?

            fileprivate init(group: CallGroup, ticks: AsyncStream<Void>.AsyncIterator) {
                (self.group, self.ticks) = (group, ticks)
            }

            /// Returns the next number that differs from the last one; nil if the task is cancelled.
            mutating func next() async -> Int? {
                await next(isolation: #isolation)
            }

            /// Returns the next number that differs from the last one; nil if the task is cancelled.
            mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
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
