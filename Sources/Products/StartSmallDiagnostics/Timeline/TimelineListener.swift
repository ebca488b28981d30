public import StartSmallCore
import StartSmallFoundation
import StartSmallSupport

extension Listener {
    /// Returns a listener that is called with the ``Timeline`` of each call when the call ends.
    ///
    /// ```swift
    /// let timelines = Recorder<Timeline>()
    /// let app = Connector.standard.wrapped(by: .listen(to: .timeline(show: timelines.append)))
    /// ```
    ///
    /// Network requests are those whose engine reports ``Event/timings(_:)``; a stub has none. A wait is the time from
    /// an event that a wrapper reports, such as `retrying`, to the next event or the start of the next request.
    ///
    /// - Parameters:
    ///   - redaction: the rules by which credentials in URLs and other texts are hidden.
    ///   - clock: the clock that measures the times of events.
    ///   - show: receives the timeline of a call that ended, from any thread.
    public static func timeline(
        redacting redaction: Redaction = .standard,
        clock: some Clock<Duration> = ContinuousClock(),
        show: @escaping @Sendable (Timeline) -> Void
    ) -> Listener {
        let time = clock.timeSinceNow()
        let running = Locked<[CallID: OpenTimeline]>([:])
        return Listener { event, call in
            let now = time()
            // The events of a call come one at a time, and the calls of others do not wait for its texts.
            var timeline = running.withLock { $0.removeValue(forKey: call) }
            if case .started(let input) = event { timeline = OpenTimeline(input, at: now, redaction) }
            if let ended = timeline?.add(event, at: now) { return show(ended) }
            if let timeline { running.withLock { $0[call] = timeline } }
        }
    }
}

/// A timeline of a call that is not over.
struct OpenTimeline {
    private(set) var timeline: Timeline
    private let redaction: Redaction
    private var requests = 0

    /// The label and the start of a wait that is not over.
    private var wait: (label: String, start: Duration)?

    /// The maximum length of a title, an outcome or a label, in bytes; a server chooses some of these texts.
    private static let longest = 400

    init(_ input: Input?, at time: Duration, _ redaction: Redaction) {
        self.redaction = redaction
        let title = input.map { input in
            let url = redaction.hidingForms(in: redaction.shown(url: input.calledURL.absoluteString))
            return "\(redaction.shown(text: input.methodAndPayload.method)) \(url)"
        }
        timeline = Timeline(Self.short(title ?? "no request"), outcome: "", from: time, to: time)
    }

    /// Adds an event; returns the timeline at the end of the call.
    mutating func add(_ event: Event, at time: Duration) -> Timeline? {
        switch event {
        case .timings(let timings): add(timings, at: time)
        case .reported(let reported):
            endWait(at: time)
            wait = (text(reported.description), time)
        case .received(let response): timeline.outcome = text("\(response.statusCode)")
        case .rejected(let response): timeline.outcome = text("\(response.statusCode)")
        case .malformed(let response, _): timeline.outcome = text("\(response.statusCode), malformed")
        case .invalid(let response, let reason): timeline.outcome = text("\(response.statusCode), invalid: \(reason)")
        case .noResponse(let error): timeline.outcome = text(error.description)
        case .cancelled: timeline.outcome = "cancelled"
        case .ended:
            endWait(at: time)
            timeline.end = time
            timeline.parts.sort { $0.start < $1.start }
            return timeline
        case .started, .receivedHead, .transformed, .succeeded, .failed, .progress: break
        }
        return nil
    }

    private mutating func add(_ timings: RequestTimings, at time: Duration) {
        let start = max(timeline.start, time - timings.total)
        // The timings of an abandoned attempt may come after the event of its retry.
        if let wait, start >= wait.start { endWait(at: start) }
        requests += 1
        let ends: [(Timeline.Phase, Duration?)] = [
            (.queued, timings.queued), (.nameLookup, timings.nameLookup), (.connect, timings.connect),
            (.secureConnection, timings.secureConnection), (.firstByte, timings.firstByte),
            // Without a first byte, the rest is a wait for it.
            (timings.firstByte == nil ? .firstByte : .payload, timings.total),
        ]
        var spans: [Timeline.Span] = []
        for (phase, end) in ends {
            let from = spans.last?.end ?? start
            guard let end, start + end > from else { continue }
            spans.append(Timeline.Span(phase, from: from, to: min(start + end, max(start, time))))
        }
        if spans.isEmpty { spans = [Timeline.Span(.firstByte, from: start, to: start)] }
        let connection = timings.reusedConnection.map { $0 ? "reused" : "new" }
        let details = [timings.httpVersion.map { "HTTP/\($0)" }, connection].compactMap { $0.map { ", \($0)" } }
        add(Timeline.Part("request \(requests)\(details.joined())", spans))
    }

    /// Ends a wait at the next event, or at the start of a request that began after it.
    private mutating func endWait(at time: Duration) {
        guard let (label, start) = wait.take() else { return }
        add(Timeline.Part(label, [Timeline.Span(.wait, from: start, to: time)]))
    }

    private mutating func add(_ part: Timeline.Part) {
        if timeline.parts.count < Timeline.maximumParts {
            timeline.parts.append(part)
        } else {
            timeline.omittedParts += 1
        }
    }

    private func text(_ text: String) -> String { Self.short(redaction.hidingForms(in: redaction.shown(text: text))) }

    private static func short(_ text: String) -> String {
        text.utf8.count <= longest ? text : String(decoding: text.utf8.prefix(longest), as: UTF8.self) + "…"
    }
}
