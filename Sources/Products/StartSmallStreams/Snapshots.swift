extension AsyncSequence where Self: Sendable {
    /// Returns the snapshots of what this sequence builds up: a value into which each element is added.
    ///
    /// ```swift
    /// let answers = chat.values(via: .app).snapshots(into: Answer()) { $0.text += $1.text }
    /// for try await answer in answers { label.text = answer.text }
    /// ```
    ///
    /// An element is the value after one element of this sequence, so that the last one is the whole. A failure of this
    /// sequence is thrown, and ends the snapshots. An addition is made when its snapshot is requested, on the actor of
    /// the consumer, and in place: it copies what the snapshot holds only if the consumer has kept the one before.
    ///
    /// - Parameters:
    ///   - initial: the value before the first element, with which each iteration begins.
    ///   - add: adds an element to the value; a pure function.
    public func snapshots<Snapshot: Sendable>(
        into initial: Snapshot,
        _ add: @escaping @Sendable (_ snapshot: inout Snapshot, _ element: Element) -> Void
    ) -> some AsyncSequence<Snapshot, Failure> & Sendable {
        Snapshots(base: self, initial: initial, add: add)
    }
}

/// The values that are built up from the elements of a sequence.
private struct Snapshots<Base: AsyncSequence & Sendable, Snapshot: Sendable>: AsyncSequence, Sendable {
    typealias Failure = Base.Failure

    let base: Base
    let initial: Snapshot
    let add: @Sendable (inout Snapshot, Base.Element) -> Void

    func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), snapshot: initial, add: add)
    }

    struct Iterator: AsyncIteratorProtocol {
        var base: Base.AsyncIterator
        var snapshot: Snapshot
        let add: @Sendable (inout Snapshot, Base.Element) -> Void

        mutating func next(isolation actor: isolated (any Actor)?) async throws(Base.Failure) -> Snapshot? {
            guard let element = try await base.next(isolation: actor) else { return nil }
            add(&snapshot, element)
            return snapshot
        }
    }
}
