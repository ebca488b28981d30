public import StartSmallSupport
public import StartSmallFoundation
import Synchronization

/// The payload of a response as it arrives: read once, by one task, which sets the pace (backpressure).
///
/// ```swift
/// while let chunk = try await body.next() { count += chunk.count }
/// ```
///
/// A body ends once, in one of the ways of ``End``. If several things end it, the first one counts, for the reader as
/// for everybody else. The transfer is cancelled when the last reference to an unread body is released. A body is a
/// reference, and equal to itself only.
public struct ResponseBody: AsyncSequence, Sendable {
    /// The way in which a body has ended.
    public enum End: Equatable, Sendable {
        /// All bytes were read, or the reader has come to its own end before the server's (``ResponseBody/finish()``).
        case complete

        /// The transfer broke off, its reader was cancelled, or ``ResponseBody/interrupt(with:)`` ended it.
        case failed(ConnectionError)

        /// The rest is not wanted: the body was discarded, or its last reference is released.
        case discarded
    }

    /// A reference that does not keep its body: for a timer or a group, since a body that is dropped must end at once.
    public struct Weak: Sendable {
        fileprivate let end: @Sendable (End) -> Void

        /// Ends the transfer with an error, as ``ResponseBody/interrupt(with:)`` does; without effect if the body is
        /// gone.
        public func interrupt(with error: ConnectionError) { end(.failed(error)) }
    }

    private let source: Source

    /// Creates the body of a transfer.
    ///
    /// No function that is given here may keep the body; all of them are released at its end.
    ///
    /// - Parameters:
    ///   - pull: returns the next bytes; nil after the last ones. Called by one task at a time, and not after nil or an
    ///     error.
    ///   - trailers: returns the fields after the payload; called once, after `pull` has returned nil.
    ///   - abort: ends the transfer, so that a waiting `pull` returns soon. Called at most once, and not after `pull`
    ///     has returned nil or an error. It must not wait: it may run in the cancellation handler of a task.
    public init(
        pulling pull: @escaping @Sendable () async throws(ConnectionError) -> Data?,
        trailers: @escaping @Sendable () -> HTTPHeaders = { [:] },
        abort: @escaping @Sendable () -> Void = {}
    ) {
        source = Source(Transfer(pull: pull, trailers: trailers, abort: abort))
    }

    /// Creates a body that ends what it reads from, with the same end.
    package init(
        pulling pull: @escaping @Sendable () async throws(ConnectionError) -> Data?,
        trailers: @escaping @Sendable () -> HTTPHeaders,
        inside: @escaping @Sendable () -> ResponseBody?
    ) {
        source = Source(Transfer(pull: pull, trailers: trailers, abort: {}, inside: { inside()?.source }))
    }

    /// Creates a body of bytes that have all arrived.
    ///
    /// - Parameters:
    ///   - data: the bytes.
    ///   - trailers: the fields after the payload.
    public init(_ data: Data, trailers: HTTPHeaders = [:]) {
        let rest = Mutex<Data?>(data)
        self.init(
            pulling: { () async throws(ConnectionError) -> Data? in rest.withLock { $0.take() } },
            trailers: { trailers }
        )
    }

    /// Returns the next bytes, which are never empty; nil after the last ones.
    ///
    /// - Throws: the error that ended the transfer; ``ConnectionError/cancelled`` if this task is cancelled, or the
    ///   body was discarded; ``ConnectionError/other(_:)`` if another task is reading, or a body around this one.
    public func next() async throws(ConnectionError) -> Data? { try await next(asOuter: false) }

    private func next(
        asOuter: Bool,
        isolation actor: isolated (any Actor)? = #isolation
    ) async throws(ConnectionError) -> Data? {
        let source = source
        switch source.beginReading(asOuter: asOuter) {
        case .ended(let end):
            await source.waitForActs()
            return try end.result.get()
        case .busy: throw .other(.secondReader)
        case .began: break
        }
        let pulled: Result<Data?, ConnectionError> = await withTaskCancellationHandler {
            // Without this capture, the closure would leave the actor (Swift 6.3.1).
            _ = actor
            return Task.isCancelled ? .failure(.cancelled) : await source.pull()
        } onCancel: {
            source.cancel()
        }
        return try await source.endReading(pulled).get()
    }

