import StartSmallSupport
import StartSmallFoundation

/// An IPv4 or IPv6 address as plain bytes, without a port.
///
/// ```swift
/// let address = NetworkAddress("2001:db8::1")
/// ```
///
/// An IPv4 address and the IPv6 addresses that embed it (such as `::ffff:192.0.2.1`) are different addresses.
public struct NetworkAddress: Hashable, Sendable {
    /// Whether the address is one of IPv4.
    public let isIPv4: Bool

    /// The zone of a scoped IPv6 address (RFC 4007 11), such as `eth0` or `2`; nil if there is none.
    public let zone: String?

    /// The first 64 bits of an IPv6 address; 0 for IPv4.
    let high: UInt64

    /// The last 64 bits of an IPv6 address, or the 32 bits of an IPv4 address.
    let low: UInt64

    init(isIPv4: Bool, high: UInt64, low: UInt64, zone: String? = nil) {
        (self.isIPv4, self.high, self.low, self.zone) = (isIPv4, high, low, zone)
    }

    /// Creates an address from its bytes in network order.
    ///
    /// The result is nil unless there are 4 bytes without a zone, or 16 bytes.
    ///
    /// - Parameters:
    ///   - bytes: the 4 bytes of an IPv4 address, or the 16 bytes of an IPv6 address.
    ///   - zone: the zone of a scoped IPv6 address; nil if there is none.
    public init?(bytes: some Collection<UInt8>, zone: String? = nil) {
        switch (bytes.count, zone) {
        case (4, nil): self.init(isIPv4: true, high: 0, low: Self.number(bytes[...]))
        case (16, _):
            let (high, low) = (Self.number(bytes.prefix(8)), Self.number(bytes.dropFirst(8)))
            self.init(isIPv4: false, high: high, low: low, zone: zone)
        default: return nil
        }
    }

    private static func number(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The 4 bytes of an IPv4 address, or the 16 bytes of an IPv6 address, in network order.
    public var bytes: [UInt8] {
        let bytes = { (number: UInt64) in (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) } }
        return isIPv4 ? Array(bytes(low).suffix(4)) : bytes(high) + bytes(low)
    }

    /// The number of bits: 32 or 128.
    var bitCount: Int { isIPv4 ? 32 : 128 }

    /// The IPv4 address that this IPv6 address embeds; nil if it embeds none in a known way.
    ///
    /// The known ways are the mapped `::ffff:0:0/96` (RFC 4291 2.5.5.2), the compatible `::/96` (RFC 4291 2.5.5.1),
    /// 6to4 `2002::/16` (RFC 3056 2) and the well-known prefix of NAT64 `64:ff9b::/96` (RFC 6052 2.1).
    public var embeddedIPv4: NetworkAddress? {
        if isIPv4 { return nil }
        let wellKnownNAT64: UInt64 = 0x0064_ff9b_0000_0000
        if high >> 48 == 0x2002 { return NetworkAddress(isIPv4: true, high: 0, low: high >> 16 & 0xffff_ffff) }
        let isMapped = high == 0 && low >> 32 == 0xffff
        // `::` and `::1` are addresses of their own (RFC 4291 2.5.2 and 2.5.3).
        let isCompatible = high == 0 && low >> 32 == 0 && low > 1
        let isTranslated = high == wellKnownNAT64 && low >> 32 == 0
        guard isMapped || isCompatible || isTranslated else { return nil }
        return NetworkAddress(isIPv4: true, high: 0, low: low & 0xffff_ffff)
    }
}

extension NetworkAddress {
    /// Creates an address from its text; nil if the text is not exactly one address.
    ///
    /// IPv4 is read strictly: four decimal numbers without leading zeros, as in URLs (RFC 3986 3.2.2). IPv6 has the
    /// forms of RFC 4291 2.2 without brackets, and may have a zone of unreserved characters (RFC 6874 2), such as
    /// `fe80::1%eth0`.
    public init?(_ text: String) {
        guard let (bytes, zone) = AddressText.read(text) else { return nil }
        self.init(bytes: bytes, zone: zone)
    }
}

extension NetworkAddress: CustomStringConvertible {
    /// The address as text: four decimal numbers, or the canonical form of IPv6 (RFC 5952), with its zone.
    public var description: String {
        let address = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
            inet_ntop(isIPv4 ? AF_INET : AF_INET6, bytes, text.baseAddress, socklen_t(text.count))
                .map { String(cString: $0) }
        }
        return (address ?? "") + (zone.map { "%\($0)" } ?? "")
    }
}
