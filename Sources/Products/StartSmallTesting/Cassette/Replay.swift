public import StartSmallCore
public import StartSmallDiagnostics
import StartSmallSupport
public import Foundation

extension Connector {
    /// Returns a connector that replays responses from a ``Cassette`` only, or from a HAR of a browser or proxy.
    ///
    /// ```swift
    /// let replaying = Connector.replay(from: file)
    /// ```
    ///
    /// A request that is not in the cassette gets `ConnectionError.noDataOrNoResponse` with the nearest recorded
    /// request and the differences; so does a request that was recorded too long ago, and a reader who reads a stream
    /// further than that of the recording. If the cassette can't be read, all calls get
    /// `ConnectionError.engineUnavailable`.
    ///
    /// - Parameters:
    ///   - file: the URL of the cassette, which is read once, during this call.
    ///   - matching: the rule that matches requests with recorded ones.
    ///   - order: the number and order of playbacks.
    ///   - days: the maximum age of a recording in days; nil for no limit.
    ///   - scrubbing: the redaction that the cassette was recorded with; a HAR is redacted by it.
    ///   - unexpected: records each request without a response, so that a test can expect that there is none.
    ///   - played: records each exchange when it is played, so that a test can expect that all of them are.
    ///   - now: returns the current time.
    public static func replay(
        from file: URL,
        matching: RequestMatching = .methodURLAndPayload,
        order: PlaybackOrder = .any,
        expiringAfterDays days: Int? = nil,
        scrubbing: CassetteRedaction = .standard,
        unexpected: Recorder<Input>? = nil,
        played: Recorder<Exchange>? = nil,
        now: @escaping @Sendable () -> Date = { Date() }
    ) -> Connector {
        let cassette = Either { () throws(CassetteError) in try Cassette(at: file, scrubbing: scrubbing) }
        let exchanges = cassette.right?.exchanges ?? []
        let player = Player(exchanges, order, matching, scrubbing, days, now)
        return Connector { input in
            if case .left(let error) = cassette {
                return .noResponse(.engineUnavailable(debugInfo: "the cassette can't be read: \(error)"))
            }
            let reason: String
            let asked: Exchange
            switch player.play(input) {
            case .left(let error): return .noResponse(error)
            case .right((.found(let exchange), _)):
                played?.append(exchange)
                return await exchange.output(for: input, in: file.lastPathComponent)
            case .right((.unknown(let difference), let hidden)): (reason, asked) = (difference, hidden)
            case .right((.expired(let exchange, _), let hidden)):
                asked = hidden
                reason = "recorded \(exchange.recorded.formatted(.iso8601)), more than \(days ?? 0) days ago"
            }
            unexpected?.append(input)
            var text = "\(player.shown(asked.input)) is not in the cassette \(file.lastPathComponent): \(reason)"
            if let remarks = cassette.right?.remarks, let first = remarks.first {
                text += "; the HAR has \(remarks.count) remarks, first: \(first)"
            }
            return .noResponse(.noDataOrNoResponse(debugInfo: text.withPlaceholders))
        }
        .named("replay")
    }
}

