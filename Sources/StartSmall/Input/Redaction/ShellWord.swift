import Foundation

/// How a POSIX shell is given a text or bytes, so that nothing in them means anything to it (POSIX.1-2024, 2.2.2).
enum ShellWord {
    /// A text as one word: in single quotes, in which a shell looks for nothing but the next one.
    static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }

    /// A command that writes these bytes: `printf` with all but harmless characters in octal.
    static func printing(_ bytes: Data) -> String {
        let safe = Set("!#$&()*+,-./:;<=>?@[]^_`{|}~\" ".utf8)
        var format = ""
        for byte in bytes {
            let isSafe = RFC3986.isUnreserved(byte) || safe.contains(byte)
            // A format that begins with a dash would be an option.
            if isSafe, !(format.isEmpty && byte == UInt8(ascii: "-")) {
                format.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 8)
                format += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
            }
        }
        return "printf '\(format)'"
    }
}
