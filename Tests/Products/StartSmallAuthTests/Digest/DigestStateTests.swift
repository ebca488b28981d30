import StartSmall
import StartSmallTesting
import TestSupport
import Testing

@testable import StartSmallAuth

struct DigestStateTests {
    private static func challenge(_ nonce: Int, isStale: Bool = false) -> DigestChallenge? {
        let text = #"Digest realm="r", qop="auth", algorithm=SHA-256, nonce="\#(nonce)", stale=\#(isStale)"#
        return AuthenticationField.challenges(of: text).first.flatMap { DigestChallenge($0, allowsMD5: false) }
    }

    @Test("in any order of challenges, requests and next nonces, no count of a nonce is used twice", arguments: 0..<50)
    func unique(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var (state, used) = (DigestState(), [DigestUse]())
        for step in 0..<400 {
            let nonce = Int.random(in: 0..<10, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: used += [state.next()].compactMap(\.self)
            case 1:
                let challenge = try #require(Self.challenge(nonce, isStale: Bool.random(using: &random)))
                used += [state.answer(challenge, after: used.randomElement(using: &random), "c\(step)")]
                    .compactMap(\.self)
            case 2: if let last = used.randomElement(using: &random) { state.renew(last, "\(nonce)") }
            default: used += [state.next(), state.next()].compactMap(\.self)
            }
        }
        #expect(Set(used.map { "\($0.challenge.nonce) \($0.count)" }).count == used.count)
        // The client's nonce and that of the session stay for each nonce (RFC 7616 3.4.2).
        let sessions = Dictionary(grouping: used) { $0.challenge.nonce }.values
        #expect(sessions.allSatisfy { Set($0.map { "\($0.clientNonce) \($0.sessionNonce)" }).count == 1 })
    }

    @Test("the nonce of a rejected password is not answered again, and a stale or another one is")
    func rejection() throws {
        var state = DigestState()
        let first = try #require(Self.challenge(1))
        let use = state.answer(first, after: nil, "c")
        let stale = try #require(Self.challenge(1, isStale: true))
        let other = try #require(Self.challenge(2))

        #expect(use?.count == 1)
        #expect(state.answer(first, after: use, "c") == nil)
        #expect(state.answer(stale, after: use, "c")?.count == 2)
        #expect(state.answer(other, after: use, "c")?.count == 1)
    }

    @Test("a next nonce counts only for the current one, and goes on with the session")
    func nextNonce() throws {
        var state = DigestState()
        let challenge = try #require(Self.challenge(1))
        guard let old = state.answer(challenge, after: nil, "c1") else { throw Unexpected("no answer") }
        state.renew(old, "2")
        let next = state.next()
        #expect([next?.challenge.nonce, next?.sessionNonce, next?.clientNonce] == ["2", "1", "c1"])

        // Another call's response to the old nonce arrives late.
        state.renew(old, "3")
        #expect(state.current?.challenge.nonce == "2")
    }
}
