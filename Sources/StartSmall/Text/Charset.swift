public import Foundation

/// The charsets that Web APIs use, by the names that stand in `Content-Type` (IANA registry of character sets).
public enum Charset {
    /// The encoding of a name, whatever its case, or nil if it is none of these.
    public static func encoding(_ name: String) -> String.Encoding? {
        // No name here has other letters, and one from outside may have hostile ones; see `Bytewise`.
        guard name.isASCII else { return nil }
        let name = name.lowercased()
        return names.first { $0.value.contains(name) }?.key
    }

    /// The preferred name of an encoding, or nil if it has none here.
    public static func name(_ encoding: String.Encoding) -> String? {
        names[encoding]?.first
    }

    /// All that have a name here.
    package static var encodings: [String.Encoding] { Array(names.keys) }

    /// UTF-16 or UTF-32, if the first bytes tell it: by the byte order mark (RFC 2781 4.3), or by the zeros of two
    /// characters of ASCII (RFC 4627 3).
    package static func wideEncoding(of payload: Data) -> String.Encoding? {
        let bytes = Array(payload.prefix(4))
        if bytes == [0xFF, 0xFE, 0, 0] { return .utf32LittleEndian }
        if bytes == [0, 0, 0xFE, 0xFF] { return .utf32BigEndian }
        if bytes.starts(with: [0xFF, 0xFE]) { return .utf16LittleEndian }
        if bytes.starts(with: [0xFE, 0xFF]) { return .utf16BigEndian }
        return switch bytes.map({ $0 == 0 }) {
        case [false, true, true, true]: .utf32LittleEndian
        case [true, true, true, false]: .utf32BigEndian
        case [false, true, false, true]: .utf16LittleEndian
        case [true, false, true, false]: .utf16BigEndian
        default: nil
        }
    }

    /// The preferred name first, then aliases.
    ///
    /// `iso-8859-1` is what it says, not the Windows-1252 that browsers take it for.
    private static let names: [String.Encoding: [String]] = [
        .utf8: ["utf-8", "utf8"], .ascii: ["us-ascii", "ascii"],
        .isoLatin1: ["iso-8859-1", "latin1", "iso8859-1"], .isoLatin2: ["iso-8859-2", "latin2", "iso8859-2"],
        .windowsCP1250: ["windows-1250", "cp1250"], .windowsCP1251: ["windows-1251", "cp1251"],
        .windowsCP1252: ["windows-1252", "cp1252"], .windowsCP1253: ["windows-1253", "cp1253"],
        .windowsCP1254: ["windows-1254", "cp1254"], .macOSRoman: ["macintosh"],
        .shiftJIS: ["shift_jis", "sjis", "x-sjis"], .japaneseEUC: ["euc-jp"], .iso2022JP: ["iso-2022-jp"],
        .utf16: ["utf-16"], .utf16BigEndian: ["utf-16be"], .utf16LittleEndian: ["utf-16le"],
        .utf32: ["utf-32"], .utf32BigEndian: ["utf-32be"], .utf32LittleEndian: ["utf-32le"],
    ]
}
