import Foundation

/// Where the app writes, and where it asks: the terminal, or what a test makes of it.
struct Terminal: Sendable {
    /// Writes a text to standard output, as it is.
    let write: @Sendable (String) -> Void

    /// Writes a text to standard error, as it is.
    let writeError: @Sendable (String) -> Void

    /// Reads a line; nil if there is nobody who could answer.
    let read: @Sendable () -> String?

    static let standard = Terminal(
        write: { try? FileHandle.standardOutput.write(contentsOf: Data($0.utf8)) },
        writeError: { try? FileHandle.standardError.write(contentsOf: Data($0.utf8)) },
        read: { readLine() }
    )
}

extension Terminal {
    /// Shows a line.
    func show(_ line: String) {
        write("\(line.withoutControls)\n")
    }

    /// Shows what went wrong, which may have several lines.
    func complain(_ text: String) {
        for line in text.split(separator: "\n") { writeError("\(String(line).withoutControls)\n") }
    }

    /// Replaces the line of progress; an empty one removes it (ECMA-48 8.3.41, EL).
    func rewrite(_ line: String) {
        writeError("\r\u{1B}[2K\(line.withoutControls)")
    }

    /// Whether the user wants to see more; not if there is nobody who could answer.
    func wantsMore() -> Bool {
        writeError("Enter for more, q to leave: ")
        guard let answer = read() else { return false }
        return !answer.lowercased().hasPrefix("q")
    }
}

extension String {
    /// Without what a terminal would obey: somebody else wrote the names and descriptions that are shown.
    fileprivate var withoutControls: String {
        String(String.UnicodeScalarView(unicodeScalars.filter { $0.properties.generalCategory != .control }))
    }
}
