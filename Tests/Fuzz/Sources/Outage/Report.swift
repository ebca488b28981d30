import Foundation

/// The table and the chart of simulations.
enum Report {
    /// Returns a table in Markdown: success rate, 99th percentile of the duration, and requests, by phase.
    static func table(of results: [SimulationResult]) -> String {
        var lines = ["| stack | " + Phase.allCases.map(\.rawValue).joined(separator: " | ") + " |"]
        lines.append("| --- |" + String(repeating: " --- |", count: Phase.allCases.count))
        for result in results {
            let cells = Phase.allCases.map { cell(of: result, in: $0) }
            lines.append("| \(result.name) | \(cells.joined(separator: " | ")) |")
        }
        return lines.joined(separator: "\n")
    }

    private static func cell(of result: SimulationResult, in phase: Phase) -> String {
        let calls = result.calls.filter { Phase.at($0.start) == phase }
        let share = Double(calls.count(where: \.isSuccess)) / Double(max(1, calls.count))
        let durations = calls.map(\.duration).sorted()
        let percentile =
            durations.isEmpty ? .zero : durations[(durations.count * 99 / 100).clamped(to: durations.count)]
        let start = (Phase.allCases.firstIndex(of: phase) ?? 0) * Phase.seconds
        let requests = result.requestsBySecond[start..<(start + Phase.seconds)].reduce(0, +) / Phase.seconds
        return String(format: "%.1f %%, %.2f s, %d/s", 100 * share, percentile / .seconds(1), requests)
    }

    /// Returns a chart in SVG: the successful calls and the requests of each second.
    static func chart(of results: [SimulationResult]) -> String {
        let (width, height, left, top) = (720.0, 130.0, 44.0, 34.0)
        let panel = height + 46
        let most = Double(results.flatMap(\.requestsBySecond).max() ?? 1)
        var parts: [String] = []
        for (index, result) in results.enumerated() {
            let y = top + Double(index) * panel
            parts.append(text(left, y - 8, result.name, "start", "#1f2328", bold: true))
            for (number, phase) in Phase.allCases.enumerated() {
                let x = left + Double(number * Phase.seconds) / Double(Phase.totalSeconds) * width
                let w = width / Double(Phase.allCases.count)
                if number % 2 == 1 {
                    parts.append("<rect x='\(x.short)' y='\(y)' width='\(w.short)' height='\(height)' fill='#f2f2f2'/>")
                }
                parts.append(text(x + w / 2, y + height + 16, phase.rawValue, "middle", "#59636e"))
            }
            let successes = (0..<Phase.totalSeconds).map { second in
                Double(result.calls.count { $0.isSuccess && Int(($0.start + $0.duration) / .seconds(1)) == second })
            }
            let requests = result.requestsBySecond.prefix(Phase.totalSeconds).map(Double.init)
            for (values, color) in [(Array(requests), "#cf222e"), (successes, "#1a7f37")] {
                let points = values.enumerated().map { second, value in
                    let x = left + (Double(second) + 0.5) / Double(Phase.totalSeconds) * width
                    return "\(x.short),\((y + height - value / most * height).short)"
                }
                parts.append(
                    "<polyline points='\(points.joined(separator: " "))' fill='none' stroke='\(color)' stroke-width='1.5'/>"
                )
            }
            parts.append(
                "<line x1='\(left)' y1='\(y + height)' x2='\(left + width)' y2='\(y + height)' stroke='#59636e'/>"
            )
            parts.append(text(left - 6, y + 10, "\(Int(most))/s", "end", "#59636e"))
            parts.append(text(left - 6, y + height, "0", "end", "#59636e"))
        }
        let total = top + Double(results.count) * panel + 10
        parts.append(
            text(left, total, "red: requests that the service got; green: calls that succeeded", "start", "#59636e")
        )
        return """
            <svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 \(Int(left + width + 16)) \(Int(total + 14))' \
            font-family='sans-serif' font-size='11'>
            <rect width='100%' height='100%' fill='white'/>
            \(parts.joined(separator: "\n"))
            </svg>

            """
    }

    private static func text(
        _ x: Double,
        _ y: Double,
        _ text: String,
        _ anchor: String,
        _ color: String,
        bold: Bool = false
    ) -> String {
        let weight = bold ? " font-weight='bold'" : ""
        return "<text x='\(x.short)' y='\(y.short)' text-anchor='\(anchor)' fill='\(color)'\(weight)>\(text)</text>"
    }
}

extension Double {
    fileprivate var short: String { String(format: "%.1f", self) }
}

extension Int {
    /// Returns the index, at most the last one of so many elements.
    fileprivate func clamped(to count: Int) -> Int { Swift.min(self, count - 1) }
}
