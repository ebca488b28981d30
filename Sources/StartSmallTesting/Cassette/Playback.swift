import Foundation
import StartSmall

/// The number and order of playbacks of the exchanges of a ``Cassette``.
public enum PlaybackOrder: Hashable, Sendable {
    /// Each exchange once, in any order: the first match that was not played yet.
    case any

    /// Each exchange once, in the order of the recording.
    case recorded

    /// Each exchange once, in any order; then the last match repeats.
    case repeating
}

/// The playback state of a cassette's exchanges.
struct Playback {
    /// A result of the search for a request.
    enum Decision: Hashable {
        /// An exchange matches.
        case found(Exchange)

        /// An exchange at this index matches, but was recorded too long ago, or is to be recorded again.
        case expired(Exchange, at: Int)

        /// No exchange matches.
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

    /// Returns the exchange for a request, and marks it as played.
    ///
    /// - Parameters:
    ///   - asked: the request.
    ///   - oldest: the time before which a recording has expired; nil for none.
    ///   - isRenewing: whether an exchange without a response has expired, too.
    mutating func play(_ asked: Input, oldest: Date?, renewingUnanswered isRenewing: Bool = false) -> Decision {
        let request = ComparedRequest(asked, for: matching, hashedSizes: hashedSizes)
        var index = nextOpen(request)
        if index == nil, order == .repeating { index = last(request) }
        guard let index else { return .unknown }
        open.remove(index)
        for (secret, number) in matching.fits(request, recorded[index], secrets)?.numbers ?? [:] {
            secrets.bind(secret, number)
        }
        let exchange = exchanges[index]
        let isExpired = oldest.map { exchange.recorded < $0 } ?? false
        if isExpired || isRenewing && exchange.isUnanswered { return .expired(exchange, at: index) }
        return .found(exchange)
    }

    /// Returns the reason why no exchange matches a request.
    ///
    /// - Parameters:
    ///   - asked: the request.
    ///   - redaction: the redaction of the credentials in both requests.
    func reason(_ asked: Input, redacting redaction: Redaction) -> String {
        if exchanges.isEmpty { return "nothing is recorded" }
        let candidates = order == .recorded ? Array(open.all.prefix(1)) : open.all
        if candidates.isEmpty { return "all \(exchanges.count) exchanges were played" }
        let request = ComparedRequest(asked, for: matching, hashedSizes: hashedSizes)
        let fits = rule(for: request)
        if order == .any, exchanges.indices.contains(where: { !open.contains($0) && fits($0) }) {
            return "each matching exchange was played; .repeating plays the last one again"
        }
        let asked = hidden.hiding(asked.replacingPlaceholders { _ in Placeholder(nil) })
        let near = candidates.map { index in
            let recorded = exchanges[index].input.replacingPlaceholders { _ in Placeholder(nil) }
            return (index: index, parts: differences(between: recorded, and: asked, redacting: redaction))
        }.min { $0.parts.weight < $1.parts.weight }
        guard let near else { return "nothing is recorded" }
        let others = recorded[near.index].secrets.fieldsWithOthers(than: request.secrets, secrets)
        let secret = others.isEmpty ? "" : ", or a different secret in \(others.joined(separator: " and "))"
        let lines = near.parts.lines.isEmpty ? ["the rule finds a difference\(secret)"] : near.parts.lines
        let place = order == .recorded ? "the next is" : "the nearest is"
        return "\(place) exchange \(near.index + 1) of \(exchanges.count), "
            + "recorded → requested: \(lines.joined(separator: "; "))"
    }

    /// Returns the index of the first match that was not played, preferably one with the same secrets.
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

    /// Returns the index of the last match, played or not, preferably one with the same secrets.
    private func last(_ request: ComparedRequest) -> Int? {
        for lists in lists(of: request.parts) {
            for fits in rules(for: request) {
                if let last = lists.compactMap({ $0.indices.last(where: fits) }).max() { return last }
            }
        }
        return nil
    }

    /// Returns the lists of candidates for a request, in the order of preference.
    ///
    /// The first list has exactly the same URL. The others match only because a part of the URL is hidden, or because
    /// the rule is another one.
    private func lists(of parts: RequestParts) -> [[URLIndex.List]] {
        [[places.same(as: parts.url)], matching.isOfMethodAndURL ? places.similar(to: parts.url) : [places.all]]
    }

    /// Returns a function that checks whether the exchange at an index matches a request.
    private func rule(for request: ComparedRequest) -> (Int) -> Bool {
        { [matching, recorded, secrets] index in matching.fits(request, recorded[index], secrets) != nil }
    }

    /// Returns the rules for a request: first one that also requires consistent secrets, then the rule without that.
    private func rules(for request: ComparedRequest) -> [(Int) -> Bool] {
        let strict = { [matching, recorded, secrets] (index: Int) in
            matching.fits(request, recorded[index], secrets)?.isConsistent == true
        }
        return [strict, rule(for: request)]
    }
}
