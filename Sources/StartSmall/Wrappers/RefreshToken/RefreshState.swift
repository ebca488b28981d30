/// Says who refreshes a token, who waits for that, and when it was done too often; does nothing itself.
///
/// Refreshes are numbered: what was loaded or sent before the last one ended is known to be old.
struct RefreshState: Sendable {
    /// What a call that has loaded a token is to do.
    enum Verdict: Hashable, Sendable {
        /// Send it.
        case send

        /// Load again: a refresh ended meanwhile.
        case reload

        /// Wait for the refresh that is going on.
        case wait

        /// Begin a refresh, and wait for it.
        case refresh

        /// Have the token saved that the last refresh gave, and wait for that.
        case save

        /// Give up.
        case fail(RefreshFailure)
    }

    /// What a call knows when it asks.
    struct Question: Hashable, Sendable {
        /// Whether the token that was loaded is rejected or about to expire.
        var isStale: Bool

        /// How many refreshes had ended when the token was loaded.
        var loadedAfter: Int

        /// How many refreshes had ended when the token was sent that was rejected; nil if nothing was sent yet.
        var sentAfter: Int?

        /// Whether the token that was loaded is one that the store did not take.
        var isUnsaved = false
    }

    /// How many refreshes have ended, well or not.
    private(set) var ended = 0

    /// How many had ended when the last refresh had given a token.
    private(set) var renewed = 0

    private let limit: Int
    private let window: Duration
    private var isRefreshing = false
    private var isSaving = false
    private var beginnings: [Duration] = []
    private var lastFailure: RefreshFailure?

    init(limit: Int, window: Duration) {
        (self.limit, self.window) = (limit, window)
    }

    /// The verdict at a time that a clock counts from anywhere.
    mutating func verdict(on question: Question, at time: Duration) -> Verdict {
        if isRefreshing { return .wait }
        if question.loadedAfter != ended { return .reload }
        guard question.isStale else {
            // As a refresh does, it keeps others waiting, so that no older token is saved over a newer one.
            (isRefreshing, isSaving) = (question.isUnsaved, question.isUnsaved)
            return question.isUnsaved ? .save : .send
        }
        // Who was on the way when a refresh failed waited for it too, as it were; who comes later may try again.
        if let lastFailure, let sentAfter = question.sentAfter, sentAfter < ended { return .fail(lastFailure) }
        beginnings.removeAll { time - $0 >= window }
        guard beginnings.count < limit else {
            // Nobody has rejected the token yet, and its time may be told wrong: the server decides.
            return question.sentAfter == nil ? .send : .fail(.tooOften(limit: limit, within: window))
        }
        beginnings.append(time)
        isRefreshing = true
        return .refresh
    }

    /// The refresh ended, with this failure if it did not go well.
    mutating func end(_ failure: RefreshFailure?) {
        ended += 1
        if failure == nil, !isSaving { renewed = ended }
        (isRefreshing, isSaving) = (false, false)
        lastFailure = failure
    }
}
