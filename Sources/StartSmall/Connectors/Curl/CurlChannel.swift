#if os(Linux)
    import Foundation
    import Synchronization

    /// The events from the engine's thread for the task of one call; at most one chunk waits to be taken.
    ///
    /// A newer progress replaces an older one that was not taken.
    ///
    /// The thread never waits: it asks whether there is room, and keeps a chunk to itself if there is none. The task
    /// that takes the chunk in the way then asks for more.
    struct CurlChannel: Sendable {
        enum ChannelEvent: Sendable {
            case head(TransferResult)
            case chunk(Data)
            case progress(TransferProgress)
            case end(CurlOutcome, FinalReport)
        }

        /// The events that were not taken yet, at most one of each kind.
        private struct State {
            var head: TransferResult?
            var chunk: Data?
            var progress: TransferProgress?
            var end: (outcome: CurlOutcome, report: FinalReport)?
            var receiver: CheckedContinuation<ChannelEvent, Never>?

            /// The index of the event loop that keeps a chunk, since there was no room for it.
            var withholder: Int?

            mutating func keep(_ channelEvent: ChannelEvent) {
                switch channelEvent {
                case .head(let head): self.head = head
                case .chunk(let chunk): self.chunk = chunk
                case .progress(let progress): self.progress = progress
                case .end(let outcome, let report): end = (outcome, report)
                }
            }

            mutating func takeNext() -> ChannelEvent? {
                if let head = head.take() { return .head(head) }
                if let progress = progress.take() { return .progress(progress) }
                if let chunk = chunk.take() { return .chunk(chunk) }
                return end.take().map { .end($0.outcome, $0.report) }
            }
        }

        /// Whether the payload of the response is taken in parts.
        let takesParts: Bool

        /// Whether a listener observes progress and timings.
        let hasListeners: Bool

        private let more: @Sendable (_ loop: Int) -> Void
        private let state = Locked(State())

        /// Creates an empty channel.
        ///
        /// - Parameters:
        ///   - takesParts: whether the payload of the response is taken in parts.
        ///   - hasListeners: whether a listener observes progress and timings.
        ///   - more: asks an event loop for the chunk that was withheld.
        init(
            takesParts: Bool,
            hasListeners: Bool,
            more: @escaping @Sendable (_ loop: Int) -> Void
        ) {
            self.takesParts = takesParts
            self.hasListeners = hasListeners
            self.more = more
        }

        /// Changes the state, and runs the returned work outside of the lock: no continuation is resumed under it.
        private func change(_ body: (inout sending State) -> sending @Sendable () -> Void) {
            state.withLock(body)()
        }

        /// Whether there is room for a chunk of this event loop; if not, the task will ask the loop when there is.
        func hasRoom(for loop: Int) -> Bool {
            state.withLock { state in
                state.withholder = state.chunk == nil ? nil : loop
                return state.withholder == nil
            }
        }

        /// Sends an event to the task; progress that was not taken yet is replaced.
        func send(_ channelEvent: ChannelEvent) {
            change { state in
                if let receiver = state.receiver {
                    state.receiver = nil
                    return { receiver.resume(returning: channelEvent) }
                }
                state.keep(channelEvent)
                return {}
            }
        }

        /// Returns the next event; the end comes last and is certain, so that there is nothing else to wait for.
        func next() async -> ChannelEvent {
            await withCheckedContinuation { continuation in
                change { state in
                    guard let channelEvent = state.takeNext() else {
                        state.receiver = continuation
                        return {}
                    }
                    let withholder = state.chunk == nil ? state.withholder.take() : nil
                    return { [more] in
                        continuation.resume(returning: channelEvent)
                        if let withholder { more(withholder) }
                    }
                }
            }
        }
    }
#endif
