import Foundation

/// The prompt for a password on the terminal of the process, which shows no character of it.
enum PasswordPrompt {
    /// Asks for a password; nil if there is no terminal, if Ctrl-C or Ctrl-D is typed, or if the task is cancelled.
    static func read(_ prompt: String) -> String? {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        if terminal < 0 { return nil }
        defer { close(terminal) }
        return read(prompt, from: terminal)
    }

    /// Asks for a password on a terminal, whose settings are the same afterwards.
    ///
    /// - Parameters:
    ///   - prompt: the text before the password.
    ///   - terminal: the descriptor of the terminal.
    static func read(_ prompt: String, from terminal: Int32) -> String? {
        var settings = termios()
        guard tcgetattr(terminal, &settings) == 0 else { return nil }
        var silent = settings
        // Each byte arrives at once, also that of Ctrl-C, which would otherwise leave a terminal without echo.
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        guard tcsetattr(terminal, TCSAFLUSH, &silent) == 0 else { return nil }
        defer { tcsetattr(terminal, TCSANOW, &settings) }
        try? StandardStream.write(Data(TerminalText.line(prompt).utf8), to: terminal)
        defer { try? StandardStream.write(Data("\n".utf8), to: terminal) }
        var (password, byte) = ([UInt8](), UInt8(0))
        while StandardStream.isReadable(terminal), Foundation.read(terminal, &byte, 1) == 1 {
            switch byte {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return String(validating: password, as: UTF8.self)
            case endOfText, endOfTransmission: return nil
            case backspace, delete:
                // The bytes of one character, the last ones of which continue it.
                while let last = password.popLast(), last & 0xC0 == 0x80 {}
            case removesLine: password = []
            // Other control characters are keys of the terminal, and in no password (RFC 7617 2).
            case ..<0x20: break
            default: password.append(byte)
            }
        }
        return nil
    }

    /// The bytes of Ctrl-C, Ctrl-D, and of the two keys that remove a character.
    private static let (endOfText, endOfTransmission, backspace, delete): (UInt8, UInt8, UInt8, UInt8) = (3, 4, 8, 127)

    /// The byte of Ctrl-U.
    private static let removesLine: UInt8 = 21
}
