import Foundation
import StartSmall
import Testing

@testable import StartSmallCaching

/// The name and the content of a response's file.
struct EntryTests {
    private func decoded(_ bytes: some Collection<UInt8>) -> StoredResponse? {
        Array(bytes).withUnsafeBytes(Entry.decoded)
    }

    @Test(
        "a written response is read with all its parts, also at their limits, and the order and case of its fields",
        arguments: [
            StoreFixture.stored(varying: ["Accept-Language": "ja", "accept-language": "en"]),
            StoredResponse(Response(statusCode: .noContent), requestedAt: .distantPast, receivedAt: .distantFuture),
            StoredResponse(
                Response(statusCode: .ok, url: URL(string: "https://mirror.example/ä%41")),
                requestedAt: .distantPast,
                receivedAt: .distantFuture
            ),
            StoredResponse(
                Response(
                    statusCode: .unsupported(code: .max),
                    headers: [" \u{0}\n": "\u{10FFFF}", "A": "e\u{301}"],
                    payload: Data([0])
                ),
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
    func roundTrip(_ stored: StoredResponse) throws {
        let read = try #require(Entry.encoded(stored).flatMap(decoded))
        #expect(read == stored && read.response.statusCode.code == stored.response.statusCode.code)
        #expect(read.response.headers.fields == stored.response.headers.fields)
        #expect(read.variant.fields == stored.variant.fields && read.response.payload.startIndex == 0)
    }

    @Test("times that are no numbers are not stored", arguments: [Double.nan, .infinity, -.infinity])
    func times(_ seconds: Double) {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        #expect(Entry.encoded(StoredResponse(Response(statusCode: .ok), requestedAt: .start, receivedAt: date)) == nil)
    }

    @Test("a content that is cut at any byte, or longer, or of another version, is none")
    func malformed() throws {
        let bytes = try #require(Entry.encoded(StoreFixture.stored()))
        for count in bytes.indices { #expect(decoded(bytes.prefix(count)) == nil, "\(count)") }
        #expect(decoded(bytes + [0]) == nil && decoded(bytes) != nil)
        var older = bytes
        older[try #require(bytes.firstIndex(of: UInt8(ascii: "3")))] = UInt8(ascii: "1")
        #expect(decoded(older) == nil)
    }

    @Test("no byte is trusted: the reader never traps") func changed() throws {
        let bytes = try #require(Entry.encoded(StoreFixture.stored("")))
        for index in bytes.indices {
            for value: UInt8 in [0x00, 0x01, 0x2d, 0x39, 0x7f, 0x80, 0xff] {
                for width in [1, 4, 8] where index + width <= bytes.count {
                    var changed = bytes
                    for offset in 0..<width { changed[index + offset] = value }
                    _ = decoded(changed)
                }
            }
        }
    }

    @Test("names are digests: a URL is not the identity of another URL, and no text is in a name")
    func names() {
        let urls = ["../../etc/passwd", "/", "", "\u{0}", String(repeating: "a", count: 100_000)]
        let names = urls.flatMap { url in ["", "/"].map { EntryName(url: url, identity: $0).file(of: [:]) } }
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { EntryName.isFileName($0) && $0.utf8.count == 98 })
        for name in ["", "--", names[0] + "a", String(names[0].dropLast()), names[0].uppercased()] {
            #expect(!EntryName.isFileName(name))
        }
    }

    @Test("variants are compared as header fields are: names without case, values of one name in order")
    func variants() {
        let name = EntryName(url: "a")
        #expect(name.file(of: ["A": "1", "B": "2"]) == name.file(of: ["b": "2", "a": "1"]))
        let others: [HTTPHeaders] = [
            [:], ["A": "1"], ["A": "1", "B": "2"], ["A": "2", "B": "1"], ["A": "1", "a": "2"], ["A": "2", "a": "1"],
            ["A": "1B", "": "2"], ["A": "", "1": ""], ["A": "1 "],
        ]
        #expect(Set(others.map(name.file)).count == others.count)
    }
}

struct SHA256DigestTests {
    // Those of letters are NIST's examples (FIPS 180-4). The others are GNU coreutils' sha256sum of this many `a`: the
    // lengths at which the padding needs another block (5.1.1).
    @Test(
        "the digests are those of the standard, for a text of any length",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (a(55), "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
            (a(56), "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"),
            (a(63), "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"),
            (a(64), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
            (a(65), "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"),
            (a(119), "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"),
            (a(120), "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"),
            (a(1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        ]
    )
    func examples(_ text: String, _ digest: String) {
        #expect(SHA256Digest.hexDigest(of: text) == digest)
    }

    private static func a(_ count: Int) -> String { String(repeating: "a", count: count) }
}
