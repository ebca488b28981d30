import Foundation

/// Where the tool writes: text for people, who get colour on a terminal and none elsewhere.
struct Console: Sendable {
    /// Writes bytes to standard output, as they are.
    let write: @Sendable (Data) -> Void

    /// Writes bytes to standard error, as they are.
    let writeError: @Sendable (Data) -> Void

    /// Whether what is written is seen by a person.
    let isTerminal: Bool

    static let standard = Console(
        write: { try? FileHandle.standardOutput.write(contentsOf: $0) },
        writeError: { try? FileHandle.standardError.write(contentsOf: $0) },
        isTerminal: isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["NO_COLOR"] == nil
    )

    /// Writes a line to standard output.
    func print(_ line: String) {
        write(Data("\(line)\n".utf8))
    }

    /// Writes a line to standard error.
    func error(_ line: String) {
        writeError(Data("\(line)\n".utf8))
    }

    /// Replaces the line on which the cursor of the terminal stands (ECMA-48 8.3.41, EL).
    func rewriteLine(_ line: String) {
        writeError(Data("\r\u{1B}[2K\(line)".utf8))
    }

    /// The text in a colour of the terminal, or as it is where there is none.
    func styled(_ text: String, _ style: Style) -> String {
        isTerminal ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Colours by their SGR number (ECMA-48 8.3.117).
    enum Style: Int {
        case bold = 1
        case faint = 2
        case red = 31
        case green = 32
    }
}
