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
    let write: @Sendable (Data) throws(StreamError) -> Void

    /// The function that writes bytes to standard error, unchanged.
    let writeError: @Sendable (Data) -> Void

    /// The function that reads all of standard input.
    let read: @Sendable () throws(StreamError) -> Data

    /// The folder for files that are named by a server.
    let folder: URL

    /// The streams that are terminals.
    private let terminals: Set<Stream>

    /// Whether the user wants colours.
    private let isColoured: Bool

    init(
        write: @escaping @Sendable (Data) throws(StreamError) -> Void,
        writeError: @escaping @Sendable (Data) -> Void,
        read: @escaping @Sendable () throws(StreamError) -> Data = { () throws(StreamError) in Data() },
        folder: URL = URL(fileURLWithPath: FileManager.default.currentDirectoryPath),
        terminals: Set<Stream> = [],
        isColoured: Bool = true
    ) {
        (self.write, self.writeError, self.read, self.folder) = (write, writeError, read, folder)
        (self.terminals, self.isColoured) = (terminals, isColoured)
    }

    static let standard = Console(
        write: { data throws(StreamError) in try StandardStream.write(data, to: STDOUT_FILENO) },
        writeError: { try? StandardStream.write($0, to: STDERR_FILENO) },
        read: StandardStream.readInput,
        terminals: Set(Stream.allCases.filter { isatty($0.descriptor) == 1 }),
        isColoured: ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty
    )

    /// Returns a copy with a descriptor as standard output, which is not a terminal.
    func writing(to descriptor: Int32) -> Console {
        Console(
            write: { data throws(StreamError) in try StandardStream.write(data, to: descriptor) },
            writeError: writeError,
            read: read,
            folder: folder,
            terminals: terminals.subtracting([.output]),
            isColoured: isColoured
        )
    }

    /// Returns whether a stream is a terminal.
    func isTerminal(_ stream: Stream) -> Bool {
        terminals.contains(stream)
    }

    /// Writes a line to standard output.
    func print(_ line: String) {
        try? write(Data("\(line)\n".utf8))
    }

    /// Writes a line to standard error.
    func error(_ line: String) {
        writeError(Data("\(line)\n".utf8))
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
