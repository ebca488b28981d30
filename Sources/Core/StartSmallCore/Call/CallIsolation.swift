import Synchronization

/// The isolation of a call: calls of different isolation never share an output, and never wait for each other.
///
/// The header fields of a request do not show all that its output depends on; see ``Next/isolation``.
public struct CallIsolation: Hashable, Sendable {
    /// The marks of this task, by the number of who set them: none for most tasks.
    ///
    /// The refresh of a token sets one, and the calls that it makes are sent without a token while it runs; otherwise they
    /// would wait for themselves.
    @TaskLocal package static var marks: [UInt64: Int] = [:]

    private let marks = Self.marks

    /// The number of the streaming wrappers of the engine, which a connector may have gained later.
    fileprivate let streamingID: UInt64?

    /// Whether the call is a part of the refresh of a token, so that its payload may have credentials.
    public var isRefresh: Bool { !marks.isEmpty }
}

extension Next {
    /// The isolation of this call: the refresh that it is a part of, and the streaming wrappers of its engine.
    ///
    /// A wrapper that gives the output of one call to another one does so only if these values are equal.
    public var isolation: CallIsolation { CallIsolation(streamingID: handler.engine?.streamingID) }

    /// Calls the next wrapper or connector once, for several calls that wait for its output.
    ///
    /// The inside has the longest time that is left to one of these calls, and sends no further request once all of them
    /// are over. A ``CallValue`` inside is its own. Events go to the call of this function.
    ///
    /// - Parameters:
    ///   - input: the request.
    ///   - waiting: returns the contexts of the calls that still wait, from any thread.
    public func callAsFunction(
        _ input: Input,
        sharedBy waiting: @escaping @Sendable () -> [CallContext]
    ) async -> Output {
        let limit = SharedLimit(waiting)
        let next = with { $0.share(by: limit) }
        let output = await next(input)
        limit.isEnded.store(true, ordering: .relaxed)
        return await next.context.values?.ended(by: output) ?? output
    }
}

/// The limit of an inner call that ends when none of several calls waits for it any more.
private final class SharedLimit: CallLimit {
    private let waiting: @Sendable () -> [CallContext]

    /// Whether there is an output: requests that the inside sends after that are for later calls.
    let isEnded = Atomic(false)

    init(_ waiting: @escaping @Sendable () -> [CallContext]) { self.waiting = waiting }

    var isAbandoned: Bool { !isEnded.load(ordering: .relaxed) && waiting().allSatisfy(\.isOver) }

    /// The longest time that is left to a call; nil if one of them has no limit.
    func remainingTime(withChosen: Bool) -> Duration? {
        if isEnded.load(ordering: .relaxed) { return nil }
        var longest: Duration?
        for context in waiting() {
            let time = withChosen ? context.remainingTime : context.remainingConnectorTime
            guard let time else { return nil }
            longest = max(longest ?? time, time)
        }
        return longest
    }
}
