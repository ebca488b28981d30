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
    enum Decision: Hashable {
        /// This.
        case found(Exchange)

        /// This, in this place, but it was recorded too long ago.
        case expired(Exchange, at: Int)

        /// Nothing.
        case unknown
    }

    let exchanges: [Exchange]
    let order: PlaybackOrder
    let matching: RequestMatching
    let hidden: RedactionMap
    private let recorded: [ComparedRequest]
    private let secrets: NumberedSecrets
    private let hashedSizes: Set<Int>
    private let places: URLIndex
    private var open: OpenPlaces

    init(_ exchanges: [Exchange], order: PlaybackOrder, matching: RequestMatching, secrets: NumberedSecrets) {
        (self.exchanges, self.order, self.matching, self.secrets) = (exchanges, order, matching, secrets)
        recorded = exchanges.map { ComparedRequest($0.input, for: matching, digest: $0.inputDigest) }
        hashedSizes = Set(exchanges.compactMap { $0.inputDigest?.sha256 == nil ? nil : $0.inputDigest?.size })
        places = URLIndex(recorded.map(\.parts.url))
        hidden = RedactionMap(of: recorded.map(\.parts.url))
        open = OpenPlaces(in: places)
    }

    /// What is there for a request, which has then been played; what is older than `oldest` has expired.
    mutating func play(_ asked: Input, oldest: Date?) -> Decision {
        let request = ComparedRequest(asked, for: matching, hashedSizes: hashedSizes)
        var index = nextOpen(request)
        if index == nil, order == .repeating { index = last(request) }
        guard let index else { return .unknown }
        open.remove(index)
        for (secret, number) in matching.fits(request, recorded[index], secrets)?.numbers ?? [:] {
            secrets.bind(secret, number)
        }
        let exchange = exchanges[index]
        if let oldest, exchange.recorded < oldest { return .expired(exchange, at: index) }
        return .found(exchange)
    }

    /// Why nothing is there for a request.
    ///
    /// - Parameter redaction: what hid the credentials of both.
    func reason(_ asked: Input, redacting redaction: Redaction) -> String {
        if exchanges.isEmpty { return "nothing is recorded" }
        let candidates = order == .recorded ? Array(open.all.prefix(1)) : open.all
        if candidates.isEmpty { return "all of it was played (\(exchanges.count) exchanges)" }
        let request = ComparedRequest(asked, for: matching, hashedSizes: hashedSizes)
        let fits = rule(for: request)
        if order == .any, exchanges.indices.contains(where: { !open.contains($0) && fits($0) }) {
            return "it was played as often as it was recorded; .repeating plays it again"
        }
        let asked = hidden.hiding(asked.replacingPlaceholders { _ in Placeholder(nil) })
        let near = candidates.map { index in
            let recorded = exchanges[index].input.replacingPlaceholders { _ in Placeholder(nil) }
            return (index: index, parts: differences(between: recorded, and: asked, redacting: redaction))
        }.min { $0.parts.weight < $1.parts.weight }
        guard let near else { return "nothing is recorded" }
        let others = recorded[near.index].secrets.fieldsWithOthers(than: request.secrets, secrets)
        let secret = others.isEmpty ? "" : ", or another secret in \(others.joined(separator: " and "))"
        let lines = near.parts.lines.isEmpty ? ["the rule finds a difference\(secret)"] : near.parts.lines
        let place = order == .recorded ? "the next is" : "the nearest is"
        return
            "\(place) exchange \(near.index + 1) of \(exchanges.count), recorded → asked: \(lines.joined(separator: "; "))"
    }

    /// Where the first one stands that fits and was not played; before others, one with the same secrets.
    private mutating func nextOpen(_ request: ComparedRequest) -> Int? {
        let fits = rule(for: request)
        if order == .recorded { return open.first(in: places.all) { _ in true }.flatMap { fits($0) ? $0 : nil } }
        for lists in lists(of: request.parts) {
            for fits in rules(for: request) {
                var found: [Int] = []
                for list in lists { if let first = open.first(in: list, where: fits) { found.append(first) } }
                if let first = found.min() { return first }
            }
        }
        return nil
    }

    /// Where the last one stands that fits, whether it was played or not; before others, one with the same secrets.
    private func last(_ request: ComparedRequest) -> Int? {
        for lists in lists(of: request.parts) {
            for fits in rules(for: request) {
                if let last = lists.compactMap({ $0.indices.last(where: fits) }).max() { return last }
            }
        }
        return nil
    }

    /// Where those stand that may fit a request: first those whose URL is the same in full, and then those that only fit
    /// because something in it is hidden, or because the rule is another one.
    private func lists(of parts: RequestParts) -> [[URLIndex.List]] {
        [[places.same(as: parts.url)], matching.isOfMethodAndURL ? places.similar(to: parts.url) : [places.all]]
    }

    /// Whether the exchange in a place is the one that is asked for.
    private func rule(for request: ComparedRequest) -> (Int) -> Bool {
        { [matching, recorded, secrets] index in matching.fits(request, recorded[index], secrets) != nil }
    }

    /// The same, and in front of it whether all secrets are those that were recorded, too.
    private func rules(for request: ComparedRequest) -> [(Int) -> Bool] {
        let strict = { [matching, recorded, secrets] (index: Int) in
            matching.fits(request, recorded[index], secrets)?.isConsistent == true
        }
        return [strict, rule(for: request)]
    }
}
