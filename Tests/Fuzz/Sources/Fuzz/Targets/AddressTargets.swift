import Foundation

@testable import StartSmall
@testable import StartSmallCore

extension Target {
    /// The readers of addresses and blocks, on which an address policy depends.
    static let addresses = [address, addressBlock]

    private static let address = text(
        "network-address",
        words: [
            "127.0.0.1", "::ffff:", "::", "fe80::1%eth0", "0x7f", "010", "255", "2001:db8", ":0:0", "%", ".",
            "64:ff9b::",
        ],
        starts: ["127.", "::", "fe80::", "2001:db8:"],
        read: { text in _ = NetworkAddress(text).map { ($0.isPublic, $0.embeddedIPv4, Set([$0])) } },
        check: { text in
            guard let address = NetworkAddress(text) else { return false }
            try promise("a written address is read unchanged", NetworkAddress("\(address)") == address)
            let bytes = NetworkAddress(bytes: address.bytes, zone: address.zone)
            try promise("an address has all of its bytes", bytes == address)
            try promise("an address has 4 or 16 bytes", address.bytes.count == (address.isIPv4 ? 4 : 16))
            try promise("the system reads the same bytes", systemBytes(text) == address.bytes)
            if let embedded = address.embeddedIPv4 {
                try promise("an address that embeds one of IPv4 is not public", embedded.isIPv4 && !address.isPublic)
            }
            return true
        }
    )

    /// Returns the bytes that the system reads from the text of an address, without its zone; nil if it reads none.
    private static func systemBytes(_ text: String) -> [UInt8]? {
        let plain = String(text.prefix { $0 != "%" })
        var (four, six) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, plain, &four) == 1 { return withUnsafeBytes(of: four) { Array($0) } }
        if inet_pton(AF_INET6, plain, &six) == 1 { return withUnsafeBytes(of: six) { Array($0) } }
        return nil
    }

    private static let addressBlock = text(
        "address-block",
        words: ["10.0.0.0/8", "::/0", "2001:db8::/32", "/128", "/32", "/08", "/", "192.168.0.0", "fc00::", "%1"],
        starts: ["10.", "::", "2001:db8::/"],
        read: { text in _ = AddressBlock(text).map { ($0.contains($0.first), Set([$0])) } },
        check: { text in
            guard let block = AddressBlock(text) else { return false }
            try promise("a written block is read unchanged", AddressBlock("\(block)") == block)
            try promise("a block contains its first address", block.contains(block.first))
            let lengths = 0...(block.first.isIPv4 ? 32 : 128)
            try promise("the prefix fits the address", lengths.contains(block.prefixLength))
            return true
        }
    )
}
