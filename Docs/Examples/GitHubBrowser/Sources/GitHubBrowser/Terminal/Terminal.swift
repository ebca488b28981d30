import Foundation

/// The input and output of the app: the terminal, or a test's replacement for it.
struct Terminal: Sendable {
    /// Writes a text unchanged to standard output.
    let write: @Sendable (String) -> Void

    /// Writes a text unchanged to standard error.
    let writeError: @Sendable (String) -> Void

    /// Reads a line; nil if no user can answer.
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

    /// Shows an error message, which may have several lines.
    func complain(_ text: String) {
        for line in text.split(separator: "\n") { writeError("\(String(line).withoutControls)\n") }
    }

    /// Replaces the progress line; an empty line removes it (ECMA-48 8.3.41, EL).
    func rewrite(_ line: String) {
        writeError("\r\u{1B}[2K\(line.withoutControls)")
    }

    /// Returns whether the user wants to see more; false if no user can answer.
    func wantsMore() -> Bool {
        writeError("Enter for more, q to leave: ")
        guard let answer = read() else { return false }
        return !answer.lowercased().hasPrefix("q")
    }
}

extension String {
    /// The text without control characters, which a terminal would obey: the shown names and descriptions are written
    /// by others.
    fileprivate var withoutControls: String {
        String(String.UnicodeScalarView(unicodeScalars.filter { $0.properties.generalCategory != .control }))
    }
}