    /// The fields after the payload; empty until the end of a complete payload.
    public var trailers: HTTPHeaders { source.trailers }

    /// Ends the transfer without an error: the rest is not wanted.
    public func discard() { source.end(.discarded) }

    /// Ends the transfer as complete: the reader has come to its own end before the server's.
    public func finish() { source.end(.complete) }

    /// Ends the transfer with an error, whether a task is reading or not: for a time limit, or a cancelled group.
    public func interrupt(with error: ConnectionError) { source.end(.failed(error)) }

    /// Calls a function exactly once, when the body ends; at once if the body has ended.
    ///
    /// The reader learns of the end after the function has returned.
    ///
    /// - Parameter act: receives the end. It must not keep the body, which would then not end when it is dropped.
    public func onEnd(_ act: @escaping @Sendable (End) -> Void) { source.onEnd { act($0.end) } }

    /// The end of a body, and the parts that are known then.
    struct Summary: Sendable {
        let end: End

        /// The number of bytes that were read.
        let count: Int

        /// The fields after a complete payload.
        let trailers: HTTPHeaders
    }

    /// Calls a function exactly once, when the body ends, as ``onEnd(_:)`` does, with the parts that are known then.
    func whenEnded(_ act: @escaping @Sendable (Summary) -> Void) { source.onEnd(act) }

    /// A reference that does not keep this body.
    public var weak: Weak {
        Weak { [weak source] end in source?.end(end) }
    }

    /// Returns a body of changed bytes, which is read in place of this one.
    ///
    /// ```swift
    /// let counted = body.map { chunk in
    ///     count.add(chunk.count)
    ///     return chunk
    /// }
    /// ```
    ///
    /// An end of one of the two bodies ends the other one as well.
    ///
    /// - Parameter change: returns the bytes in place of a chunk; empty for none. An error that it throws ends the
    ///   transfer.
    public func map(_ change: @escaping @Sendable (Data) throws(ConnectionError) -> Data) -> ResponseBody {
        around { inner async throws(ConnectionError) -> Data? in try await inner.next().map(change) }
    }

    /// The body from which a changed body reads.
    public struct Inner: Sendable {
        fileprivate let body: ResponseBody

        /// Returns the next bytes, as ``ResponseBody/next()`` does.
        public func next() async throws(ConnectionError) -> Data? { try await body.next(asOuter: true) }
    }

    /// Returns a body around this one, for changes that wait, or that have bytes after the last ones of this body.
    ///
    /// From now on, only the returned body reads this one. An end of one of the two ends the other one as well, also
    /// while nobody reads: a time limit inside frees a permit outside. Exception: after all bytes of this body were
    /// read, the returned one may have more.
    ///
    /// - Parameter pull: returns the next bytes; nil after the last ones.
    public func around(
        _ pull: @escaping @Sendable (_ inner: Inner) async throws(ConnectionError) -> Data?
    ) -> ResponseBody {
        guard source.giveAway() else {
            return ResponseBody(pulling: { () async throws(ConnectionError) -> Data? in throw .other(.secondReader) })
        }
        let inner = Inner(body: self)
        let outer = ResponseBody(
            pulling: { () async throws(ConnectionError) -> Data? in try await pull(inner) },
            trailers: { inner.body.trailers },
            inside: { inner.body }
        )
        onEnd { [weak source = outer.source] end in
            if end != .complete { source?.end(end) }
        }
        return outer
    }

    /// Whether another reader has, or had, this body, so that its bytes can't be delivered once more.
    var hasReader: Bool { source.hasReader }

    /// Reads the first chunk, and returns a body that still has it, so that a failure before it can be retried.
    func awaitingFirstChunk() async throws(ConnectionError) -> ResponseBody {
        guard let first = try await next() else { return ResponseBody(Data(), trailers: trailers) }
        let waiting = Locked<Data?>(first)
        return around { inner async throws(ConnectionError) -> Data? in
            if let first = waiting.withLock({ $0.take() }) { return first }
            return try await inner.next()
        }
    }

