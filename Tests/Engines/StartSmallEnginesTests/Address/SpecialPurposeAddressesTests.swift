import Testing

@testable import StartSmallCore
@testable import StartSmallEngines

/// The IANA registries of special-purpose addresses, as of 2026, and what lies beside them.
///
/// https://www.iana.org/assignments/iana-ipv4-special-registry and …/iana-ipv6-special-registry.
@Suite("addresses that are not public") struct SpecialPurposeAddressesTests {
    /// A block, and the addresses just before and after it that are public; nil if there is none, or it is not public.
    private typealias Row = (block: String, before: String?, after: String?)

    private static let blocks: [Row] = [
        ("0.0.0.0/8", nil, "1.0.0.0"), ("10.0.0.0/8", "9.255.255.255", "11.0.0.0"),
        ("100.64.0.0/10", "100.63.255.255", "100.128.0.0"), ("127.0.0.0/8", "126.255.255.255", "128.0.0.0"),
        ("169.254.0.0/16", "169.253.255.255", "169.255.0.0"), ("172.16.0.0/12", "172.15.255.255", "172.32.0.0"),
        ("192.0.0.0/24", "191.255.255.255", "192.0.1.0"), ("192.0.2.0/24", "192.0.1.255", "192.0.3.0"),
        ("192.88.99.0/24", "192.88.98.255", "192.88.100.0"), ("192.168.0.0/16", "192.167.255.255", "192.169.0.0"),
        ("198.18.0.0/15", "198.17.255.255", "198.20.0.0"), ("198.51.100.0/24", "198.51.99.255", "198.51.101.0"),
        ("203.0.113.0/24", "203.0.112.255", "203.0.114.0"), ("224.0.0.0/4", "223.255.255.255", nil),
        ("168.63.129.16/32", "168.63.129.15", "168.63.129.17"), ("2001::/23", nil, "2001:200::"),
        ("2001:db8::/32", "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db9::"),
        ("2002::/16", "2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2003::"),
        ("3fff::/20", "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:1000::"), ("::/3", nil, "2000::"),
        ("4000::/2", "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", nil),
    ]

    /// Blocks inside of others, or beside them, such as the metadata services of clouds.
    private static let others = [
        "0.0.0.0/32", "192.0.0.0/29", "192.0.0.8/32", "192.0.0.9/32", "192.0.0.10/32", "192.0.0.170/32",
        "192.0.0.171/32", "192.88.99.2/32", "240.0.0.0/4", "255.255.255.255/32", "169.254.169.254/32",
        "169.254.170.2/32", "100.100.100.200/32", "192.0.0.192/32", "::1/128", "::/128", "::/96", "::ffff:0:0/96",
        "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "100:0:0:1::/64", "2001::/32", "2001:1::1/128", "2001:1::2/128",
        "2001:1::3/128", "2001:2::/48", "2001:3::/32", "2001:4:112::/48", "2001:10::/28", "2001:20::/28",
        "2001:30::/28", "5f00::/16", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8", "8000::/1", "fd00:ec2::254/128",
        "fd20:ce::254/128",
    ]

    @Test(
        "the first and the last address of each special block are not public, but its neighbours are",
        arguments: blocks + others.map { ($0, nil, nil) }
    )
    func row(_ text: String, _ before: String?, _ after: String?) throws {
        let block = try #require(AddressBlock(text))
        let hostBits = block.first.bitCount - block.prefixLength
        let last = try #require(block.first.changingLastBits(hostBits))
        #expect(block.contains(last))
        for address in [block.first, last] {
            #expect(!address.isPublic, "\(address)")
            #expect(!ConnectionOptions.AddressPolicy.publicOnly.allows(address))
        }
        for (neighbour, expected) in [(block.first.neighbour(-1), before), (last.neighbour(1), after)] {
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
            // With a zone.
            "fe80::1%eth0", "2606:4700:4700::1111%1",
        ]
    )
    func embedded(text: String) throws {
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
