public import StartSmallTemplates
public import StartSmallSupport
public import StartSmallFoundation

extension Request {
    /// The URL of the resource that the server is asked for, without ``queries``; nil if `Host` can't be read.
    ///
    /// A request with its own `Host` field asks for a resource of that host (RFC 9110 7.1), wherever it is sent: behind
    /// an address, a gateway or a Unix socket, one ``url`` has as many resources as there are hosts. Then host and port
    /// are those of the field, in lower case; without a port, it is the default one of the scheme. All other parts are
    /// those of ``url``.
    public var targetURL: URL? {
        guard headers.contains("Host") else { return url }
        let text = url.absoluteString
        guard let authority = Authority(of: text) else { return url }
        let hosts = headers.values(of: "Host")
        guard hosts.count == 1, let host = Self.host(of: hosts[0]) else { return nil }
        return URL(string: text[..<authority.host.startIndex] + host + text[authority.port.endIndex...])
    }

    /// Returns host and port of a `Host` field in lower case, without an empty port; nil if it has another form.
    ///
    /// The form is `uri-host [ ":" port ]` (RFC 9110 7.2; RFC 3986 3.2.2), without a zone (RFC 6874 4) and without a
    /// comma, which would join two fields.
    private static func host(of field: String) -> String? {
        var scanner = HeaderScanner(field)
        scanner.skipBlanks()
        let text = "//" + scanner.text(withoutBlanksAtEnd: true) { _ in false }
        guard let authority = Authority(of: text), authority.port.endIndex == text.endIndex,
            authority.userInfo == nil, !authority.host.isEmpty, authority.refusal == nil,
            !authority.host.utf8.contains(where: ",%".utf8.contains)
        else { return nil }
        let (host, port) = (authority.host.lowercased(), authority.port.dropFirst())
        return UInt16(port).map { "\(host):\($0)" } ?? host
    }
}

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