extension Wrapper {
    /// Replays responses from a ``Cassette``, and records calls that are new, or were recorded too long ago.
    ///
    /// ```swift
    /// let connector = Connector.standard.wrapped(by: .replay(from: file))
    /// ```
    ///
    /// Exchanges that are recorded again keep their positions. A call that ended without a response is not written, and
    /// one that `.record` has written is made again: a server that was down once does not stay down. A written payload
    /// has at most `limit` bytes.
    ///
    /// - Passes through: requests that are not in the cassette, or were recorded too long ago.
    /// - Order: like `.record`.
    /// - Errors: like `.record`, and `ConnectionError.engineUnavailable` if there is a cassette that can't be read, or a
    ///   HAR; the file is not overwritten.
    /// - State: the file, shared by all recorders of the process, and what was played.
    /// - SeeAlso: ``Connector/replay(from:matching:order:expiringAfterDays:scrubbing:unexpected:played:now:)``
    public static func replay(
        from file: URL,
        payloadsUpTo limit: Int = Cassette.defaultPayloadLimit,
        matching: RequestMatching = .methodURLAndPayload,
        order: PlaybackOrder = .any,
        expiringAfterDays days: Int? = nil,
        scrubbing: CassetteRedaction = .standard,
        now: @escaping @Sendable () -> Date = { Date() }
    ) -> Wrapper {
        let isThere = FileManager.default.fileExists(atPath: file.path(percentEncoded: false))
        let cassette = Either { () throws(CassetteError) in isThere ? try Cassette(at: file) : Cassette() }
        let exchanges = cassette.right?.exchanges ?? []
        let player = Player(exchanges, order, matching, scrubbing, days, now, isRecording: true)
        let recorder = CassetteRecorder(file, scrubbing, payloadsUpTo: limit, after: exchanges)
        return Wrapper("replay") { input, next in
            if next.context.isDryRun { return await next(input) }
            if cassette.right?.isHAR == true {
                return .noResponse(.engineUnavailable(debugInfo: "a HAR is not recorded to: use Connector.replay"))
            }
            if case .left(let error) = cassette {
                return .noResponse(.engineUnavailable(debugInfo: "the cassette can't be read: \(error)"))
            }
            switch player.play(input) {
            case .left(let error): return .noResponse(error)
            case .right((.found(let exchange), _)): return await exchange.output(for: input, in: file.lastPathComponent)
            case .right((.expired(_, let place), _)):
                return await recorder.record(input, next, now, replacing: place, omittingUnanswered: true)
            case .right((.unknown, _)): return await recorder.record(input, next, now, omittingUnanswered: true)
            }
        }
    }
}

/// The number and order of playbacks of the exchanges of a ``Cassette``.
public enum PlaybackOrder: Hashable, Sendable {
    /// Each exchange once, in any order: the first match that was not played yet.
    case any

    /// Each exchange once, in the order of the recording.
    case recorded

    /// Each exchange once, in any order; then the last match repeats.
    case repeating
}

/// A player of exchanges for concurrent calls.
private struct Player: Sendable {
    /// A result of the search for a request.
    enum Decision {
        case found(Exchange)

        /// An exchange at this index matches, but was recorded too long ago, or is to be recorded again.
        case expired(Exchange, at: Int)

        /// No exchange matches, for this reason.
        case unknown(String)
    }

    private let exchanges: [Exchange]
    private let recorded: [ComparedRequest]
    private let order: PlaybackOrder
    private let matching: RequestMatching
    private let scrubbing: CassetteRedaction
    private let days: Int?
    private let now: @Sendable () -> Date
    private let isRecording: Bool

    /// The indices of the exchanges that were not played, and the secrets of the requests so far.
    private let state: Locked<(open: [Int], secrets: KnownSecrets)>

    init(
        _ exchanges: [Exchange],
        _ order: PlaybackOrder,
        _ matching: RequestMatching,
        _ scrubbing: CassetteRedaction,
        _ days: Int?,
        _ now: @escaping @Sendable () -> Date,
        isRecording: Bool = false
    ) {
        (self.exchanges, self.order, self.matching, self.scrubbing) = (exchanges, order, matching, scrubbing)
        (self.days, self.now, self.isRecording) = (days, now, isRecording)
        recorded = exchanges.map { ComparedRequest($0.input, for: matching, isOmitted: $0.omittedInput != nil) }
        state = Locked((Array(exchanges.indices), KnownSecrets()))
    }

