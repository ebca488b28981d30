public import StartSmallTemplates
public import StartSmallSupport
public import StartSmallFoundation

extension URITemplate {
    /// Returns the URL of these values, none of which can change the structure of the URL.
    ///
    /// - Returns: The URL, or ``ConnectionError/malformedURL(debugInfo:)`` if a path segment would become empty, `.` or
    ///   `..` by its values; if a `{+x}` would do so, or would continue with a host; if the host is not ASCII, or has a
    ///   percent sign; if the port is above 65535; or if the result is not a URL.
    public func url(_ variables: [String: any ValueConvertible] = [:]) -> Either<ConnectionError, URL> {
        let expanded: String
        do { expanded = try expandKeepingStructure(variables) } catch { return malformed("\(error)") }
        if let refusal = Authority(of: expanded)?.refusal { return malformed(refusal) }
        guard let url = URL(string: URIEncoding.encodingBrackets(in: expanded), encodingInvalidCharacters: false) else {
            return malformed("not a URL")
        }
        return .right(url)
    }

    private func malformed(_ reason: String) -> Either<ConnectionError, URL> {
        .left(.malformedURL(debugInfo: "\(reason): \(self)"))
    }
}

extension URITemplate: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The template's text on one line, with credentials redacted.
    public var description: String {
        Redaction.standard.shown(url: text)
    }
}
