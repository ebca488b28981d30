import StartSmall

/// A listener that shows the progress of a payload on one line of the terminal, and removes the line at the end.
enum ProgressLine {
    static func listener(_ console: Console) -> Listener {
        Listener { (event: Event) in
            switch event {
            case .progress(let progress): console.rewriteLine(text(of: progress.received))
            case .received, .ended: console.rewriteLine("")
            default: break
            }
        }
    }

    /// Returns a text such as `[██████████          ]  50 %  5.0 of 10.0 MB`.
    static func text(of count: TransferProgress.Count) -> String {
        guard let total = count.total, let fraction = count.fraction else { return "\(megabytes(count.bytes)) MB" }
        let full = Int(fraction * Double(width))
        let bar = String(repeating: "█", count: full) + String(repeating: " ", count: width - full)
        let percent = String(Int(fraction * 100))
        let column = String(repeating: " ", count: 3 - percent.count) + percent
        return "[\(bar)] \(column) %  \(megabytes(count.bytes)) of \(megabytes(total)) MB"
    }

    private static let width = 20

    /// Returns a number of bytes in units of 10⁶ bytes, with one digit after the point.
    private static func megabytes(_ bytes: Int64) -> String {
        "\(bytes / 1_000_000).\(bytes / 100_000 % 10)"
    }
}
