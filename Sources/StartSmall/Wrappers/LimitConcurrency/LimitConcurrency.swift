extension Wrapper {
    /// Wrapper that lets at most `limit` calls through at once; the others wait, first come, first served.
    ///
    /// A call that is cancelled while it waits leaves its place. One that runs keeps its place until the connector inside
    /// has ended, so that there are never more.
    ///
    /// - Parameters:
    ///   - limit: how many calls may run at once; with less than 1 every call is refused.
    ///   - waiting: how many calls may wait at most; nil for as many as come.
    /// - Unchanged when: there is a free place.
    /// - Order: outside of a time limit that should not count the waiting, inside of one that should; inside of retry, so
    ///   that a call that waits for its next try takes no place, and inside of `.refreshToken`: outside, the calls that wait
    ///   for a refresh keep their places, and a refresh that needs one, since it calls through the app's own connector and
    ///   not through the one that is handed in, waits for ever.
    /// - Reports: ``Event/waiting(behind:)`` if the call has to wait.
    /// - Fails with: ``ConnectionError/tooManyCalls(limit:waiting:)`` if as many wait as may.
    /// - State: who runs and who waits, made once per wrap: all calls through the wrapped connector share it.
    public static func limitConcurrency(_ limit: Int, waiting: Int? = nil) -> Wrapper {
        Wrapper(wrapping: { connector in
            let places = Semaphore(TurnQueue(limit: limit, room: waiting.map { max(0, $0) }))
            return connector.wrapped(
                by: Wrapper { input, next in
                    switch places.come() {
                    case .wait(let number, let behind, let turn):
                        next.report(.waiting(behind: behind))
                        guard await turn.value() != nil else {
                            places.leave(number)
                            return .noResponse(.cancelled)
                        }
                    case .refuse: return .noResponse(.tooManyCalls(limit: limit, waiting: waiting ?? 0))
                    case .go: break
                    }
                    let output = await next(input)
                    places.end()
                    return output
                }
            )
        })
    }
}

/// The places of one wrapped connector: obeys ``TurnQueue``.
private struct Semaphore: Sendable {
    enum Decision {
        case go
        case wait(UInt64, behind: Int, Promise<Void>)
        case refuse
    }

    private let queue: Locked<TurnQueue<Promise<Void>>>

    init(_ queue: TurnQueue<Promise<Void>>) {
        self.queue = Locked(queue)
    }

    func come() -> Decision {
        queue.withLock { queue in
            // Made only for who has to wait.
            lazy var turn = Promise<Void>()
            return switch queue.come(turn) {
            case .go: .go
            case .wait(let number, let behind): .wait(number, behind: behind, turn)
            case .refuse: .refuse
            }
        }
    }

    func leave(_ number: UInt64) {
        queue.withLock { $0.leave(number) }
    }

    /// Gives the place to the next one who still wants it.
    func end() {
        while let waiter = queue.withLock({ $0.end() }), !waiter.fulfill(()) {}
    }
}
