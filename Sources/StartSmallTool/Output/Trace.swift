import StartSmall

/// A listener that prints each event of a call on a line, with the time since the first event.
enum Trace {
    static func listener(
        _ console: Console,
        clock: some Clock<Duration> = ContinuousClock(),
        redaction: Redaction = .standard
    ) -> Listener {
        let start = clock.now
        return Listener { (event: Event) in
            let time = column(start.duration(to: clock.now))
            console.error(
                "\(time) \(redaction.shown(text: event.name))\(detail(of: event, redaction).map { " \($0)" } ?? "")"
            )
        }
    }

    /// Returns a duration in a column.
    private static func column(_ duration: Duration) -> String {
        let text = DurationText.text(duration)
        return String(repeating: " ", count: max(0, 12 - text.count)) + text
    }

    /// Returns the details of an event on one line, without the values that `redaction` hides.
    private static func detail(of event: Event, _ redaction: Redaction) -> String? {
        switch event {
        case .started(let input): input?.description(redacting: redaction)
        case .received(let response), .receivedHead(let response): response.description(redacting: redaction)
        case .noResponse(let error): error.description
        case .refused(let response): "\(response.statusCode)"
        case .malformed(_, let info): redaction.shown(text: info)
        case .invalid(_, let reason): redaction.shown(text: reason)
        case .redirecting(let redirection): redirection.description(redacting: redaction)
        case .retrying(let retrying): text(of: retrying, redaction)
        case .refreshing(let response, _): response?.description(redacting: redaction)
        case .waiting(let count): "behind \(count)"
        case .progress(let progress): "\(progress)"
        case .timings(let timings): text(of: timings)
        case .custom(_, let detail): redaction.shown(text: detail)
        case .refreshed, .transformed, .succeeded, .cancelled, .failed, .ended: nil
        }
    }

    /// Returns the number of an attempt, its delay and its reason.
    static func text(of retrying: RetryAttempt, _ redaction: Redaction) -> String {
        let response = retrying.after.response?.description(redacting: redaction)
        let outcome = retrying.after.connectionError?.description ?? response ?? ""
        return "attempt \(retrying.attempt) in \(DurationText.text(retrying.delay)), after \(outcome)"
    }

    /// Returns the times since the start of the request, and the properties of its connection.
    private static func text(of timings: RequestTimings) -> String {
        let phases = [
            ("queued", timings.queued.flatMap { $0 > .zero ? $0 : nil }), ("name", timings.nameLookup),
            ("connect", timings.connect), ("tls", timings.secureConnection),
            ("first byte", timings.firstByte), ("total", timings.total),
        ]
        let times = phases.compactMap { name, time in time.map { "\(name) \(DurationText.text($0))" } }
        let connection = [
            timings.reusedConnection.map { $0 ? "reused" : "new" }, timings.httpVersion.map { "HTTP/\($0)" },
            timings.remoteAddress,
        ]
        let counts = "sent \(timings.sentBytes) bytes, received \(timings.receivedBytes) bytes"
        return (times + [counts] + connection.compactMap { $0 }).joined(separator: ", ")
    }
}
