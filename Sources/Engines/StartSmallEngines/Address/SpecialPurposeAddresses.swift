extension NetworkAddress {
    /// Whether the address belongs to a host on the public internet, as far as the address alone shows it.
    ///
    /// Not public are the addresses of the IANA registries of special-purpose addresses, with few exceptions: loopback,
    /// private, shared (CGNAT), link-local, unique-local, documentation, benchmarking and reserved addresses. Neither
    /// are multicast and broadcast addresses, the metadata services of clouds, IPv6 addresses that embed one of IPv4
    /// (mapped, compatible, 6to4, NAT64, Teredo, ISATAP), addresses with a zone, and those outside of the block
    /// `2000::/3`, of which all public IPv6 addresses are (RFC 4291 2.4).
    public var isPublic: Bool { specialPurpose == nil }

    /// The reason why the address is not public, such as `private use, RFC 1918`; nil if it is public.
    var specialPurpose: String? {
        if zone != nil { return "an address with a zone, RFC 4007" }
        let blocks = isIPv4 ? Self.specialIPv4 : Self.specialIPv6
        if let special = blocks.first(where: { $0.block.contains(self) }) { return special.purpose }
        if isIPv4 { return nil }
        if high >> 61 != 1 { return "outside of the global unicast addresses, RFC 4291" }
        return low >> 32 & ~0x0200_0000 == 0x5efe ? "ISATAP, RFC 5214" : nil
    }

    // Read from text: code that creates each block by itself would be four times as long.
    private static func blocks(_ lines: String) -> [(block: AddressBlock, purpose: String)] {
        lines.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            return AddressBlock(words[0]).map { ($0, words[1]) }
        }
    }

    /// The blocks of IPv4 that are not public, more specific ones first.
    ///
    /// The IANA registry of special-purpose addresses (RFC 6890), the one of multicast addresses (RFC 5771), and the
    /// metadata services of clouds that have an address in no such block. Of the registry, only the blocks for AS112
    /// (`192.31.196.0/24`, `192.175.48.0/24`) and AMT (`192.52.193.0/24`) are missing, which are services on the public
    /// internet. The anycast addresses of PCP and TURN in `192.0.0.0/24` are globally reachable by the registry, but
    /// are answered by the local network.
    static let specialIPv4 = blocks(
        """
        0.0.0.0/8 this network, RFC 791
        10.0.0.0/8 private use, RFC 1918
        100.100.100.200/32 metadata of Alibaba Cloud
        100.64.0.0/10 shared addresses of carriers, RFC 6598
        127.0.0.0/8 loopback, RFC 1122
        168.63.129.16/32 metadata of Azure
        169.254.169.254/32 metadata of clouds
        169.254.0.0/16 link-local, RFC 3927
        172.16.0.0/12 private use, RFC 1918
        192.0.0.192/32 metadata of Oracle Cloud
        192.0.0.0/24 protocol assignments, RFC 6890
        192.0.2.0/24 documentation, RFC 5737
        192.88.99.0/24 6to4 relays, RFC 7526
        192.168.0.0/16 private use, RFC 1918
        198.18.0.0/15 benchmarking, RFC 2544
        198.51.100.0/24 documentation, RFC 5737
        203.0.113.0/24 documentation, RFC 5737
        224.0.0.0/4 multicast, RFC 5771
        255.255.255.255/32 broadcast, RFC 919
        240.0.0.0/4 reserved, RFC 1112
        """
    )

    /// The blocks of IPv6 that are not public, more specific ones first.
    ///
    /// Of the IANA registry of special-purpose addresses (RFC 6890), only `2620:4f:8000::/48` for AS112 is missing. The
    /// globally reachable blocks in `2001::/23` are for anycast services of the local network, and for identifiers that
    /// no host has as its address.
    static let specialIPv6 = blocks(
        """
        ::/128 unspecified, RFC 4291
        ::1/128 loopback, RFC 4291
        ::/96 IPv4-compatible, RFC 4291
        ::ffff:0:0/96 IPv4-mapped, RFC 4291
        64:ff9b::/96 NAT64, RFC 6052
        64:ff9b:1::/48 NAT64, RFC 8215
        100::/64 discard-only, RFC 6666
        100:0:0:1::/64 dummy prefix, RFC 9780
        2001::/32 Teredo, RFC 4380
        2001::/23 protocol assignments, RFC 2928
        2001:db8::/32 documentation, RFC 3849
        2002::/16 6to4, RFC 3056
        3fff::/20 documentation, RFC 9637
        5f00::/16 segment routing, RFC 9602
        fd00:ec2::254/128 metadata of AWS
        fd20:ce::254/128 metadata of Google Cloud
        fc00::/7 unique-local, RFC 4193
        fe80::/10 link-local, RFC 4291
        fec0::/10 site-local, RFC 3879
        ff00::/8 multicast, RFC 4291
        """
    )
}
