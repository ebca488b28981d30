import Testing

@testable import StartSmall

/// The IANA registries of special-purpose addresses, as of 2026, and what lies beside them.
///
/// https://www.iana.org/assignments/iana-ipv4-special-registry and …/iana-ipv6-special-registry.
@Suite("addresses that are not public") struct SpecialPurposeAddressesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let block: String
        let source: String
        /// The addresses just before and after the block that are public; nil if there is none, or it is not public.
        let before: String?
        let after: String?

        init(_ block: String, _ source: String, _ before: String? = nil, _ after: String? = nil) {
            (self.block, self.source, self.before, self.after) = (block, source, before, after)
        }

        var testDescription: String { "\(block), \(source)" }
    }

    private static let ipv4 = [
        Row("0.0.0.0/8", "RFC 791 3.2", nil, "1.0.0.0"), Row("0.0.0.0/32", "RFC 1122 3.2.1.3"),
        Row("10.0.0.0/8", "RFC 1918", "9.255.255.255", "11.0.0.0"),
        Row("100.64.0.0/10", "RFC 6598", "100.63.255.255", "100.128.0.0"),
        Row("127.0.0.0/8", "RFC 1122 3.2.1.3", "126.255.255.255", "128.0.0.0"),
        Row("169.254.0.0/16", "RFC 3927", "169.253.255.255", "169.255.0.0"),
        Row("172.16.0.0/12", "RFC 1918", "172.15.255.255", "172.32.0.0"),
        Row("192.0.0.0/24", "RFC 6890 2.1", "191.255.255.255", "192.0.1.0"), Row("192.0.0.0/29", "RFC 7335"),
        Row("192.0.0.8/32", "RFC 7600"), Row("192.0.0.9/32", "RFC 7723"), Row("192.0.0.10/32", "RFC 8155"),
        Row("192.0.0.170/32", "RFC 8880"), Row("192.0.0.171/32", "RFC 8880"),
        Row("192.0.2.0/24", "RFC 5737", "192.0.1.255", "192.0.3.0"),
        Row("192.88.99.0/24", "RFC 7526", "192.88.98.255", "192.88.100.0"), Row("192.88.99.2/32", "RFC 6751"),
        Row("192.168.0.0/16", "RFC 1918", "192.167.255.255", "192.169.0.0"),
        Row("198.18.0.0/15", "RFC 2544", "198.17.255.255", "198.20.0.0"),
        Row("198.51.100.0/24", "RFC 5737", "198.51.99.255", "198.51.101.0"),
        Row("203.0.113.0/24", "RFC 5737", "203.0.112.255", "203.0.114.0"),
        Row("240.0.0.0/4", "RFC 1112 4"), Row("255.255.255.255/32", "RFC 8190"),
        // The registry of multicast addresses.
        Row("224.0.0.0/4", "RFC 5771", "223.255.255.255"),
        // The metadata services of clouds.
        Row("169.254.169.254/32", "AWS, Azure, Google Cloud"), Row("169.254.170.2/32", "AWS, tasks of ECS"),
        Row("168.63.129.16/32", "Azure", "168.63.129.15", "168.63.129.17"), Row("100.100.100.200/32", "Alibaba Cloud"),
        Row("192.0.0.192/32", "Oracle Cloud"),
    ]

    private static let ipv6 = [
        Row("::1/128", "RFC 4291"), Row("::/128", "RFC 4291"), Row("::/96", "RFC 4291 2.5.5.1"),
        Row("::ffff:0:0/96", "RFC 4291"), Row("64:ff9b::/96", "RFC 6052"), Row("64:ff9b:1::/48", "RFC 8215"),
        Row("100::/64", "RFC 6666"), Row("100:0:0:1::/64", "RFC 9780"),
        Row("2001::/23", "RFC 2928", nil, "2001:200::"), Row("2001::/32", "RFC 4380"),
        Row("2001:1::1/128", "RFC 7723"), Row("2001:1::2/128", "RFC 8155"), Row("2001:1::3/128", "RFC 9665"),
        Row("2001:2::/48", "RFC 5180"), Row("2001:3::/32", "RFC 7450"), Row("2001:4:112::/48", "RFC 7535"),
        Row("2001:10::/28", "RFC 4843"), Row("2001:20::/28", "RFC 7343"), Row("2001:30::/28", "RFC 9374"),
        Row("2001:db8::/32", "RFC 3849", "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db9::"),
        Row("2002::/16", "RFC 3056", "2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2003::"),
        Row("3fff::/20", "RFC 9637", "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:1000::"),
        Row("5f00::/16", "RFC 9602"), Row("fc00::/7", "RFC 4193"), Row("fe80::/10", "RFC 4291"),
        Row("fec0::/10", "RFC 3879"), Row("ff00::/8", "RFC 4291 2.7"),
        // All that is not assigned to hosts: see the registry of IPv6 addresses.
        Row("::/3", "RFC 4291 2.4", nil, "2000::"),
        Row("4000::/2", "RFC 4291 2.4", "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"), Row("8000::/1", "RFC 4291 2.4"),
        // The metadata services of clouds.
        Row("fd00:ec2::254/128", "AWS"), Row("fd20:ce::254/128", "Google Cloud"),
    ]

    @Test(
        "the first and the last address of each special block are not public, but its neighbours are",
        arguments: ipv4 + ipv6
    )
    func row(_ row: Row) throws {
        let block = try #require(AddressBlock(row.block))
        let hostBits = block.first.bitCount - block.prefixLength
        let last = try #require(block.first.changingLastBits(hostBits))
        #expect(block.contains(last))
        for address in [block.first, last] {
            #expect(!address.isPublic, "\(address)")
            #expect(!ConnectionOptions.AddressPolicy.publicOnly.allows(address))
        }
        for (neighbour, expected) in [
            (block.first.neighbour(-1), row.before), (last.neighbour(1), row.after),
        ] {
            guard let expected else { continue }
            #expect(neighbour.map { "\($0)" } == expected)
            #expect(neighbour?.isPublic == true, "\(expected)")
        }
    }

    @Test(
        "an address of the public internet is public",
        arguments: [
            "1.1.1.1", "8.8.8.8", "93.184.215.14", "192.31.196.1", "192.52.193.1", "192.175.48.1", "172.15.0.1",
            "2606:4700:4700::1111", "2001:4860:4860::8888", "2620:4f:8000::1", "2a00::1", "2400::1",
            "2001:4860::200:5eff:fe00:1",
        ]
    )
    func isPublic(text: String) throws {
        #expect(try #require(NetworkAddress(text)).isPublic)
    }

    @Test(
        "an IPv6 address that embeds one of IPv4 is not public, even if that is",
        arguments: [
            "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "::8.8.8.8", "2002:7f00:1::1", "2002:808:808::1",
            "64:ff9b::127.0.0.1", "64:ff9b::8.8.8.8", "64:ff9b:1::7f00:1", "2001:0:808:808::", "2001:0:1::80ff:fffe",
            "2a00::5efe:127.0.0.1", "2a00::200:5efe:8.8.8.8",
        ]
    )
    func embedded(text: String) throws {
        #expect(try #require(NetworkAddress(text)).isPublic == false)
    }

    @Test("an address with a zone is not public", arguments: ["fe80::1%eth0", "2606:4700:4700::1111%1"])
    func zone(text: String) throws {
        #expect(try #require(NetworkAddress(text)).isPublic == false)
    }
}

extension NetworkAddress {
    /// Returns the address with this number of bits at its end set.
    fileprivate func changingLastBits(_ count: Int) -> NetworkAddress? {
        var bytes = bytes
        for bit in (bitCount - count)..<bitCount { bytes[bit / 8] |= 0x80 >> UInt8(bit % 8) }
        return NetworkAddress(bytes: bytes)
    }

    /// Returns the next or the last address; nil if there is none.
    fileprivate func neighbour(_ step: Int) -> NetworkAddress? {
        var bytes = bytes
        for index in bytes.indices.reversed() {
            let isCarried = bytes[index] == (step > 0 ? 0xFF : 0)
            bytes[index] = UInt8(truncatingIfNeeded: Int(bytes[index]) + step)
            if !isCarried { return NetworkAddress(bytes: bytes) }
        }
        return nil
    }
}
