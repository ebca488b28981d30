import StartSmall

/// A listener that prints each event of a call on a line, with the time since the first event.
enum Trace {
    static func listener(_ console: Console, clock: some Clock<Duration> = ContinuousClock()) -> Listener {
        let start = clock.now
        return Listener { (event: Event) in
            let time = column(start.duration(to: clock.now))
            console.error(
                "\(time) \(Redaction.standard.shown(text: event.name))\(detail(of: event).map { " \($0)" } ?? "")"
            )
        }
    }

    /// Returns a duration in a column.
    private static func column(_ duration: Duration) -> String {
        let text = DurationText.text(duration)
        return String(repeating: " ", count: max(0, 12 - text.count)) + text
    }

    /// Returns the details of an event on one line, with credentials redacted.
    ///
    /// Descriptions of values are redacted already; texts are redacted here.
    private static func detail(of event: Event) -> String? {
        switch event {
        case .started(let input): input?.description
        case .received(let response), .receivedHead(let response): response.description
        case .noResponse(let error): error.description
        case .refused(let response): "\(response.statusCode)"
        case .malformed(_, let info): Redaction.standard.shown(text: info)
        case .invalid(_, let reason): Redaction.standard.shown(text: reason)
        case .redirecting(let redirection): redirection.description
        case .retrying(let retrying): text(of: retrying)
        case .refreshing(let response, _): response?.description
        case .waiting(let count): "behind \(count)"
        case .progress(let progress): "\(progress)"
        case .timings(let timings): text(of: timings)
        case .custom(_, let detail): Redaction.standard.shown(text: detail)
        case .refreshed, .transformed, .succeeded, .cancelled, .failed, .ended: nil
        }
    }

    private static func text(of retrying: RetryAttempt) -> String {
        let outcome = retrying.after.connectionError?.description ?? retrying.after.response?.description ?? ""
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
