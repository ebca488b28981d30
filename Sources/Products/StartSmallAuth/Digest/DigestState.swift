import StartSmallSupport

/// One use of a nonce of the server: a count that no other request has.
struct DigestUse: Hashable, Sendable {
    fileprivate(set) var challenge: DigestChallenge

    /// The nonce of the client, one for each challenge: a session has that of its first request (RFC 7616 3.4.2).
    let clientNonce: String

    /// The nonce of the challenge that began the session; `nextnonce` does not change it.
    let sessionNonce: String

    /// The number of requests with the nonce, with this one.
    fileprivate(set) var count: UInt32 = 0
}

/// The nonces of one origin: decides which one a request is sent with, and whether a request is repeated.
///
/// The state machine is pure: the wrapper performs its steps under a lock.
struct DigestState: Hashable, Sendable {
    /// The last nonces, of which the last one is current.
    ///
    /// Servers behind one name may each have a nonce of their own, and concurrent calls receive several.
    private var uses: [DigestUse] = []

    /// The number of nonces that are remembered: more than a service has servers with nonces of their own.
    private static let maximumCount = 16

    /// The last use of the current nonce; nil before the first challenge.
    var current: DigestUse? { uses.last }

    /// Returns the next use of the current nonce; nil before the first challenge, and after its last count.
    mutating func next() -> DigestUse? {
        guard let last = uses.indices.last, uses[last].count < .max else { return nil }
        uses[last].count += 1
        return uses[last]
    }

    /// Takes the nonce of a challenge, and returns its next use if the request is to be repeated.
    ///
    /// The nonce with which the request was sent means a wrong password, unless it is stale (RFC 7616 3.3).
    mutating func answer(_ challenge: DigestChallenge, after used: DigestUse?, _ clientNonce: String) -> DigestUse? {
        put(DigestUse(challenge: challenge, clientNonce: clientNonce, sessionNonce: challenge.nonce))
        let isRejected = used.map { $0.challenge.nonce.isSame(as: challenge.nonce) && !challenge.isStale }
        return isRejected == true ? nil : next()
    }

    /// Takes the next nonce for a challenge (RFC 7616 3.5), unless there is another one since.
    mutating func renew(_ used: DigestUse, _ nonce: String) {
        guard let current, current.challenge.nonce.isSame(as: used.challenge.nonce) else { return }
        var challenge = used.challenge
        challenge.nonce = nonce
        put(DigestUse(challenge: challenge, clientNonce: used.clientNonce, sessionNonce: used.sessionNonce))
    }

    /// Makes a nonce the current one; a known one goes on with its count and its session.
    private mutating func put(_ use: DigestUse) {
        var use = use
        if let index = uses.firstIndex(where: { $0.challenge.nonce.isSame(as: use.challenge.nonce) }) {
            let challenge = use.challenge
            use = uses.remove(at: index)
            use.challenge = challenge
        }
        uses.append(use)
        if uses.count > Self.maximumCount { uses.removeFirst() }
    }
}
