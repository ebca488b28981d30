import Foundation

/// The streams and the folder of the tool, with colours on terminals only.
struct Console: Sendable {
    /// A stream for text.
    enum Stream: CaseIterable {
        /// Standard output.
        case output

        /// Standard error.
        case error
    }

    /// The function that writes bytes to standard output, unchanged and immediately.
    private(set) var write: @Sendable (Data) throws(StreamError) -> Void

    /// The function that writes bytes to standard error, unchanged.
    let writeError: @Sendable (Data) -> Void

    /// The function that reads all of standard input.
    let read: @Sendable () throws(StreamError) -> Data

    /// The function that asks for a password on the terminal, which does not show it; nil if there is no terminal.
    let readPassword: @Sendable (_ prompt: String) -> String?

    /// Whether standard input is a pipe or a file that may have bytes to read.
    let hasInput: Bool

    /// The folder for files that are named by a server.
    let folder: URL

    /// The streams that are terminals.
    private var terminals: Set<Stream>

    /// Whether the user wants colours.
    private let isColoured: Bool

    init(
        write: @escaping @Sendable (Data) throws(StreamError) -> Void,
        writeError: @escaping @Sendable (Data) -> Void,
        read: @escaping @Sendable () throws(StreamError) -> Data = { () throws(StreamError) in Data() },
        readPassword: @escaping @Sendable (_ prompt: String) -> String? = { _ in nil },
        hasInput: Bool = false,
        folder: URL = URL(fileURLWithPath: FileManager.default.currentDirectoryPath),
        terminals: Set<Stream> = [],
        isColoured: Bool = true
    ) {
        (self.write, self.writeError, self.read, self.folder) = (write, writeError, read, folder)
        (self.readPassword, self.hasInput) = (readPassword, hasInput)
        (self.terminals, self.isColoured) = (terminals, isColoured)
    }

    static let standard = Console(
        write: { data throws(StreamError) in try StandardStream.write(data, to: STDOUT_FILENO) },
        writeError: { try? StandardStream.write($0, to: STDERR_FILENO) },
        read: { () throws(StreamError) in try StandardStream.read(STDIN_FILENO) },
        readPassword: PasswordPrompt.read,
        hasInput: StandardStream.hasInput(STDIN_FILENO),
        terminals: Set(Stream.allCases.filter { isatty($0.descriptor) == 1 }),
        isColoured: ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty
    )

    /// Returns a copy with a descriptor as standard output, which is not a terminal.
    func writing(to descriptor: Int32) -> Console {
        var console = self
        console.write = { data throws(StreamError) in try StandardStream.write(data, to: descriptor) }
        console.terminals.remove(.output)
        return console
    }

    /// Returns whether a stream is a terminal.
    func isTerminal(_ stream: Stream) -> Bool {
        terminals.contains(stream)
    }

    /// Writes a line to standard output, with escapes for control characters and line breaks in it.
    ///
    /// - Parameters:
    ///   - line: the line, which can contain the text of a server.
    ///   - style: the style of the line; nil for none.
    ///   - prefix: the beginning of the line, which is written unchanged.
    func print(_ line: String, _ style: Style? = nil, after prefix: String = "") {
        let line = TerminalText.line(line)
        try? write(Data("\(prefix)\(style.map { styled(line, $0) } ?? line)\n".utf8))
    }

    /// Writes a line to standard error, with escapes for control characters and line breaks in it.
    func error(_ line: String, _ style: Style? = nil) {
        let line = TerminalText.line(line)
        writeError(Data("\(style.map { styled(line, $0, on: .error) } ?? line)\n".utf8))
    }

    /// Replaces the line of the terminal's cursor (ECMA-48 8.3.41, EL).
    func rewriteLine(_ line: String) {
        writeError(Data("\r\u{1B}[2K\(line)".utf8))
    }

    /// Returns the text in a colour; unchanged if the stream has no colours.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - style: the colour.
    ///   - stream: the stream that the text is written to.
    func styled(_ text: String, _ style: Style, on stream: Stream = .output) -> String {
        isColoured && isTerminal(stream) ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// A text style by its SGR number (ECMA-48 8.3.117).
    enum Style: Int {
        case bold = 1
        case faint = 2
        case red = 31
        case green = 32
        case blue = 34
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
