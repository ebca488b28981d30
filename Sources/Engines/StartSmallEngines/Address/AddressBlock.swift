import StartSmallSupport

/// A block of addresses with a common prefix, such as `10.1.0.0/16` or `2001:db8::/32` (RFC 4632 3.1, RFC 4291 2.3).
public struct AddressBlock: Hashable, Sendable {
    /// The first address of the block.
    public let first: NetworkAddress

    /// The number of leading bits that all addresses of the block share: at most 32 for IPv4, and 128 for IPv6.
    public let prefixLength: Int

    /// Creates a block from its text; nil if the text is not exactly one block.
    ///
    /// The text is an address without a zone, a slash and the length of the prefix. All bits after the prefix must be
    /// zero: `10.1.2.3/16` is more often a mistake than `10.1.0.0/16`. An address alone is a block of one.
    public init?(_ text: String) {
        let bytes = text.utf8
        let slash = bytes.firstIndex(of: UInt8(ascii: "/")) ?? bytes.endIndex
        guard let first = NetworkAddress(String(text[..<slash])), first.zone == nil else { return nil }
        var length = first.bitCount
        if slash < bytes.endIndex {
            let digits = bytes[bytes.index(after: slash)...]
            guard (1...3).contains(digits.count), digits.allSatisfy(\.isASCIIDigit) else { return nil }
            if digits.count > 1, digits.first == UInt8(ascii: "0") { return nil }
            length = digits.reduce(0) { $0 * 10 + Int($1 & 0x0F) }
        }
        guard (0...first.bitCount).contains(length) else { return nil }
        self.init(first, length)
        if !contains(first) { return nil }
    }

    private init(_ first: NetworkAddress, _ prefixLength: Int) {
        (self.first, self.prefixLength) = (first, prefixLength)
    }

    /// Returns whether an address is in the block, whatever its zone.
    ///
    /// A block of IPv4 has no IPv6 address, not even one that embeds an address of the block.
    public func contains(_ address: NetworkAddress) -> Bool {
        guard address.isIPv4 == first.isIPv4 else { return false }
        let length = prefixLength + 128 - first.bitCount
        return address.high & Self.mask(length) == first.high
            && address.low & Self.mask(length - 64) == first.low
    }

    /// Returns a number whose leading bits are one; a length below 0 or above 64 counts as that limit.
    private static func mask(_ length: Int) -> UInt64 {
        length <= 0 ? 0 : UInt64.max << UInt64(64 - min(length, 64))
    }
}

extension AddressBlock: CustomStringConvertible {
    /// The block as text, such as `10.1.0.0/16`.
    public var description: String { "\(first)/\(prefixLength)" }
}
