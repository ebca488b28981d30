import StartSmall
import Synchronization

/// A line of the terminal that shows the progress of an upload or a download, and is removed before other output.
final class ProgressLine: Sendable {
    private let console: Console

    /// Whether downloads are shown too.
    private let showsDownload: Bool

    private let state = Mutex(State())

    private struct State {
        var isShown = false
        var isOver = false
    }

    init(_ console: Console, showsDownload: Bool) {
        (self.console, self.showsDownload) = (console, showsDownload)
    }

    /// A listener that shows the line, unless standard error is no terminal.
    var listener: Listener {
        Listener { (event: Event) in
            switch event {
            case .progress(let progress): self.show(progress)
            case .receivedHead, .received, .redirecting, .retrying, .ended: self.hide()
            default: break
            }
        }
    }

    private func show(_ progress: TransferProgress) {
        let isUpload = progress.received.bytes == 0 && progress.sent.bytes > 0
        guard console.isTerminal(.error), isUpload || showsDownload else { return hide() }
        state.withLock { state in
            if state.isOver { return }
            state.isShown = true
            console.rewriteLine(Self.text(of: isUpload ? progress.sent : progress.received))
        }
    }

    /// Removes the line; with `forGood`, because the payload is written to the terminal from now on.
    func hide(forGood: Bool = false) {
        state.withLock { state in
            if state.isShown { console.rewriteLine("") }
            state = State(isShown: false, isOver: state.isOver || forGood)
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
