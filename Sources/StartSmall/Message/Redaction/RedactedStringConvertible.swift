/// A type whose description is the text that is free of secrets by the standard redaction.
protocol RedactedStringConvertible: CustomStringConvertible {
    /// Returns the value on one line, without what `redaction` hides.
    ///
    /// - Parameter redaction: the rules for credentials.
    func description(redacting redaction: Redaction) -> String
}

extension RedactedStringConvertible {
    /// The value on one line, with credentials redacted by ``Redaction/standard``.
    public var description: String {
        description(redacting: .standard)
    }
}
