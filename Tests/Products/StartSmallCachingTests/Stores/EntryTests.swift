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
