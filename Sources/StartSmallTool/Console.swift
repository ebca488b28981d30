import Foundation

/// Where the tool writes: text for people, who get colour on a terminal and none elsewhere.
struct Console: Sendable {
    /// Where a text goes.
    enum Stream: CaseIterable {
        /// Standard output.
        case output

        /// Standard error.
        case error
    }

    /// Writes bytes to standard output, as they are.
    let write: @Sendable (Data) -> Void

    /// Writes bytes to standard error, as they are.
    let writeError: @Sendable (Data) -> Void

    /// What is seen by a person.
    private let terminals: Set<Stream>

    /// Whether a person wants colours.
    private let isColoured: Bool

    init(
        write: @escaping @Sendable (Data) -> Void,
        writeError: @escaping @Sendable (Data) -> Void,
        terminals: Set<Stream> = [],
        isColoured: Bool = true
    ) {
        (self.write, self.writeError) = (write, writeError)
        (self.terminals, self.isColoured) = (terminals, isColoured)
    }

    static let standard = Console(
        write: { try? FileHandle.standardOutput.write(contentsOf: $0) },
        writeError: { try? FileHandle.standardError.write(contentsOf: $0) },
        terminals: Set(Stream.allCases.filter { isatty($0.descriptor) == 1 }),
        isColoured: ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty
    )

    /// Whether what is written there is seen by a person.
    func isTerminal(_ stream: Stream) -> Bool {
        terminals.contains(stream)
    }

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
    func styled(_ text: String, _ style: Style, on stream: Stream = .output) -> String {
        isColoured && isTerminal(stream) ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Colours by their SGR number (ECMA-48 8.3.117).
    enum Style: Int {
        case bold = 1
        case faint = 2
        case red = 31
        case green = 32
    }
}

extension Console.Stream {
    fileprivate var descriptor: Int32 {
        switch self {
        case .output: STDOUT_FILENO
        case .error: STDERR_FILENO
        }
    }
}
