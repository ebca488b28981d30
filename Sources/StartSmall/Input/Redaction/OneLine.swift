extension String {
    /// The same with control characters and line breaks as escapes (`\r`, `\u{2028}`).
    ///
    /// What descriptions show may come from outside: it must not be able to begin a line of its own in a log.
    var onOneLine: String {
        if utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return self }
        return unicodeScalars.reduce(into: "") { line, scalar in
            if scalar.isShownAsEscape {
                line += scalar.escaped(asASCII: true)
            } else {
                line.unicodeScalars.append(scalar)
            }
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isShownAsEscape: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
