#if os(Linux)
    import Foundation
    import Synchronization

    /// What the engine's thread has for the task of one call before it is over: one chunk at most waits to be taken.
    ///
    /// The thread never waits: it asks whether there is room, and keeps a chunk to itself where there is none. The task
    /// that takes the one that was in the way asks for more.
    struct CurlChannel: Sendable {
        enum ChannelEvent: Sendable {
            case head(TransferResult)
            case chunk(Data)
            case progress(TransferProgress)
            case end(CurlOutcome, FinalReport)
        }

        private struct State {
            var head: ChannelEvent?
            var chunk: ChannelEvent?
            var progress: ChannelEvent?
            var end: ChannelEvent?
            var taker: CheckedContinuation<ChannelEvent, Never>?
            var isWithheld = false

            mutating func keep(_ news: ChannelEvent) {
                switch news {
                case .head: head = news
                case .chunk: chunk = news
                case .progress: progress = news
                case .end: end = news
                }
            }

            mutating func takeNext() -> ChannelEvent? {
                head.take() ?? progress.take() ?? chunk.take() ?? end.take()
            }
        }

        /// Whether somebody takes the payload of a successful response in parts.
        let takesParts: Bool

        /// Whether somebody hears of a head that is not given as a part.
        let wantsHead: Bool

        /// Whether somebody hears of progress and timings.
        let hasListeners: Bool

        private let more: @Sendable () -> Void
        private let state = Locked(State())

        /// Creates an empty channel; `more` asks for the chunk that was withheld.
        init(takesParts: Bool, wantsHead: Bool = false, hasListeners: Bool, more: @escaping @Sendable () -> Void) {
            self.takesParts = takesParts
            self.wantsHead = wantsHead
            self.hasListeners = hasListeners
            self.more = more
        }

        /// Changes the state, and then does what the change returns, without the lock: no continuation is resumed under it.
        private func change(_ body: (inout sending State) -> sending @Sendable () -> Void) {
            state.withLock(body)()
        }

        /// Whether there is room for a chunk; if not, the task will ask for it when there is.
        func hasRoom() -> Bool {
            state.withLock { state in
                state.isWithheld = state.chunk != nil
                return !state.isWithheld
            }
        }

        /// Leaves news for the task; progress that was not taken yet is replaced.
        func send(_ news: ChannelEvent) {
            change { state in
                if let taker = state.taker {
                    state.taker = nil
                    return { taker.resume(returning: news) }
                }
                state.keep(news)
                return {}
            }
        }

        /// The next news; the end comes last, and surely, so that nothing else is to be waited for.
        func next() async -> ChannelEvent {
            await withCheckedContinuation { continuation in
                change { state in
                    guard let news = state.takeNext() else {
                        state.taker = continuation
                        return {}
                    }
                    let isWithheld = state.isWithheld && state.chunk == nil
                    if isWithheld { state.isWithheld = false }
                    return { [more] in
                        continuation.resume(returning: news)
                        if isWithheld { more() }
                    }
                }
            }
        }
    }
#endif
