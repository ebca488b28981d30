extension NetworkAddress {
    /// Creates an address from its text; nil if the text is not exactly one address.
    ///
    /// IPv4 is read strictly: four decimal numbers without leading zeros, as in URLs (RFC 3986 3.2.2). Shorter forms,
    /// and octal and hexadecimal numbers, which the system's `inet_aton` reads as other addresses, are refused (RFC
    /// 6943 3.1.1). IPv6 has the forms of RFC 4291 2.2 without brackets, and may have a zone of unreserved characters
    /// (RFC 6874 2), such as `fe80::1%eth0`.
    ///
    /// - Parameter text: the text of the address.
    public init?(_ text: String) {
        let bytes = Array(text.utf8.prefix(Self.maximumCount + 1))
        guard bytes.count <= Self.maximumCount else { return nil }
        if let low = Self.ipv4(bytes[...]) {
            self.init(isIPv4: true, high: 0, low: low)
            return
        }
        let end = bytes.firstIndex(of: UInt8(ascii: "%")) ?? bytes.endIndex
        guard let groups = Self.ipv6(bytes[..<end]) else { return nil }
        let number = { (groups: ArraySlice<UInt16>) in groups.reduce(UInt64(0)) { $0 << 16 | UInt64($1) } }
        let zone = end == bytes.endIndex ? nil : bytes[(end + 1)...]
        if let zone, zone.isEmpty || !zone.allSatisfy(URIEncoding.isUnreserved) { return nil }
        self.init(
            isIPv4: false,
            high: number(groups[..<4]),
            low: number(groups[4...]),
            zone: zone.map { String(decoding: $0, as: UTF8.self) }
        )
    }

    /// The largest number of bytes of a text: 45 for the address, and more than any zone has (`IFNAMSIZ` is 16).
    private static let maximumCount = 128

    /// Returns the 32 bits of four decimal numbers; nil if the bytes are anything else.
    private static func ipv4(_ bytes: ArraySlice<UInt8>) -> UInt64? {
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var address: UInt64 = 0
        for part in parts {
            guard (1...3).contains(part.count), part.allSatisfy(\.isASCIIDigit) else { return nil }
            if part.count > 1, part.first == UInt8(ascii: "0") { return nil }
            let number = part.reduce(UInt64(0)) { $0 * 10 + UInt64($1 & 0x0F) }
            guard number <= 0xFF else { return nil }
            address = address << 8 | number
        }
        return address
    }

    /// Returns the eight groups of an IPv6 address; nil if the bytes are anything else.
    private static func ipv6(_ bytes: ArraySlice<UInt8>) -> [UInt16]? {
        var groups: [UInt16] = []
        var gap: Int?
        var rest = bytes
        if rest.starts(with: [.colon, .colon]) {
            gap = 0
            rest = rest.dropFirst(2)
        }
        while !rest.isEmpty {
            if groups.count == 8 { return nil }
            let digits = rest.prefix { $0.hexDigitValue != nil }
            let afterDigits = rest[digits.endIndex...]
            if afterDigits.first == UInt8(ascii: ".") {
                guard let tail = ipv4(rest) else { return nil }
                groups += [UInt16(tail >> 16), UInt16(tail & 0xffff)]
                rest = []
                break
            }
            guard (1...4).contains(digits.count) else { return nil }
            groups.append(digits.reduce(UInt16(0)) { $0 << 4 | UInt16($1.hexDigitValue ?? 0) })
            rest = afterDigits
            if rest.isEmpty { break }
            guard rest.popFirst() == .colon, !rest.isEmpty else { return nil }
            if rest.first == .colon {
                if gap != nil { return nil }
                gap = groups.count
                rest = rest.dropFirst()
            }
        }
        guard let gap else { return groups.count == 8 ? groups : nil }
        // The gap stands for at least one group (RFC 4291 2.2).
        guard groups.count < 8 else { return nil }
        groups.insert(contentsOf: Array(repeating: 0, count: 8 - groups.count), at: gap)
        return groups
    }
}
