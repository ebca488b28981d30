import StartSmallCore
import StartSmallSupport
import StartSmallFoundation

/// Texts and bytes for a POSIX shell, quoted so that nothing in them is interpreted (POSIX.1-2024, 2.2.2).
enum ShellWord {
    /// Returns a text as one word in single quotes, in which a shell interprets nothing but the next single quote.
    static func quoted(_ text: String) -> String {
        // By bytes: a quote with a combining accent is another `Character`, but still a quote to a shell.
        var word = [quote]
        word.reserveCapacity(text.utf8.count + 2)
        for byte in text.utf8 {
            if byte == quote { word += [quote, UInt8(ascii: "\\"), quote] }
            word.append(byte)
        }
        word.append(quote)
        return String(decoding: word, as: UTF8.self)
    }

    /// Returns a text as one word without control characters, so that it can't begin a line of a log.
    ///
    /// A shell replaces the command inside by its output, without the line ends at its end (POSIX.1-2024, 2.6.3). A
    /// text that ends with one, such as the name of a file, is shown with escapes, and names no such file.
    static func onOneLine(_ text: String) -> String {
        let shown = text.onOneLine
        if shown.isSame(as: text) || text.utf8.last == UInt8(ascii: "\n") { return quoted(shown) }
        return "\"$(\(printing(Data(text.utf8))))\""
    }

    /// Returns a command that writes these bytes: `printf` with all but safe characters in octal.
    static func printing(_ bytes: Data) -> String {
        var format: [UInt8] = []
        format.reserveCapacity(bytes.count)
        for byte in Array(bytes) {
            // A format that begins with a dash would be an option.
            if isSafe[Int(byte)], !(format.isEmpty && byte == UInt8(ascii: "-")) {
                format.append(byte)
            } else {
                format.append(UInt8(ascii: "\\"))
                for shift in [6, 3, 0] { format.append(UInt8(ascii: "0") + (byte >> shift & 7)) }
            }
        }
        return "printf '\(String(decoding: format, as: UTF8.self))'"
    }

    private static let quote = UInt8(ascii: "'")

    /// Whether `printf` leaves a byte in single quotes unchanged, for each byte.
    private static let isSafe: [Bool] = {
        let marks = "!#$&()*+,-./:;<=>?@[]^_`{|}~\" ".utf8
        return (UInt8.min...UInt8.max).map { URIEncoding.isUnreserved($0) || marks.contains($0) }
    }()
}
