import Synchronization

/// The facts about all requests of a part of a call, of which the last error knows only the last one.
public struct SentRequests: Hashable, Sendable {
    /// Whether a request, or a part of one, may have reached the server.
    public var mayHaveBeenSent: Bool

    /// Whether the server may have acted on a request whose response did not arrive.
    public var mayBeUnanswered: Bool
}

extension Next {
    /// Calls the next wrapper or connector, and returns whether a request may have reached the server.
    ///
    /// The first attempt may have been lost after the service acted, and the second one refused. A call that joins a
    /// request in flight knows the output only.
    public func notingRequests(of input: Input) async -> (output: Output, sent: SentRequests) {
        let mark = SentMark()
        let output = await with { $0.note(in: mark) }(input)
        let (all, last) = (mark.sent, output.sent)
        let sent = SentRequests(
            mayHaveBeenSent: all.mayHaveBeenSent || last.mayHaveBeenSent,
            mayBeUnanswered: all.mayBeUnanswered || last.mayBeUnanswered
        )
        return (output, sent)
    }
}

/// The knowledge about the requests of a part of a call.
final class SentMark: Sendable {
    private let running = Atomic(0)
    private let isSent = Atomic(false)
    private let isUnanswered = Atomic(false)

    func noteRequest() { running.add(1, ordering: .relaxed) }

    // Few calls have a mark, and each part of the engine that is inlined would have a copy of 5 kB.
    @inline(never)
    func noteOutput(_ output: Output) {
        if output.sent.mayHaveBeenSent { isSent.store(true, ordering: .relaxed) }
        if output.sent.mayBeUnanswered { isUnanswered.store(true, ordering: .relaxed) }
        running.subtract(1, ordering: .relaxed)
    }

    /// The facts; a request that still runs, since its call was abandoned, may have been sent.
    var sent: SentRequests {
        let isRunning = running.load(ordering: .relaxed) > 0
        return SentRequests(
            mayHaveBeenSent: isRunning || isSent.load(ordering: .relaxed),
            mayBeUnanswered: isRunning || isUnanswered.load(ordering: .relaxed)
        )
    }
}

extension Output {
    fileprivate var sent: SentRequests {
        let mayHaveBeenSent = connectionError?.mayHaveBeenSent ?? true
        if case .noResponse(.refused) = self {
            return SentRequests(mayHaveBeenSent: mayHaveBeenSent, mayBeUnanswered: false)
        }
        return SentRequests(mayHaveBeenSent: mayHaveBeenSent, mayBeUnanswered: mayHaveBeenSent && response == nil)
    }
}
