import Foundation

/// The target of a request: its URL in the form that engines send, and the credentials from the URL.
///
/// The parts are read from the URL's text (RFC 3986 3), since `URL` drops a port that is too large, and user
/// information that is not UTF-8.
struct WireTarget {
    /// The URL with all query items, without user information and fragment; its scheme is `http` or `https`.
    let url: URL

    /// The value of `Authorization`; nil if the URL has no user information.
    let authorization: String?

    /// Reads and checks the URL of an input.
    init(of input: Input) throws(ConnectionError) {
        if let target = WireTarget(plain: input) {
            self = target
        } else {
            try self.init(parsing: input)
        }
    }

    /// Creates the target of an input whose URL is sent as it is; nil if the URL may have to be changed, or is illegal.
    ///
    /// That is the URL of most calls, which is neither taken apart nor put together again here.
    init?(plain input: Input) {
        guard input.queries.isEmpty, PlainURL.isPlain(input.url.absoluteString) else { return nil }
        (url, authorization) = (input.url.absoluteURL, nil)
    }

    /// Creates the target of any input, from the parts of its URL.
    init(parsing input: Input) throws(ConnectionError) {
        let text = input.url.absoluteString
        func malformed(_ reason: String) -> ConnectionError {
            .malformedURL(debugInfo: "\(reason): \(Redaction.standard.shown(url: text))")
        }
        guard let scheme = input.url.scheme?.lowercased() else { throw malformed("no scheme") }
        guard scheme == "http" || scheme == "https" else { throw malformed("neither http nor https") }
        guard let parts = Self.parts(of: text.utf8.dropFirst(scheme.utf8.count)) else { throw malformed("no host") }
        guard let host = Self.asciiHost(parts.host) else { throw malformed("not a host") }
        guard parts.port.utf8.count < 2 || UInt16(parts.port.dropFirst()) != nil else { throw malformed("not a port") }
        authorization = try parts.userInfo.flatMap { userInfo throws(ConnectionError) in
            guard let basic = Self.basic(userInfo) else {
                throw malformed("user information that is illegal in Basic credentials (RFC 7617 2)")
            }
            return basic
        }
        let target = URIEncoding.appending(input.queries, to: "\(scheme)://\(host)\(parts.port)\(parts.target)")
        guard let url = target == text ? input.url.absoluteURL : URL(string: target, encodingInvalidCharacters: false)
        else {
            throw malformed("not a URL")
        }
        self.url = url
    }

    /// Returns the parts of a URL's text after its scheme; nil if there is no host.
    ///
    /// `port` includes its colon; `target` has no fragment.
    private static func parts(
        of text: Substring.UTF8View
    ) -> (userInfo: Substring?, host: Substring, port: Substring, target: Substring)? {
        guard text.starts(with: "://".utf8) else { return nil }
        let rest = text.dropFirst(3).prefix { $0 != UInt8(ascii: "#") }
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        let at = authority.lastIndex(of: UInt8(ascii: "@"))
        let hostAndPort = at.map { authority[authority.index(after: $0)...] } ?? authority
        let isLiteral = hostAndPort.first == UInt8(ascii: "[")
        let end = isLiteral ? hostAndPort.firstIndex(of: UInt8(ascii: "]")) : hostAndPort.startIndex
        let colon = end.flatMap { hostAndPort[$0...].firstIndex(of: UInt8(ascii: ":")) } ?? hostAndPort.endIndex
        guard colon > hostAndPort.startIndex, !hostAndPort[..<colon].elementsEqual("[]".utf8) else { return nil }
        let userInfo = at.flatMap { $0 > authority.startIndex ? Substring(authority[..<$0]) : nil }
        let (host, port) = (Substring(hostAndPort[..<colon]), Substring(hostAndPort[colon...]))
        return (userInfo, host, port, Substring(rest[authority.endIndex...]))
    }

    /// Returns a host in the form for a resolver; nil if it is not a host.
    ///
    /// Percent-encoded bytes form an internationalised name (RFC 3986 3.2.2, RFC 5891). They must not become anything
    /// else: an engine that decodes `evil.com%2F.example.com`, or a full-width slash, would connect to another host. In
    /// brackets is an IPv6 address (RFC 3986 3.2.2), maybe with a zone after `%25` (RFC 6874 2): an engine that removes
    /// the brackets of `[www.example.com]`, or decodes `[::%31]`, would connect to what no check has seen.
    private static func asciiHost(_ host: Substring) -> String? {
        if host.utf8.first == UInt8(ascii: "[") { return isIPv6(host) ? String(host) : nil }
        guard host.utf8.contains(UInt8(ascii: "%")) else { return String(host) }
        var components = URLComponents()
        components.host = String(validating: URIEncoding.decoded(host), as: UTF8.self)
        guard let ascii = components.encodedHost, ascii.utf8.allSatisfy(URIEncoding.isUnreserved) else { return nil }
        return ascii
    }

    /// Returns whether a host is an IPv6 address in brackets, of which only a link-local one can have a zone.
    ///
    /// `URL` writes `[::%31]` as `[::%2531]`, an address with a zone that means the local machine.
    private static func isIPv6(_ host: Substring) -> Bool {
        guard host.utf8.last == UInt8(ascii: "]") else { return false }
        let parts = host.utf8.dropFirst().dropLast().split(
            separator: UInt8(ascii: "%"),
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        guard parts.count == 1 || parts[1].starts(with: "25".utf8) else { return false }
        let zone = parts.count == 1 ? "" : "%" + String(Substring(parts[1].dropFirst(2)))
        guard let address = NetworkAddress(String(Substring(parts[0])) + zone), !address.isIPv4 else { return false }
        // fe80::/10 (RFC 4291 2.5.6).
        return address.zone == nil || address.high >> 54 == 0xFE80 >> 6
    }

    /// Returns the credentials of `user:password`; nil if they can't be sent.
    private static func basic(_ userInfo: Substring) -> String? {
        let parts = userInfo.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(
            URIEncoding.decoded
        )
        return Authorization.basic(user: parts[0], password: parts.count == 2 ? parts[1] : []).right?.value
    }
}
