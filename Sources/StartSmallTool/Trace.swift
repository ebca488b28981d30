import StartSmall

/// A listener that writes each event of a call on a line, with the time since the first.
enum Trace {
    static func listener(_ console: Console, clock: some Clock<Duration> = ContinuousClock()) -> Listener {
        let start = clock.now
        return Listener { (event: Event) in
            let time = milliseconds(start.duration(to: clock.now))
            console.error(
                "\(time) \(Redaction.standard.shown(text: event.name))\(detail(of: event).map { " \($0)" } ?? "")"
            )
        }
    }

    /// A duration in milliseconds with one digit, in a column.
    private static func milliseconds(_ duration: Duration) -> String {
        let tenths = duration.components.seconds * 10_000 + duration.components.attoseconds / 100_000_000_000_000
        let text = "\(tenths / 10).\(tenths % 10) ms"
        return String(repeating: " ", count: max(0, 12 - text.count)) + text
    }

    /// What an event tells on one line, credentials redacted: values do so on their own, and texts are made to.
    private static func detail(of event: Event) -> String? {
        switch event {
        case .started(let input): input?.description
        case .received(let response), .receivedHead(let response): response.description
        case .noResponse(let error): error.description
        case .refused(let response): "\(response.statusCode)"
        case .malformed(_, let info): Redaction.standard.shown(text: info)
        case .invalid(_, let reason): Redaction.standard.shown(text: reason)
        case .redirecting(let redirection): redirection.description
        case .retrying(let retrying): retrying.description
        case .refreshing(let response, _): response?.description
        case .waiting(let count): "behind \(count)"
        case .progress(let progress): "\(progress)"
        case .timings(let timings): "\(timings)"
        case .custom(_, let detail): Redaction.standard.shown(text: detail)
        case .refreshed, .transformed, .succeeded, .cancelled, .failed, .ended: nil
        }
    }
}
