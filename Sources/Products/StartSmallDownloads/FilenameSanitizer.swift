import StartSmallSupport

/// A sanitizer that turns file names from outside into one safe path component on every system (RFC 6266 4.3).
public enum FilenameSanitizer {
    /// The maximum length, 200 bytes of UTF-8: APFS, ext4 and NTFS allow 255, and an app can append ` (2)` or `.part`.
    static let longest = 200

    /// The maximum length of a kept extension, 16 bytes of UTF-8 with the dot: a longer one is hardly an extension.
    private static let longestExtension = 16

    /// Returns a safe name; nil if no character of the name is left.
    ///
    /// - A safe name stays unchanged.
    /// - Only the text after the last `/` or `\` is kept: `../../etc/passwd` becomes `passwd`.
    /// - Control characters and characters that change the text direction are removed, so that `fdp.exe` is not
    ///   displayed as `exe.pdf`. Each of `< > : " | ? *` becomes `_`.
    /// - White space and dots at both ends are removed: no hidden file, no `.` and no `..`.
    /// - The name of a Windows device, such as `NUL` or `com1.txt`, gets the prefix `_`.
    /// - A name longer than 200 bytes of UTF-8 is cut before its extension; an extension of more than 16 bytes, with
    ///   the dot, is cut too.
    public static func from(_ name: String) -> String? {
        let bytes = name.utf8
        let slash = bytes.lastIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
        // A separate string: iterating over the scalars of a substring costs several times as much.
        let last = slash.map { String(name[bytes.index(after: $0)...]) } ?? name
        let visible = last.unicodeScalars.lazy.filter(isKept).map { forbidden.contains($0) ? "_" : $0 }
        let whole = trimmed(Array(visible)[...])
        if whole.isEmpty { return nil }
        let safe = text(shortened(whole, to: longest))
        return isDevice(safe) ? "_" + text(shortened(whole, to: longest - 1)) : safe
    }

    /// The characters that Windows forbids, or APFS: `:`, a separator there.
    private static let forbidden: Set<Unicode.Scalar> = ["<", ">", ":", "\"", "|", "?", "*"]

    /// The device names of Windows.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/fileio/naming-a-file>
    private static let devices: Set<String> = {
        let numbered = ["com", "lpt"].flatMap { port in "0123456789¹²³".map { "\(port)\($0)" } }
        return Set(numbered + ["con", "prn", "aux", "nul", "conin$", "conout$"])
    }()

    private static func isKept(_ scalar: Unicode.Scalar) -> Bool {
        // Fast for ASCII, which most names consist of.
        if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7F }
        return switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        // The joiners of letters are kept: reading needs them.
        case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
        default: true
        }
    }

    /// Returns whether a name is that of a Windows device.
    ///
    /// Windows compares the text before the first dot alone, without trailing spaces.
    private static func isDevice(_ name: String) -> Bool {
        let stem = name.unicodeScalars.prefix { $0 != "." }
        // Device names are short, so that a long name need not be lowercased.
        guard let end = stem.lastIndex(where: { $0 != " " }), stem.count < longest else { return false }
        return devices.contains(String(stem[...end]).lowercased())
    }

    private static func trimmed(_ scalars: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
        let isEdge = { (scalar: Unicode.Scalar) in scalar == "." || scalar.isWhitespace }
        let rest = scalars.drop(while: isEdge)
        return rest.dropLast(rest.reversed().prefix(while: isEdge).count)
    }

    /// Cuts a name before its extension, to a maximum number of bytes.
    private static func shortened(_ scalars: ArraySlice<Unicode.Scalar>, to most: Int) -> ArraySlice<Unicode.Scalar> {
        if bytes(of: scalars) <= most { return scalars }
        let dot = scalars.lastIndex(of: ".") ?? scalars.endIndex
        let end = bytes(of: scalars[dot...]) <= longestExtension ? scalars[dot...] : []
        var left = most - bytes(of: end)
        let stem = scalars[..<(end.isEmpty ? scalars.endIndex : dot)].prefix { scalar in
            left -= UTF8.width(scalar)
            return left >= 0
        }
        return trimmed(stem) + end
    }

    private static func bytes(of scalars: ArraySlice<Unicode.Scalar>) -> Int {
        scalars.reduce(0) { $0 + UTF8.width($1) }
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(scalars))
    }
}
