public import StartSmallCore
import StartSmallSupport
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
