extension Timeline: CustomStringConvertible {
    /// A text of 80 columns: a line with the outcome of the call, and one with a bar for each part.
    ///
    /// In bars, `.` is a wait or a queue, `-` a name lookup, `+` a connect, `=` a TLS handshake, `▒` the wait for the
    /// first byte, `█` the arrival of the rest, and `|` a moment.
    public var description: String { Self.text(of: [self]) }

    /// Returns a text of 80 columns of several calls on one scale, in the order of their start.
    public static func text(of timelines: some Sequence<Timeline>) -> String {
        let timelines = timelines.sorted { $0.start < $1.start }
        let scale = TimelineScale(of: timelines, width: TextColumns.bar)
        let lines = timelines.flatMap { timeline in
            let rest = ": \(timeline.outcome), \(timeline.duration.inShort)"
            let title = timeline.title.fitted(to: max(TextColumns.all - rest.count, TextColumns.label))
            let own = [Part("in all", [Span(.wait, from: timeline.start, to: timeline.end)])]
            let parts = (timelines.count > 1 || timeline.parts.isEmpty ? own : []) + timeline.parts
            let omitted = timeline.omittedParts > 0 ? ["  and \(timeline.omittedParts) more parts"] : []
            return ["\(title)\(rest)".fitted(to: TextColumns.all)] + parts.map { line(of: $0, scale) } + omitted
        }
        return lines.joined(separator: "\n")
    }

    private static func line(of part: Part, _ scale: TimelineScale) -> String {
        let label = part.label.fitted(to: TextColumns.label)
        let time = (part.end - part.start).inShort
        let blanks = { (count: Int) in String(repeating: " ", count: max(0, count)) }
        let bar = blanks(scale.firstColumn(of: part)) + scale.bar(of: part)
        return "  \(label)\(blanks(TextColumns.label - label.count)) \(bar)\(blanks(TextColumns.bar - bar.count)) "
            + "\(blanks(TextColumns.time - time.count))\(time)"
    }

    /// The duration of the call.
    public var duration: Duration { end - start }
}

/// The widths of the columns of a text, of 80 in all: those of a terminal since the VT100.
private enum TextColumns {
    static let (all, label, bar, time) = (80, 30, 37, 9)
}

extension Timeline.Phase {
    fileprivate var mark: String {
        switch self {
        case .wait, .queued: "."
        case .nameLookup: "-"
        case .connect: "+"
        case .secureConnection: "="
        case .firstByte: "▒"
        case .payload: "█"
        }
    }
}

/// The scale of a picture of calls, from the first start to the last end.
struct TimelineScale {
    let start, length: Duration
    let width: Int

    init(of timelines: [Timeline], width: Int) {
        let start = timelines.map(\.start).min() ?? .zero
        (self.start, self.width) = (start, width)
        length = max((timelines.map(\.end).max() ?? .zero) - start, .nanoseconds(1))
    }

    /// Returns the place of a time, from 0 to the width.
    func place(of time: Duration) -> Double { min(max((time - start) / length, 0), 1) * Double(width) }

    fileprivate func firstColumn(of part: Timeline.Part) -> Int { min(Int(place(of: part.start)), width - 1) }

    /// Returns a mark for each column whose middle is in the part, but at least one.
    fileprivate func bar(of part: Timeline.Part) -> String {
        if part.start == part.end { return "|" }
        let longest = part.spans.max { $0.end - $0.start < $1.end - $1.start }?.phase.mark ?? ""
        let columns = firstColumn(of: part)..<max(Int(place(of: part.end).rounded()), firstColumn(of: part) + 1)
        let marks = columns.map { column in
            part.spans.first { place(of: $0.end) > Double(column) + 0.5 }?.phase.mark ?? part.spans.last?.phase.mark
                ?? ""
        }
        return marks.count == 1 ? longest : marks.joined()
    }
}

extension Duration {
    /// The duration with about three digits, in milliseconds, seconds or hours.
    var inShort: String {
        let milliseconds = self / .milliseconds(1)
        return switch abs(milliseconds) {
        case ..<0.05: "0 ms"
        case ..<99.95: "\((milliseconds * 10).rounded() / 10) ms"
        case ..<9_999.5: "\(Int(milliseconds.rounded())) ms"
        case ..<9_999_950: "\((milliseconds / 100).rounded() / 10) s"
        default: "\(Int((milliseconds / 3_600_000).rounded())) h"
        }
    }
}

extension String {
    /// Returns the text, or its beginning and `…`.
    fileprivate func fitted(to columns: Int) -> String {
        count <= columns ? self : "\(prefix(max(0, columns - 1)))…"
    }
}
