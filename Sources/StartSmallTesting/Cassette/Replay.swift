public import Foundation
public import StartSmall
import Synchronization

extension Connector {
    /// Returns a connector that replays responses from a ``Cassette`` only.
    ///
    /// ```swift
    /// let replaying = Connector.replay(from: file)
    /// ```
    ///
    /// A request that is not in the cassette gets `ConnectionError.noDataOrNoResponse` with the nearest recorded
    /// request and the differences; so does a request that was recorded too long ago. If the cassette can't be read,
    /// all calls get `ConnectionError.engineUnavailable`.
    ///
    /// A call that ended without a response gets the recorded error, after the part of a response that had arrived. The
    /// reader of a stream who reads further than the reader of the recording gets `ConnectionError.noDataOrNoResponse`.
    ///
    /// - Parameters:
    ///   - file: the URL of the cassette, which is read once, during this call.
    ///   - matching: the rule that matches requests with recorded ones.
    ///   - order: the number and order of playbacks.
    ///   - days: the maximum age of a recording in days; nil for no limit.
    ///   - scrubbing: the redaction that the cassette was recorded with.
    ///   - unexpected: records each request without a response, so that a test can expect that there is none.
    ///   - now: returns the current time.
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
            case .right((.found(let exchange), _)): return await exchange.output(for: input, in: file.lastPathComponent)
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
    /// New exchanges are appended to the existing ones; exchanges that are recorded again keep their positions. An
    /// exchange is not played in the run that records it.
    ///
    /// A call that ended without a response is not written, and one that `.record` has written is made again: a server
    /// that was down once does not stay down. A stream that its reader left is written and replayed.
    ///
    /// - Passes through: requests that are not in the cassette, or were recorded too long ago.
    /// - Order: like `.record`.
    /// - Errors: like `.record`, and `ConnectionError.engineUnavailable` if there is a cassette that can't be read; the
    ///   cassette is not overwritten.
    /// - State: the file, shared by all connectors with the same value of this wrapper.
    ///
    /// - Parameters:
    ///   - file: the URL of the cassette, which is read once, during this call.
    ///   - limit: the maximum length of a written payload, in bytes.
    ///   - matching: the rule that matches requests with recorded ones.
    ///   - order: the number and order of playbacks.
    ///   - days: the maximum age of a recording in days; nil for no limit.
    ///   - scrubbing: the redaction of the cassette.
    ///   - now: returns the current time.
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
        let player = Player(exchanges, numbers, order, matching, scrubbing, days, now, isRecording: true)
        let recorder = CassetteRecorder(file, scrubbing, numbers, payloadsUpTo: limit, after: exchanges)
        return Wrapper("replay") { input, next in
            if next.context.isDryRun { return await next(input) }
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

/// A player of exchanges for concurrent calls.
private struct Player: Sendable {
    /// Returns the exchange for a request, and the request without credentials.
    let play: @Sendable (Input) -> Either<ConnectionError, (decision: Playback.Decision, asked: Input)>

    /// Returns the reason why no exchange matches a request without credentials.
    ///
    /// The request is compared with all recorded ones.
    let reason: @Sendable (_ asked: Input) -> String

    /// The positions of hidden parts, which must not be displayed.
    let hidden: RedactionMap

    init(
        _ exchanges: [Exchange],
        _ numbers: NumberedSecrets,
        _ order: PlaybackOrder,
        _ matching: RequestMatching,
        _ scrubbing: CassetteRedaction,
        _ days: Int?,
        _ now: @escaping @Sendable () -> Date,
        isRecording: Bool = false
    ) {
        let playback = Playback(exchanges, order: order, matching: matching, secrets: numbers)
        let state = Mutex((playback: playback, secrets: KnownSecrets()))
        hidden = playback.hidden
        reason = { asked in state.withLock(\.playback).reason(asked, redacting: scrubbing.redaction) }
        play = { input in
            Either { () throws(ConnectionError) in
                let (asked, found) = scrubbing.hidden(try input.asRecorded(), numbers)
                // As in a recording, secrets of one request are hidden in later requests.
                let present = state.withLock { state in
                    state.secrets.add(found)
                    return state.secrets.among(asked.content)
                }
                let scrubbed = scrubbing.scrubbed(asked, without: present)
                let oldest = days.map { now().addingTimeInterval(-Double($0) * Self.day) }
                let decision = state.withLock { state in
                    state.playback.play(scrubbed, oldest: oldest, renewingUnanswered: isRecording)
                }
                return (decision, scrubbed)
            }
        }
    }

    /// The length of a day in seconds.
    private static let day = 86_400.0
}
