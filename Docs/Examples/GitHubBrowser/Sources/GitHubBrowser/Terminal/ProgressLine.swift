import StartSmall

/// A line that shows the progress of a download and is removed at its end.
enum ProgressLine {
    static func listener(_ terminal: Terminal) -> Listener {
        Listener { event in
            switch event {
            case .progress(let progress): terminal.rewrite(text(of: progress.received))
            case .ended: terminal.rewrite("")
            default: break
            }
        }
    }

    /// Returns a text such as `1.5 of 3.0 MB, 50 %`; GitHub does not send the size of an archive that is created on
    /// request.
    static func text(of count: TransferProgress.Count) -> String {
        guard let total = count.total, let fraction = count.fraction else { return "\(megabytes(count.bytes)) MB" }
        return "\(megabytes(count.bytes)) of \(megabytes(total)) MB, \(Int(fraction * 100)) %"
    }

    /// Returns a number in units of 10⁶ bytes, with one digit after the point.
    private static func megabytes(_ bytes: Int64) -> String {
        "\(bytes / 1_000_000).\(bytes / 100_000 % 10)"
    }
}
