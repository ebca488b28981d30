import Testing

@testable import StartSmall

struct AddressBlockTests {
    @Test(
        "a block is read, and written unchanged",
        arguments: [
            "0.0.0.0/0", "10.0.0.0/8", "10.1.0.0/16", "192.0.2.128/25", "192.0.2.1/32", "::/0", "2001:db8::/32",
            "2001:db8::/33", "fe80::/10", "::1/128", "ffff:ffff:ffff:ffff:8000::/65",
        ]
    )
    func read(text: String) throws {
        #expect("\(try #require(AddressBlock(text)))" == text)
    }

    @Test("an address alone is a block of one")
    func one() {
        #expect(AddressBlock("192.0.2.1") == AddressBlock("192.0.2.1/32"))
        #expect(AddressBlock("::1") == AddressBlock("::1/128"))
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
