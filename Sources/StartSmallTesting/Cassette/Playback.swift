import Foundation
import StartSmall

/// How often, and in which order, the exchanges of a ``Cassette`` are played.
public enum PlaybackOrder: Hashable, Sendable {
    /// Each once, in any order; the first that fits and was not played yet.
    case any

    /// Each once, in the order in which they were recorded.
    case recorded

    /// In any order, and the last one that fits as often as it is asked for.
    case repeating
}

/// Which exchanges of a cassette were played.
struct Playback {
    /// What is there for a request.
    enum Verdict: Hashable {
        /// This.
        case found(Exchange)

        /// This, in this place, but it was recorded too long ago.
        case expired(Exchange, at: Int)

        /// Nothing, and why.
        case unknown(String)
    }

    let exchanges: [Exchange]
    let order: PlaybackOrder
    let matching: RequestMatching
    let hidden: HiddenParts
    private var played: Set<Int> = []

    init(_ exchanges: [Exchange], order: PlaybackOrder, matching: RequestMatching) {
        (self.exchanges, self.order, self.matching) = (exchanges, order, matching)
        hidden = HiddenParts(of: exchanges.map(\.input.url))
    }

    /// What is there for a request, which has then been played; what is older than `oldest` has expired.
    mutating func play(_ asked: Input, oldest: Date?) -> Verdict {
        let open = exchanges.indices.filter { !played.contains($0) }
        let candidates = order == .recorded ? Array(open.prefix(1)) : open
        let fitting = candidates.filter { matching(asked, exchanges[$0].input) }
        // One whose URL is the same in full, before one that only fits because something in it is hidden.
        let parts = asked.url.parts
        var index = fitting.first { exchanges[$0].input.url.parts == parts } ?? fitting.first
        if index == nil, order == .repeating {
            let fitting = exchanges.indices.filter { matching(asked, exchanges[$0].input) }
            index = fitting.last { exchanges[$0].input.url.parts == parts } ?? fitting.last
        }
        guard let index else { return .unknown(reason(asked, candidates)) }
        played.insert(index)
        let exchange = exchanges[index]
        if let oldest, exchange.recorded < oldest { return .expired(exchange, at: index) }
        return .found(exchange)
    }

    private func reason(_ asked: Input, _ candidates: [Int]) -> String {
        if exchanges.isEmpty { return "nothing is recorded" }
        if candidates.isEmpty { return "all of it was played (\(exchanges.count) exchanges)" }
        if exchanges.indices.contains(where: { played.contains($0) && matching(asked, exchanges[$0].input) }),
            order == .any
        {
            return "it was played as often as it was recorded; .repeating plays it again"
        }
        let asked = hidden.hiding(asked)
        let near = candidates.map { (index: $0, parts: differences(between: exchanges[$0].input, and: asked)) }
            .min { $0.parts.weight < $1.parts.weight }
        guard let near else { return "nothing is recorded" }
        let lines = near.parts.lines.isEmpty ? ["the rule finds a difference"] : near.parts.lines
        let place = order == .recorded ? "the next is" : "the nearest is"
        return
            "\(place) exchange \(near.index + 1) of \(exchanges.count), recorded → asked: \(lines.joined(separator: "; "))"
    }
}
