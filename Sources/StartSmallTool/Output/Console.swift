import Foundation

/// The streams and the folder of the tool: people get colour on a terminal, and none elsewhere.
struct Console: Sendable {
    /// A stream for text.
    enum Stream: CaseIterable {
        /// Standard output.
        case output

        /// Standard error.
        case error
    }

    /// Writes bytes to standard output, as they are, at once.
    let write: @Sendable (Data) throws(StreamError) -> Void

    /// Writes bytes to standard error, as they are.
    let writeError: @Sendable (Data) -> Void

    /// Reads all of standard input.
    let read: @Sendable () throws(StreamError) -> Data

    /// The folder for files that a server names.
    let folder: URL

    /// The streams that are terminals.
    private let terminals: Set<Stream>

    /// Whether a person wants colours.
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

    /// A copy whose standard output is a descriptor that is no terminal.
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

    /// Whether what is written there is seen by a person.
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