    /// Creates an iterator, which reads this body; its reads throw ``ConnectionError/other(_:)`` if all bytes were read.
    public func makeAsyncIterator() -> Iterator { Iterator(body: self, isSecond: source.isComplete) }

    /// An iterator over the bytes of a body.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let body: ResponseBody

        /// Whether all bytes had been read before, so that none would look like an empty payload.
        fileprivate let isSecond: Bool

        /// Returns the next bytes, as ``ResponseBody/next()`` does.
        ///
        /// Bytes that have arrived are returned without leaving the actor.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(ConnectionError) -> Data? {
            if isSecond { throw .other(.secondReader) }
            return try await body.next()
        }
    }
}

extension ResponseBody: Hashable, ComparedByKey {
    package var comparedKey: ObjectIdentifier { ObjectIdentifier(source) }
}

extension ResponseBody: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The text `a body`, without any byte of it.
    public var description: String { "a body" }
}

extension ResponseBody.End {
    /// The result of a read after this end.
    fileprivate var result: Result<Data?, ConnectionError> {
        switch self {
        case .complete: .success(nil)
        case .failed(let error): .failure(error)
        case .discarded: .failure(.cancelled)
        }
    }
}

/// The functions of a transfer.
private struct Transfer: Sendable {
    let pull: @Sendable () async throws(ConnectionError) -> Data?
    let trailers: @Sendable () -> HTTPHeaders
    let abort: @Sendable () -> Void

    /// Returns the body that is read inside, which ends with this one; nil if there is none.
    var inside: @Sendable () -> Source? = { nil }
}

/// The state of a body, which all copies of the body share, and which ends with the last of them.
///
/// No function of others runs under the lock. Nor is one released under it: the release may end another body.
private final class Source: Sendable {
    typealias End = ResponseBody.End
    typealias Act = @Sendable (ResponseBody.Summary) -> Void

    enum ReadingStart { case began, busy, ended(End) }

    private struct State: Sendable {
        /// Nil after the end, so that a response that is kept keeps neither bytes nor engine.
        var transfer: Transfer?
        var isReading = false

        /// Whether a body around this one reads it.
        var isGivenAway = false
        var end: End?
        var trailers: HTTPHeaders = [:]

        /// The number of bytes that were read.
        var count = 0

        /// The body inside that has ended with this one, whose functions are called before those of this one.
        var endedInside: Source?

        /// Whether a thread that has set the end is still ending the transfer, and the body inside.
        var isEnding = false

        /// The functions to call at the end.
        var acts: [Act] = []

        /// The number of threads that are calling such functions.
        var acting = 0

        /// The readers that wait until these threads are done.
        var waiters: [CheckedContinuation<Void, Never>] = []

        var isBusyWithEnd: Bool { isEnding || acting > 0 }

