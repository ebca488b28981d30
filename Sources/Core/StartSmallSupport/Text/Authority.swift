/// The authority of a URL or of a reference (RFC 3986 3.2), read from its text.
///
/// The text is read, since what `URL` and `URLComponents` do with a host depends on what an app links. With
/// FoundationInternationalization, they map `bücher.example` to `xn--bcher-kva.example` (RFC 5891), and full-width
/// digits to an address; without it, they percent-encode both.
package struct Authority {
    /// The user information; nil if there is none.
    package let userInfo: Substring?

    /// The host as it is written, an IPv6 address with its brackets; it may be empty.
    package let host: Substring

    /// The port with its colon; empty if there is none.
    package let port: Substring

    /// Reads the authority of a URL or of a reference; nil if it has none.
    package init?(of text: String) {
        guard let authority = URIEncoding.authority(in: text)?.utf8 else { return nil }
        let at = authority.lastIndex(of: UInt8(ascii: "@"))
        let hostAndPort = at.map { authority[authority.index(after: $0)...] } ?? authority
        let isLiteral = hostAndPort.first == UInt8(ascii: "[")
        let end = isLiteral ? hostAndPort.firstIndex(of: UInt8(ascii: "]")) : hostAndPort.startIndex
        let colon = end.flatMap { hostAndPort[$0...].firstIndex(of: UInt8(ascii: ":")) } ?? hostAndPort.endIndex
        userInfo = at.map { Substring(authority[..<$0]) }
        (host, port) = (Substring(hostAndPort[..<colon]), Substring(hostAndPort[colon...]))
    }

    /// The reason to refuse the authority, on every platform; nil for one that may be called, and for an empty host.
    ///
    /// A port has at most 65535. `URL` drops one that is too large to count, and is then the URL of another port.
    package var refusal: String? {
        let digits = port.utf8.dropFirst()
        let isPort = digits.isEmpty || digits.allSatisfy(\.isASCIIDigit) && UInt16(Substring(digits)) != nil
        return hostRefusal ?? (isPort ? nil : "not a port")
    }

    /// The reason to refuse the host, on every platform; nil for a host that may be called, and for an empty one.
    ///
    /// A host is a name of letters, digits and marks of ASCII without percent signs (RFC 3986 3.2.2), or an IPv6
    /// address in brackets. A name of other letters is given in its A-label form. Any other host could be one for a
    /// check and another one for an engine: one that decodes `evil.com%2F.example.com`, or maps a full-width slash,
    /// would connect to what no check has seen.
    private var hostRefusal: String? {
        let bytes = host.utf8
        if bytes.allSatisfy(URIEncoding.isUnreserved) { return nil }
        if bytes.first == UInt8(ascii: "[") {
            let reason = bytes.contains(UInt8(ascii: "%")) ? Self.zoneRule : "not a host"
            return isIPv6 ? nil : reason
        }
        if URIEncoding.decoded(String(host)).contains(where: { $0 >= 0x80 }) {
            return "the host is not ASCII, and must be given in its form xn--… (RFC 5890 2.3.2.1)"
        }
        if bytes.contains(UInt8(ascii: "%")) { return "the host has a percent sign" }
        return bytes.allSatisfy { URIEncoding.isUnreserved($0) || "!$&'()*+,;=".utf8.contains($0) } ? nil : "not a host"
    }

    /// The rule for zones; the loopback address `::1` and global ones mean one interface, or any, without a zone.
    private static let zoneRule =
        "only a link-local IPv6 address (fe80::/10) has a zone, of unreserved characters after %25 (RFC 4007 6, 11; "
        + "RFC 6874 2), as in [fe80::1%25eth0]"

    /// Whether the host is an IPv6 address in brackets, of which only a link-local one can have a zone.
    ///
    /// The zone follows `%25` (RFC 6874 2). An engine that removes the brackets of `[www.example.com]`, or decodes
    /// `[::%31]`, would connect to what no check has seen; `URL` writes the latter as `[::%2531]`, an address with a
    /// zone that means the local machine.
    private var isIPv6: Bool {
        guard host.utf8.last == UInt8(ascii: "]") else { return false }
        let parts = host.utf8.dropFirst().dropLast().split(
            separator: UInt8(ascii: "%"),
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        guard parts.count == 1 || parts[1].starts(with: "25".utf8) else { return false }
        let zone = parts.count == 1 ? "" : "%" + String(Substring(parts[1].dropFirst(2)))
        guard let address = AddressText.read(String(Substring(parts[0])) + zone), address.bytes.count == 16 else {
            return false
        }
        // fe80::/10 (RFC 4291 2.5.6).
        return address.zone == nil || address.bytes[0] == 0xFE && address.bytes[1] & 0xC0 == 0x80
    }
}
