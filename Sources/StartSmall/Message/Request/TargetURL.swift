public import Foundation

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
        guard let authority = text.authority else { return url }
        let hosts = headers.values(of: "Host")
        guard hosts.count == 1, let host = Self.host(of: hosts[0]) else { return nil }
        let isAfterUser = { (byte: UInt8) in byte == UInt8(ascii: "@") }
        let userEnd = authority.lastIndex(where: isAfterUser).map(authority.index(after:)) ?? authority.startIndex
        let (start, rest) = (text.utf8[..<userEnd], text.utf8[authority.endIndex...])
        return URL(string: String(decoding: Array(start) + host.utf8 + rest, as: UTF8.self))
    }

    /// Returns host and port of a `Host` field in lower case, without an empty port; nil if it has another form.
    ///
    /// The form is `uri-host [ ":" port ]` (RFC 9110 7.2; RFC 3986 3.2.2).
    private static func host(of field: String) -> String? {
        let isCapital = { (byte: UInt8) in UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte }
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var bytes = field.utf8.drop(while: isBlank).map { isCapital($0) ? $0 | 0x20 : $0 }[...]
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        let isAddress = bytes.first == UInt8(ascii: "[")
        guard let end = isAddress ? bytes.firstIndex(of: UInt8(ascii: "]")).map({ $0 + 1 }) : bytes.endOfName,
            end > bytes.startIndex
        else { return nil }
        let (host, rest) = (bytes[..<end], bytes[end...])
        let isValid =
            isAddress
            ? host.count > 2 && host.dropFirst().dropLast().allSatisfy(isOfAddress) : host.allSatisfy(isOfName)
        guard isValid, rest.isEmpty || rest.first == UInt8(ascii: ":") else { return nil }
        let port = rest.dropFirst()
        if port.isEmpty { return String(decoding: host, as: UTF8.self) }
        guard port.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
            let number = UInt16(String(decoding: port, as: UTF8.self))
        else { return nil }
        return "\(String(decoding: host, as: UTF8.self)):\(number)"
    }

    /// Whether a byte in lower case belongs to an IP address in brackets (RFC 3986 3.2.2).
    private static func isOfAddress(_ byte: UInt8) -> Bool {
        URIEncoding.isUnreserved(byte) || byte == UInt8(ascii: ":")
    }

    /// Whether a byte in lower case belongs to a registered name (RFC 3986 3.2.2).
    private static func isOfName(_ byte: UInt8) -> Bool {
        URIEncoding.isUnreserved(byte) || "%!$&'()*+;=".utf8.contains(byte)
    }
}

extension ArraySlice<UInt8> {
    /// The end of a name before a port.
    fileprivate var endOfName: Int? { firstIndex(of: UInt8(ascii: ":")) ?? endIndex }
}

extension String {
    /// The part between `//` and the path of an absolute URL with an authority; nil for any other URL.
    fileprivate var authority: Substring.UTF8View? {
        guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")), utf8[colon...].starts(with: "://".utf8) else {
            return nil
        }
        let start = utf8.index(colon, offsetBy: 3)
        let delimiters = "/?#".utf8
        let end = utf8[start...].firstIndex(where: delimiters.contains) ?? utf8.endIndex
        return Substring(self).utf8[start..<end]
    }
}