        /// Takes the readers that need not wait any more.
        mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
            if isBusyWithEnd { return [] }
            defer { waiters = [] }
            return waiters
        }
    }

    private let state: Mutex<State>

    init(_ transfer: Transfer) { state = Mutex(State(transfer: transfer)) }

    deinit { end(.discarded) }

    var trailers: HTTPHeaders { state.withLock { $0.trailers } }

    // MARK: reading

    var isComplete: Bool { state.withLock { $0.end == .complete } }

    var hasReader: Bool {
        state.withLock { $0.isReading || $0.isGivenAway || $0.count > 0 || $0.end == .complete }
    }

    /// Gives the body to one around it; false if it was given away, or read to its end, before.
    func giveAway() -> Bool {
        state.withLock { state in
            defer { state.isGivenAway = true }
            return !state.isGivenAway && state.end != .complete
        }
    }

    func beginReading(asOuter: Bool) -> ReadingStart {
        state.withLock { state in
            if state.isGivenAway != asOuter { return .busy }
            if let end = state.end { return .ended(end) }
            if state.isReading { return .busy }
            state.isReading = true
            return .began
        }
    }

    /// Returns the next bytes; an empty chunk counts as none.
    func pull() async -> Result<Data?, ConnectionError> {
        while let transfer = state.withLock({ $0.transfer }) {
            do throws(ConnectionError) {
                let chunk = try await transfer.pull()
                if chunk?.isEmpty != true { return .success(chunk) }
            } catch {
                return .failure(error)
            }
        }
        // Ended meanwhile, which is what the reader gets.
        return .success(nil)
    }

    /// Ends a read, and returns its result, unless the body has ended meanwhile.
    func endReading(_ pulled: Result<Data?, ConnectionError>) async -> Result<Data?, ConnectionError> {
        let counting: End
        switch pulled {
        case .success(let chunk?):
            let earlier = state.withLock { state in
                state.isReading = false
                if state.end == nil { state.count += chunk.count }
                return state.end
            }
            guard let earlier else { return pulled }
            counting = earlier
        // The body ends while it is still being read: no other reader pulls after the end.
        case .success(nil):
            let transfer = state.withLock { $0.transfer }
            counting = mark(.complete, trailers: transfer?.trailers() ?? [:], aborting: false)
        case .failure(let error): counting = mark(.failed(error), aborting: false)
        }
        await waitForActs()
        return counting.result
    }

    /// Calls the functions that wait for the end, and waits for those that other threads are calling.
    ///
    /// Whatever is released at the end, such as a permit, is free when the reader learns of the end. That includes
    /// what the body inside holds.
    func waitForActs() async {
        await waitForOthers()
        await state.withLock { $0.endedInside }?.waitForActs()
        callActs()
        await waitForOthers()
    }

    /// Waits for other threads that are ending the body, or calling its functions.
    private func waitForOthers() async {
        if !state.withLock({ $0.isBusyWithEnd }) { return }
        await withCheckedContinuation { waiter in
            let isDone = state.withLock { state in
                if state.isBusyWithEnd { state.waiters.append(waiter) }
                return !state.isBusyWithEnd
            }
            if isDone { waiter.resume() }
        }
    }

    // MARK: the end

    /// Ends the body, unless it has ended.
    func end(_ end: End) {
        mark(end, aborting: true)
        callActs()
    }

    /// Ends the body for its reader, whose task is cancelled.
    ///
    /// This runs under the lock of the task's status, where no function that waits for the end may run: the reader
    /// calls these functions when the aborted `pull` returns.
    func cancel() { mark(.failed(.cancelled), aborting: true) }

    func onEnd(_ act: @escaping Act) {
        state.withLock { $0.acts.append(act) }
        callActs()
    }

    /// Sets the end, unless there is one, and returns the end that counts.
    @discardableResult
    private func mark(_ end: End, trailers: HTTPHeaders = [:], aborting: Bool) -> End {
        let (counting, transfer) = state.withLock { state -> (End, Transfer?) in
            if let earlier = state.end { return (earlier, nil) }
            (state.end, state.trailers, state.isEnding) = (end, trailers, true)
            return (end, state.transfer.take())
        }
        guard let transfer else { return counting }
        if aborting { transfer.abort() }
        let inside = transfer.inside()
        inside?.mark(end, aborting: true)
        let waiters = state.withLock { state in
            (state.endedInside, state.isEnding) = (inside, false)
            return state.takeWaiters()
        }
        for waiter in waiters { waiter.resume() }
        return counting
    }

    /// Calls the functions that wait for the end, each once, if the body has ended, and what is inside as well.
    private func callActs() {
        let (summary, acts, inside) = state.withLock { state -> (ResponseBody.Summary?, [Act], Source?) in
            guard let end = state.end, !state.isEnding else { return (nil, [], nil) }
            defer { state.acts = [] }
            state.acting += 1
            let summary = ResponseBody.Summary(end: end, count: state.count, trailers: state.trailers)
            return (summary, state.acts, state.endedInside)
        }
        guard let summary else { return }
        inside?.callActs()
        for act in acts { act(summary) }
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.acting -= 1
            return state.takeWaiters()
        }
        for waiter in waiters { waiter.resume() }
    }
}
