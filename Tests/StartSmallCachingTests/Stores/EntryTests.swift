import Foundation
import StartSmall
import Testing

@testable import StartSmallCaching

/// The binary format of a response in a directory.
struct EntryTests {
    private static let salt = [UInt8](repeating: 7, count: 32)
    private let address = EntryAddress(StoreFixture.key, salt: salt)

    private func encoded(_ stored: StoredResponse, _ address: EntryAddress? = nil) -> [UInt8]? {
        Entry.encoded(stored, address ?? self.address, Entry.variantDigest(of: stored.variant, salt: Self.salt))
    }

    private func bytes(_ stored: StoredResponse = StoreFixture.stored()) throws -> [UInt8] {
        try #require(encoded(stored))
    }

    private func decoded(_ bytes: some Collection<UInt8>) -> StoredResponse? {
        Array(bytes).withUnsafeBytes { Entry.decoded($0, at: address) }
    }

    @Test("a written response is read with all its parts, and the order and case of its fields")
    func roundTrip() throws {
        let stored = StoreFixture.stored(varying: ["Accept-Language": "ja", "accept-language": "en"]).invalidated()
        let read = try #require(decoded(try bytes(stored)))
        #expect(read == stored)
        #expect(read.response.headers.fields == stored.response.headers.fields)
        #expect(read.variant.fields == stored.variant.fields)
        #expect(read.response.payload.startIndex == 0)
    }

    @Test(
        "responses without parts, and with parts at their limits, are read unchanged",
        arguments: [
            StoredResponse(Response(statusCode: .noContent), requestedAt: .distantPast, receivedAt: .distantFuture),
            StoredResponse(
                Response(statusCode: .unsupported(code: .max), headers: [" \u{0}": "\u{10FFFF}"], payload: Data([0])),
                requestedAt: Date(timeIntervalSinceReferenceDate: -0.0),
                receivedAt: Date(timeIntervalSinceReferenceDate: .greatestFiniteMagnitude)
            ),
            StoredResponse(
                Response(
                    statusCode: .unsupported(code: .min),
                    payload: Data(repeating: 0xff, count: 100_000).dropFirst()
                ),
                requestedAt: Date(timeIntervalSinceReferenceDate: .leastNonzeroMagnitude),
                receivedAt: .distantPast
            ),
        ]
    )
    func limits(_ stored: StoredResponse) throws {
        let read = try #require(decoded(try bytes(stored)))
        #expect(read == stored && read.response.statusCode.code == stored.response.statusCode.code)
    }

    @Test("times that are no numbers are not stored", arguments: [Double.nan, .infinity, -.infinity])
    func times(_ seconds: Double) {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        let stored = StoredResponse(StoreFixture.stored().response, requestedAt: .start, receivedAt: date)
        #expect(encoded(stored) == nil)
    }

    @Test("an entry that is cut at any byte, or longer, is none") func truncated() throws {
        let bytes = try bytes()
        for count in bytes.indices { #expect(decoded(bytes.prefix(count)) == nil, "\(count)") }
        #expect(decoded(bytes + [0]) == nil)
        #expect(decoded(bytes) != nil)
    }

    @Test("an entry with any bit flipped is none") func flipped() throws {
        let bytes = try bytes()
        // The digest of the variant is for writers; it is checked like all other bytes.
        for index in bytes.indices {
            for bit in 0..<8 {
                var flipped = bytes
                flipped[index] ^= 1 << bit
                #expect(decoded(flipped) == nil, "bit \(bit) of byte \(index)")
            }
        }
    }

    @Test("no byte is trusted, even if the checksum is right: the reader never traps") func unchecked() throws {
        let bytes = try bytes()
        for index in Entry.prefixSize..<bytes.count {
            for value: UInt8 in [0x00, 0x01, 0x7f, 0x80, 0xff] {
                for width in [1, 4, 8] where index + width <= bytes.count {
                    var changed = bytes
                    for offset in 0..<width { changed[index + offset] = value }
                    _ = changed.withUnsafeBytes(Entry.unchecked)
                    _ = changed.prefix(index).withUnsafeBytes(Entry.unchecked)
                }
            }
        }
    }

    @Test("an entry of another version is none, with a right checksum too") func version() throws {
        var bytes = try bytes()
        #expect(bytes[7] == 1)
        bytes[7] = 2
        #expect(decoded(bytes) == nil)
    }

    @Test("an entry of another URL, identity or directory is none")
    func otherAddress() throws {
        let others = [
            EntryAddress(CacheKey(url: "https://api.example.com/thing", identity: ""), salt: Self.salt),
            EntryAddress(CacheKey(url: StoreFixture.key.url, identity: "a"), salt: Self.salt),
            EntryAddress(StoreFixture.key, salt: [UInt8](repeating: 8, count: 32)),
        ]
        for other in others {
            let bytes = try #require(encoded(StoreFixture.stored(), other))
            #expect(decoded(bytes) == nil)
        }
    }

    @Test("addresses are digests: a URL is not the identity of another URL, and no text is in a name")
    func addresses() {
        let swapped = EntryAddress(CacheKey(url: "a", identity: "b"), salt: Self.salt)
        let other = EntryAddress(CacheKey(url: "b", identity: "a"), salt: Self.salt)
        #expect(Set([swapped.url, swapped.identity, other.url, other.identity]).count == 4)
        for url in ["../../etc/passwd", "/", "", "\u{0}", String(repeating: "a", count: 100_000)] {
            for name in EntryAddress(CacheKey(url: url, identity: url), salt: Self.salt).fileNames {
                #expect(EntryAddress.isFileName(name) && name.utf8.count == 67)
            }
        }
    }

    @Test("variants are compared as header fields are: names without case, values of one name in order")
    func variants() {
        let digest = { Entry.variantDigest(of: $0, salt: Self.salt) }
        #expect(digest(["A": "1", "B": "2"]) == digest(["b": "2", "a": "1"]))
        let others: [HTTPHeaders] = [
            [:], ["A": "1"], ["A": "1", "B": "2"], ["A": "2", "B": "1"], ["A": "1", "a": "2"], ["A": "2", "a": "1"],
            ["A": "1B", "": "2"], ["A": "", "1": ""], ["A": "1 "],
        ]
        #expect(Set(others.map(digest)).count == others.count)
    }
}
