extension Timeline {
    /// A picture of the call in SVG 1.1, with a row for each part and a color for each phase.
    public var svg: String { Self.svg(of: [self]) }

    /// Returns a picture in SVG 1.1 of several calls on one scale, in the order of their start.
    public static func svg(of timelines: some Sequence<Timeline>) -> String {
        TimelinePicture(timelines.sorted { $0.start < $1.start }).text
    }
}

/// The layout of a picture, in pixels.
private struct TimelinePicture {
    private static let (width, left, row, margin) = (960, 400, 22, 12)
    private static let bars = 460

    private let scale: TimelineScale
    private var marks: [String] = []
    private var y = Self.margin
    private var phases: Set<Timeline.Phase> = []

    init(_ timelines: [Timeline]) {
        scale = TimelineScale(of: timelines, width: Self.bars)
        for timeline in timelines {
            write("\(timeline.title): \(timeline.outcome)", at: Self.margin, columns: 118, isBold: true)
            write(timeline.duration.inShort, at: Self.width - Self.margin, isEnd: true, isBold: true)
            y += Self.row
            let own = [Timeline.Part("", [Timeline.Span(.wait, from: timeline.start, to: timeline.end)])]
            for part in timeline.parts.isEmpty ? own : timeline.parts { draw(part) }
            if timeline.omittedParts > 0 {
                write("and \(timeline.omittedParts) more parts", at: Self.margin * 2)
                y += Self.row
            }
        }
        drawLegend()
    }

    private mutating func draw(_ part: Timeline.Part) {
        write(part.label, at: Self.margin * 2, columns: 52)
        write((part.end - part.start).inShort, at: Self.width - Self.margin, isEnd: true)
        for span in part.spans {
            phases.insert(span.phase)
            let (x, end) = (scale.place(of: span.start), scale.place(of: span.end))
            drawBox(span.phase, at: Double(Self.left) + x, width: max(end - x, 1.5))
        }
        y += Self.row
    }

    private mutating func drawBox(_ phase: Timeline.Phase, at x: Double, width: Double) {
        let height = phase == .wait ? 4 : Self.row - 8
        marks.append(
            """
            <rect x="\(x.short)" y="\(y + (Self.row - height) / 2)" width="\(width.short)" height="\(height)" \
            fill="\(phase.color)"/>
            """
        )
    }

    private mutating func drawLegend() {
        var x = Self.margin * 2
        y += 4
        for phase in Timeline.Phase.allCases where phases.contains(phase) {
            drawBox(phase, at: Double(x), width: 12)
            write(phase.rawValue, at: x + 17)
            x += 36 + phase.rawValue.count * 7
        }
        y += Self.row
    }

    /// Writes a text in this row.
    ///
    /// - Parameter columns: the maximum number of characters, of about 7 pixels.
    private mutating func write(
        _ text: String,
        at x: Int,
        columns: Int = 118,
        isEnd: Bool = false,
        isBold: Bool = false
    ) {
        let shown = text.count <= columns ? text : "\(text.prefix(columns - 1))…"
        let style = (isEnd ? " text-anchor=\"end\"" : "") + (isBold ? " font-weight=\"bold\"" : "")
        marks.append("<text x=\"\(x)\" y=\"\(y + 15)\"\(style)>\(shown.escapedForXML)</text>")
    }

    /// The picture on white, so that it is legible on a page of any color.
    var text: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.width) \(y + Self.margin)" \
        font-family="ui-monospace, Menlo, Consolas, monospace" font-size="11.5" fill="#1f2328">
        <rect width="100%" height="100%" fill="white"/>
        \(marks.joined(separator: "\n"))
        </svg>

        """
    }
}

extension Timeline.Phase {
    fileprivate var color: String {
        switch self {
        case .wait: "#afb8c1"
        case .queued: "#d8dee4"
        case .nameLookup: "#2a9d8f"
        case .connect: "#e9a23b"
        case .secureConnection: "#8250df"
        case .firstByte: "#4ac26b"
        case .payload: "#218bff"
        }
    }
}

extension Double {
    /// The number with one decimal place.
    fileprivate var short: String { "\((self * 10).rounded() / 10)" }
}

extension String {
    /// The text of an element of XML 1.0; characters that XML does not have (2.2) are replaced.
    fileprivate var escapedForXML: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\t", "\u{20}"..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"..."\u{10FFFF}":
                text.unicodeScalars.append(scalar)
            default: text.unicodeScalars.append("\u{FFFD}")
            }
        }
        return text
    }
}
