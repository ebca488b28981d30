/// A channel without a buffer: a sender waits until its element is received, so that the consumer sets the pace.
///
/// There is one sender and one consumer at a time. Both stop waiting when their task is cancelled.
struct RendezvousChannel<Element: Sendable>: Sendable {
    private enum State {
        case empty
        case offered(Element, CheckedContinuation<Bool, Never>)
        case wanted(CheckedContinuation<Element?, Never>)
        case finished
    }

    private let state = Locked(State.empty)

    /// Changes the state, and runs the returned work outside of the lock: no continuation is resumed under it.
    private func change(_ body: (inout sending State) -> sending @Sendable () -> Void) {
        state.withLock(body)()
    }

    /// Sends an element, and waits until it is received.
    ///
    /// - Returns: false if the element will not be received, since the channel is finished or the task is cancelled.
    func send(_ element: Element) async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                change { state in
                    switch state {
                    case .finished: return { continuation.resume(returning: false) }
                    case .wanted(let receiver):
                        state = .empty
                        return {
                            receiver.resume(returning: element)
                            continuation.resume(returning: true)
                        }
                    case .empty, .offered:
                        if Task.isCancelled { return { continuation.resume(returning: false) } }
                        state = .offered(element, continuation)
                        return {}
                    }
                }
            }
        } onCancel: {
            change { state in
                guard case .offered(_, let sender) = state else { return {} }
                state = .empty
                return { sender.resume(returning: false) }
            }
        }
    }

    /// Waits for the next element and receives it.
    ///
    /// - Returns: the element; nil if the channel is finished or the task is cancelled.
    func next() async -> Element? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                change { state in
                    switch state {
                    case .finished: return { continuation.resume(returning: nil) }
                    case .offered(let element, let sender):
                        state = .empty
                        return {
                            continuation.resume(returning: element)
                            sender.resume(returning: true)
                        }
                    case .empty, .wanted:
                        if Task.isCancelled { return { continuation.resume(returning: nil) } }
                        state = .wanted(continuation)
                        return {}
                    }
                }
            }
        } onCancel: {
            change { state in
                guard case .wanted(let receiver) = state else { return {} }
                state = .empty
                return { receiver.resume(returning: nil) }
            }
        }
    }

    /// Finishes the channel: no element is sent or received any more.
    func finish() {
        change { state in
            defer { state = .finished }
            switch state {
            case .offered(_, let sender): return { sender.resume(returning: false) }
            case .wanted(let receiver): return { receiver.resume(returning: nil) }
            case .empty, .finished: return {}
            }
        }
    }
}
