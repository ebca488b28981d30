import Foundation
import StartSmall

@testable import StartSmallCaching

extension Target {
    /// The files of a cache directory.
    static let cacheEntries = [cacheEntry]

    /// The target of entries: everything after the digests and the checksum, which no input would meet by chance.
    private static let cacheEntry = Target(
        name: "cache-entry",
        words: [
            "\0\0\0\0", "\u{1}\0\0\0", "\u{2}\0\0\0", "\u{1}\0\0\0A\u{1}\0\0\0b", "\0\0\0\0\0\0\0\0",
            "\u{7f}\u{7f}\u{7f}\u{7f}",
            "\u{9}\0\0\0https://h", "\u{1}\0\0\0a", "Content-Type", "\u{5}\0\0\0\0\0\0\0",
        ],
        starts: [
            times + status + "\0", times + status + "\0\u{7f}\u{7f}\u{7f}\0",
            times + status + "\0\0\0\0\0\0\0\0\0\0\0\0\0",
            times + status + "\0\0\0\0\0\0\0\0\0\0\0\0\0\u{7f}\u{7f}\u{7f}\0\u{40}\u{42}\u{f}\0",
        ],
        read: { bytes in _ = entry(bytes).withUnsafeBytes(Entry.unchecked) },
        check: { bytes in
            let entry = entry(bytes)
            let isAccepted = entry.withUnsafeBytes { Entry.decoded($0, at: address) } != nil
            try promise("an entry without its checksum is none", !isAccepted)
            guard let stored = entry.withUnsafeBytes(Entry.unchecked) else { return false }
            let variant = Entry.variantDigest(of: stored.variant, salt: salt)
            guard var written = Entry.encoded(stored, address, variant) else {
                throw Broken(description: "a read entry can be written")
            }
            let read = written.withUnsafeBytes { Entry.decoded($0, at: address) }
            try promise("a written entry is read unchanged", read == stored)
            let bit = bytes.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xff_ffff }
            written[bit / 8 % written.count] ^= 1 << UInt8(bit % 8)
            let damaged = written.withUnsafeBytes { Entry.decoded($0, at: address) }
            try promise("an entry with a flipped bit is none", damaged == nil)
            return true
        }
    )

    private static let times = String(repeating: "\0\0\0\0\0\0\0A", count: 2)
    private static let status = "\u{2c}\u{1}\0\0\0\0\0\0"
    private static let salt = [UInt8](repeating: 7, count: 32)
    private static let address = EntryAddress(CacheKey(url: "https://h/", identity: ""), salt: salt)

    /// Returns an entry of the address, with the wrong checksum.
    private static func entry(_ bytes: [UInt8]) -> [UInt8] {
        Entry.magic + [UInt8](repeating: 0, count: 8) + address.url + address.identity
            + [UInt8](repeating: 0, count: EntryAddress.digestSize) + bytes
    }
}
