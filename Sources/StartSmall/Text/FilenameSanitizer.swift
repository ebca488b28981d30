/// Names of files that come from outside, made into one part of a path on every system (RFC 6266 4.3).
public enum FilenameSanitizer {
    /// 200 bytes of UTF-8: 255 is the most that APFS, ext4 and NTFS take, and an app may want to add ` (2)` or `.part`.
    public static let longest = 200

    /// 16 bytes of UTF-8, with the dot: a longer end of a name that is cut is no extension worth keeping.
    public static let longestExtension = 16

    /// The name made safe; nil if nothing is left of it.
    ///
    /// - A name that is safe is left as it is.
    /// - Only what follows the last `/` or `\` counts: `../../etc/passwd` is `passwd`.
    /// - Control characters and those that turn the direction of writing are dropped, so that `fdp.exe` is not shown as
    ///   `exe.pdf`; each of `< > : " | ? *` becomes `_`.
    /// - White space and dots around it are dropped: no hidden file, no `.` and no `..`.
    /// - A name of a Windows device, such as `NUL` or `com1.txt`, gets a `_` in front.
    /// - What is longer than ``longest`` is cut, in front of its extension.
    public static func from(_ name: String) -> String? {
        let bytes = name.utf8
        let slash = bytes.lastIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
        // A text of its own: to walk over the scalars of a part of one costs several times as much.
        let last = slash.map { String(name[bytes.index(after: $0)...]) } ?? name
        let visible = last.unicodeScalars.lazy.filter(isKept).map { isForbidden($0) ? "_" : $0 }
        let whole = trimmed(Array(visible)[...])
        if whole.isEmpty { return nil }
        let safe = text(shortened(whole, to: longest))
        return isDevice(safe) ? "_" + text(shortened(whole, to: longest - 1)) : safe
    }

    /// What Windows refuses, and `:`, which divides names on APFS.
    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "<", ">", ":", "\"", "|", "?", "*": true
        default: false
        }
    }

    /// What Windows takes for a device.
    ///
    /// <https://learn.microsoft.com/en-us/windows/win32/fileio/naming-a-file>
    private static let devices: Set<String> = {
        let numbered = ["com", "lpt"].flatMap { port in "0123456789¹²³".map { "\(port)\($0)" } }
        return Set(numbered + ["con", "prn", "aux", "nul", "conin$", "conout$"])
    }()

    private static func isKept(_ scalar: Unicode.Scalar) -> Bool {
        // Quick where names mostly are.
        if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7F }
        return switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        // What joins letters is one of them to read.
        case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
        default: true
        }
    }

    /// Windows looks at what is in front of the first dot alone, without the spaces at its end.
    private static func isDevice(_ name: String) -> Bool {
        let stem = name.unicodeScalars.prefix { $0 != "." }
        // A device's name is short: nothing else needs to be put into small letters.
        guard let end = stem.lastIndex(where: { $0 != " " }), stem.count < longest else { return false }
        return devices.contains(String(stem[...end]).lowercased())
    }

    private static func trimmed(_ scalars: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
        func isEdge(_ scalar: Unicode.Scalar) -> Bool {
            scalar == "." || scalar.isWhitespace
        }
        guard let first = scalars.firstIndex(where: { !isEdge($0) }),
            let last = scalars.lastIndex(where: { !isEdge($0) })
        else { return [] }
        return scalars[first...last]
    }

    /// At most so many bytes, cut in front of the extension.
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
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }
}
