import StartSmallFoundation

/// The text of an IP address, as its bytes in network order and the zone of a scoped IPv6 address (RFC 4007 11).
package enum AddressText {
    /// The largest number of bytes of a zone, more than any has (`IFNAMSIZ` is 16).
    private static let maximumZoneCount = 64

    /// Reads the 4 bytes of an IPv4 address, or the 16 bytes of an IPv6 address; nil if the text is not exactly one.
    ///
    /// IPv4 is read strictly: four decimal numbers without leading zeros, as in URLs (RFC 3986 3.2.2). Shorter forms,
    /// and octal and hexadecimal numbers, which the system's `inet_aton` reads as other addresses, are refused (RFC
    /// 6943 3.1.1). IPv6 has the forms of RFC 4291 2.2 without brackets, and may have a zone of unreserved characters
    /// (RFC 6874 2), such as `fe80::1%eth0`.
    package static func read(_ text: String) -> (bytes: [UInt8], zone: String?)? {
        // A zero would end the text of C.
        guard !text.hasByte(where: { $0 == 0 }) else { return nil }
        if let bytes = read(text, AF_INET, count: 4) { return (bytes, nil) }
        let end = text.utf8.firstIndex(of: URIEncoding.percent) ?? text.utf8.endIndex
        let zone = text.utf8[end...].dropFirst()
        guard end == text.utf8.endIndex || !zone.isEmpty, zone.count <= maximumZoneCount,
            zone.allSatisfy(URIEncoding.isUnreserved),
            let bytes = read(String(text[..<end]), AF_INET6, count: 16)
        else { return nil }
        return (bytes, zone.isEmpty ? nil : String(Substring(zone)))
    }

    private static func read(_ text: String, _ family: Int32, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }
}
