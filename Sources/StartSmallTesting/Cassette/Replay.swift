public import Foundation
public import StartSmall
import Synchronization

extension Connector {
    /// Connector that answers from a ``Cassette``, and from nowhere else.
    ///
    /// ```swift
    /// let replaying = Connector.replay(from: file)
    /// ```
    ///
    /// A request that is not in it gets `ConnectionError.noDataOrNoResponse`, which tells the
    /// nearest one that is, and what is different; so does one that was recorded too long ago. Where the cassette can't
    /// be read, all calls get `ConnectionError.engineUnavailable`.
    ///
    /// - Parameters:
    ///   - file: the cassette, which is read once, here.
    ///   - matching: which recorded request is the one that is asked for.
    ///   - order: how often, and in which order, exchanges are played.
    ///   - days: how long a recording is good for; nil for ever.
    ///   - scrubbing: the one that it was recorded with.
    ///   - unexpected: gets each request that has no answer, so that a test can expect that there is none.
    ///   - now: the time of day.
    public static func replay(
        from file: URL,
        matching: RequestMatching = .methodURLAndPayload,
        order: PlaybackOrder = .any,
        expiringAfterDays days: Int? = nil,
        scrubbing: CassetteRedaction = .standard,
        unexpected: Recorder<Input>? = nil,
        now: @escaping @Sendable () -> Date = { Date() }
    ) -> Connector {
        let cassette = Either { () throws(CassetteError) in try Cassette(at: file) }
        let exchanges = cassette.right?.exchanges ?? []
        let player = Player(exchanges, NumberedSecrets(in: exchanges), order, matching, scrubbing, days, now)
        return Connector { input in
            if case .left(let error) = cassette {
                return .noResponse(.engineUnavailable(debugInfo: "the cassette can't be read: \(error)"))
            }
            let (reason, asked): (String, Input)
            switch player.play(input) {
            case .left(let error): return .noResponse(error)
            case .right((.found(let exchange), _)): return exchange.output(in: file.lastPathComponent)
            case .right((.unknown, let scrubbed)): (reason, asked) = (player.reason(scrubbed), scrubbed)
            case .right((.expired(let exchange, _), let scrubbed)):
                asked = scrubbed
                reason = "recorded \(exchange.recorded.formatted(.iso8601)), more than \(days ?? 0) days ago"
            }
            unexpected?.append(input)
            let shown = player.hidden.hiding(asked.replacingPlaceholders { _ in Placeholder(nil) })
            let text = "\(shown) is not in the cassette \(file.lastPathComponent): \(reason)"
            return .noResponse(.noDataOrNoResponse(debugInfo: text.showingPlaceholder))
        }
    }
}

extension Wrapper {
    /// Wrapper that answers from a ``Cassette``, and calls and records what is new, or was recorded too long ago.
    ///
    /// ```swift
    /// let connector = Connector.standard.wrapped(by: .replay(from: file))
    /// ```
    ///
    /// New exchanges come behind those that there are; what is recorded anew stands where it stood. Nothing is played in
    /// the run that records it.
    ///
    /// - Unchanged when: the request is not in the cassette.
    /// - Order: as `.record`.
    /// - Fails with: as `.record`, and `ConnectionError.engineUnavailable` if there is a cassette
    ///   that can't be read: it is not overwritten.
    /// - State: the file, one for all connectors in the same value of this wrapper.
    /// - Parameters:
    ///   - file: the cassette, which is read once, here.
    ///   - limit: the longest payload that is written, in bytes.
    ///   - matching: which recorded request is the one that is asked for.
    ///   - order: how often, and in which order, exchanges are played.
    ///   - days: how long a recording is good for; nil for ever.
    ///   - scrubbing: what is replaced.
    ///   - now: the time of day.
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
        let numbers = NumberedSecrets(in: exchanges)
        let player = Player(exchanges, numbers, order, matching, scrubbing, days, now)
        let tape = CassetteRecorder(file, scrubbing, numbers, payloadsUpTo: limit, after: exchanges)
        return Wrapper { input, next in
            if case .left(let error) = cassette {
                return .noResponse(.engineUnavailable(debugInfo: "the cassette can't be read: \(error)"))
            }
            switch player.play(input) {
            case .left(let error): return .noResponse(error)
            case .right((.found(let exchange), _)): return exchange.output(in: file.lastPathComponent)
            case .right((.expired(_, let place), _)): return await tape.record(input, next, now, replacing: place)
            case .right((.unknown, _)): return await tape.record(input, next, now)
            }
        }
    }
}

/// Plays exchanges to many calls at once.
private struct Player: Sendable {
    /// What is there for a request, and the request without credentials.
    let play: @Sendable (Input) -> Either<ConnectionError, (decision: Playback.Decision, asked: Input)>

    /// Why nothing is there for a request without credentials: it is compared with all that was recorded.
    let reason: @Sendable (_ asked: Input) -> String

    /// What of a request is not to be shown.
    let hidden: RedactionMap

    init(
        _ exchanges: [Exchange],
        _ numbers: NumberedSecrets,
        _ order: PlaybackOrder,
        _ matching: RequestMatching,
        _ scrubbing: CassetteRedaction,
        _ days: Int?,
        _ now: @escaping @Sendable () -> Date
    ) {
        let playback = Playback(exchanges, order: order, matching: matching, secrets: numbers)
        let state = Mutex((playback: playback, secrets: KnownSecrets()))
        hidden = playback.hidden
        reason = { asked in state.withLock(\.playback).reason(asked, redacting: scrubbing.redaction) }
        play = { input in
            Either { () throws(ConnectionError) in
                let (asked, found) = scrubbing.hidden(try input.asRecorded(), numbers)
                // As in a recording, what one request tells is hidden in those after it.
                let present = state.withLock { state in
                    state.secrets.add(found)
                    return state.secrets.among(asked.content)
                }
                let scrubbed = scrubbing.scrubbed(asked, without: present)
                let oldest = days.map { now().addingTimeInterval(-Double($0) * Self.day) }
                return (state.withLock { $0.playback.play(scrubbed, oldest: oldest) }, scrubbed)
            }
        }
    }

    /// Seconds.
    private static let day = 86_400.0
}