    /// Returns the exchange for a request, and the request without credentials.
    func play(_ input: Input) -> Either<ConnectionError, (decision: Decision, asked: Exchange)> {
        let sent: Input
        do throws(ConnectionError) { sent = try input.asRecorded() } catch { return .left(error) }
        let asked = Exchange(input: sent, response: Exchange.nothing, recorded: now())
        let (named, secrets) = scrubbing.hidden(asked)
        let hasPayload = sent.methodAndPayload.payload.map {
            $0.content.hasStream || sent.methodAndPayload.body?.isEmpty == false
        }
        // As in a recording, secrets of one request are hidden in later requests.
        let known = state.withLock { state in
            _ = state.secrets.add(secrets)
            return state.secrets
        }
        let hidden = scrubbing.hidden(named, without: known)
        let request = ComparedRequest(hidden.input, for: matching, hasPayload: hasPayload == true)
        return .right((state.withLock { decision(on: request, &$0.open) }, hidden))
    }

    private func decision(on request: ComparedRequest, _ open: inout [Int]) -> Decision {
        let fits = { matching.fits(request, recorded[$0]) }
        let isSame = { fits($0) && request.parts == recorded[$0].parts }
        let candidates = order == .recorded ? Array(open.prefix(1)) : open
        // An exact match takes precedence over one with hidden parts.
        var found = candidates.first(where: isSame) ?? candidates.first(where: fits)
        if found == nil, order == .repeating {
            found = exchanges.indices.last(where: isSame) ?? exchanges.indices.last(where: fits)
        }
        guard let found else {
            if !candidates.isEmpty, order == .any, exchanges.indices.contains(where: { !open.contains($0) && fits($0) })
            {
                return .unknown("each matching exchange was played; .repeating plays the last one again")
            }
            return .unknown(reason(request, candidates))
        }
        open.removeAll { $0 == found }
        let exchange = exchanges[found]
        let isExpired = days.map { exchange.recorded < now().addingTimeInterval(-Double($0) * Self.day) } ?? false
        if isExpired || isRecording && exchange.isUnanswered { return .expired(exchange, at: found) }
        return .found(exchange)
    }

    /// Returns the reason why none of these exchanges matches a request.
    private func reason(_ request: ComparedRequest, _ candidates: [Int]) -> String {
        if exchanges.isEmpty { return "nothing is recorded" }
        let asked = shown(request.input)
        let near = candidates.map { index in
            (index, differences(between: recorded[index].input, and: asked, redacting: scrubbing.redaction))
        }.min { $0.1.weight < $1.1.weight }
        guard let (index, found) = near else { return "all \(exchanges.count) exchanges were played" }
        let place = order == .recorded ? "the next is" : "the nearest is"
        let lines = found.lines.isEmpty ? ["the rule finds a difference"] : found.lines
        return "\(place) exchange \(index + 1) of \(exchanges.count), recorded → requested: "
            + lines.joined(separator: "; ")
    }

    /// Returns a request for display, with a placeholder where a recorded URL has one.
    func shown(_ input: Input) -> Input {
        let hidden = Set(recorded.flatMap { $0.input.url.labeledParts.filter(\.isHidden).map(\.label) })
        let text = input.url.labeledParts.map { part in
            hidden.contains(part.label)
                ? part.separator + CassetteRedaction.encodedPlaceholder : part.separator + part.text
        }
        return input.with { $0.url = URL(string: text.joined()) ?? URL(filePath: "/") }
    }

    private static let day = 86_400.0
}

extension URL {
    /// The segments of the path and the values of query items, each with a label: the part of the URL before it.
    fileprivate var labeledParts: [(label: String, separator: String, text: String, isHidden: Bool)] {
        var (parts, rest) = ([(label: String, separator: String, text: String, isHidden: Bool)](), absoluteString[...])
        var label = ""
        while !rest.isEmpty {
            let separator = rest.prefix { "/?&=".utf8.contains($0.utf8.first ?? 0) }
            let text = rest.dropFirst(separator.count).prefix { !"/?&=".utf8.contains($0.utf8.first ?? 0) }
            rest = rest.dropFirst(separator.count + text.count)
            let isHidden = text.contains(CassetteRedaction.encodedPlaceholder)
            parts.append((label + separator, String(separator), String(text), isHidden))
            label = String(text)
        }
        return parts
    }
}
