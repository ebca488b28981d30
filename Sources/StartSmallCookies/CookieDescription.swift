import StartSmall

extension Cookie: CustomStringConvertible, CustomReflectable {
    /// The cookie on one line as `sid=<redacted>; Domain=example.com; Path=/; Secure`, never with its value.
    public var description: String {
        var parts = [
            "\(name.onOneLine)=\(Redaction.placeholder)",
            isHostOnly ? "Host=\(domain.onOneLine)" : "Domain=\(domain.onOneLine)", "Path=\(path.onOneLine)",
        ]
        if let expiresAt { parts.append("Expires=\(HTTPDate.text(expiresAt))") }
        if isSecure { parts.append("Secure") }
        if isHTTPOnly { parts.append("HttpOnly") }
        if sameSite != .default { parts.append("SameSite=\(sameSite.rawValue)") }
        return parts.joined(separator: "; ")
    }

    /// The mirror for `dump` and failed tests: only the text of `description`.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension String {
    /// The text with control characters and line breaks as `\u{FFFD}`, so that a description stays on one line.
    var onOneLine: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .lineSeparator, .paragraphSeparator, .format: "\u{FFFD}"
                    default: scalar
                    }
                }
            )
        )
    }
}
