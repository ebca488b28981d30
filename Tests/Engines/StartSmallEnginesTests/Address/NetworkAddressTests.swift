import Testing

import StartSmall

struct NetworkAddressTests {
    @Test(
        "an address is read, and written in its canonical form (RFC 5952)",
        arguments: [
            ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"), ("192.0.2.10", "192.0.2.10"),
            ("::", "::"), ("::1", "::1"), ("1::", "1::"), ("0:0:0:0:0:0:0:1", "::1"),
            ("2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
            ("2001:0db8::0001", "2001:db8::1"), ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
            ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"), ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"),
            ("::ffff:192.0.2.1", "::ffff:192.0.2.1"), ("::ffff:c000:201", "::ffff:192.0.2.1"),
            ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"), ("1:2:3:4:5:6:127.0.0.1", "1:2:3:4:5:6:7f00:1"),
            ("fe80::1%eth0", "fe80::1%eth0"), ("fe80::1%2", "fe80::1%2"), ("::ffff:10.0.0.1%lo", "::ffff:10.0.0.1%lo"),
        ]
    )
    func read(text: String, canonical: String) throws {
        let address = try #require(NetworkAddress(text))
        #expect("\(address)" == canonical)
        #expect(NetworkAddress(canonical) == address)
        #expect(NetworkAddress(bytes: address.bytes, zone: address.zone) == address)
    }

    @Test(
        "text that other readers take for an address in another form is refused",
        arguments: [
            "", " ", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.1", "0x7f.0.0.1", "0177.0.0.1", "010.0.0.1",
            "127.0.0.01", "00.0.0.0", "127.0.0.256", "127.0.0.1000", "127.0.0.", ".127.0.0.1", "127..0.1", "127.0.0.1.",
            "127.0.0.1.1", " 127.0.0.1", "127.0.0.1 ", "127.0.0.1\0", "127.0.0.-1", "127.0.0.+1", "127.0.0.1/8",
            "127.0.0.1:80", "127.0.0.1%lo", "１２７.0.0.1", "127。0。0。1", "localhost", "[::1]", ":", ":::", "::1::",
            "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", "::1:2:3:4:5:6:7:8", "1:2:3:4::5:6:7:8",
            ":1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8:", "::12345", "::g", "::0x1", "::-1", "::1.2.3", "::1.2.3.4.5",
            "::1.2.3.04", "::1.2.3.4:5", "1:2:3:4:5:6:7:1.2.3.4", "1.2.3.4::", "::%", "::1%", "::1%a%b", "::1%a b",
            "::1%a/b", "::1%é", "::1\n", "::1%" + String(repeating: "a", count: 200),
            String(repeating: "0", count: 10_000) + ":1::",
        ]
    )
    func refused(text: String) {
        #expect(NetworkAddress(text) == nil)
    }

    @Test("an address with the longest zone is written as a text that is read")
    func longZone() throws {
        let zone = String(repeating: "z", count: 64)
        for text in ["::2021:db8", "fe80::1", "1:2:3:4:5:6:7:8"] {
            let address = try #require(NetworkAddress("\(text)%\(zone)"))
            #expect(NetworkAddress("\(address)") == address)
            #expect(NetworkAddress("\(text)%\(zone)z") == nil)
        }
    }

    @Test("only 4 bytes, or 16 bytes with or without a zone, are an address")
    func bytes() {
        for count in 0...32 {
            let bytes = [UInt8](repeating: 1, count: count)
            #expect((NetworkAddress(bytes: bytes) != nil) == [4, 16].contains(count))
            #expect((NetworkAddress(bytes: bytes, zone: "1") != nil) == (count == 16))
        }
        #expect(NetworkAddress(bytes: [192, 0, 2, 1]) == NetworkAddress("192.0.2.1"))
    }

    @Test(
        "an IPv4 address is found in the IPv6 addresses that embed it",
        arguments: [
            ("::ffff:10.0.0.1", "10.0.0.1"), ("::10.0.0.1", "10.0.0.1"), ("2002:a00:1::5", "10.0.0.1"),
            ("64:ff9b::a00:1", "10.0.0.1"), ("::", nil), ("::1", nil), ("2001:db8::a00:1", nil), ("10.0.0.1", nil),
            ("64:ff9b:1::a00:1", nil), ("64:ff9b::1:0:a00:1", nil), ("::fffe:a00:1", nil),
        ]
    )
    func embedded(text: String, ipv4: String?) throws {
        #expect(try #require(NetworkAddress(text)).embeddedIPv4 == ipv4.flatMap { NetworkAddress($0) })
    }
}

struct AddressBlockTests {
    @Test(
        "a block is read, and written unchanged, and an address alone is a block of one",
        arguments: [
            "0.0.0.0/0", "10.0.0.0/8", "10.1.0.0/16", "192.0.2.128/25", "192.0.2.1/32", "::/0", "2001:db8::/32",
            "2001:db8::/33", "fe80::/10", "::1/128", "ffff:ffff:ffff:ffff:8000::/65",
        ]
    )
    func read(text: String) throws {
        #expect("\(try #require(AddressBlock(text)))" == text)
        #expect(AddressBlock("192.0.2.1") == AddressBlock("192.0.2.1/32"))
    }

    @Test(
        "text that is not exactly one block is refused",
        arguments: [
            "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/08", "10.0.0.0/8 ",
            "10.0.0.0/8/8", "10/8", "10.0.0.0/255.0.0.0", "10.0.0.1/8", "::/129", "::1/127", "fe80::1%eth0", "::%1/0",
            "10.0.0.0/٨", "2001:db8::1/32", "10.0.0.0/9999999999999999999999",
        ]
    )
    func refused(text: String) {
        #expect(AddressBlock(text) == nil)
    }

    @Test("for each length of a prefix, a block ends where its first bit changes", arguments: [4, 16])
    func everyLength(bytes count: Int) throws {
        let bits = count * 8
        let base = [UInt8](repeating: 0b1010_0101, count: count)
        for length in 0...bits {
            let first = base.enumerated().map { index, byte in
                byte & UInt8(truncatingIfNeeded: 0xFF00 >> min(8, max(0, length - 8 * index)))
            }
            let start = try #require(NetworkAddress(bytes: first))
            let block = try #require(AddressBlock("\(start)/\(length)"))
            for bit in 0..<bits {
                var changed = base
                changed[bit / 8] ^= 0x80 >> UInt8(bit % 8)
                let address = try #require(NetworkAddress(bytes: changed))
                #expect(block.contains(address) == (bit >= length), "\(block) \(address)")
            }
        }
    }

    @Test("a block of IPv4 has no IPv6 address, and the zone of an address does not matter")
    func families() throws {
        let (four, six) = (try #require(AddressBlock("0.0.0.0/0")), try #require(AddressBlock("fe80::/10")))
        #expect(!four.contains(try #require(NetworkAddress("::"))))
        #expect(!four.contains(try #require(NetworkAddress("::ffff:10.0.0.1"))))
        #expect(try #require(AddressBlock("::/0")).contains(try #require(NetworkAddress("0.0.0.0"))) == false)
        #expect(six.contains(try #require(NetworkAddress("fe80::1%eth0"))))
    }
}
