import Foundation
import StartSmall

/// The binary format of a response in a cache directory.
///
/// Numbers are little-endian. A text is its length in bytes (4 bytes) and its UTF-8.
///
/// | offset | size | content |
/// | --- | --- | --- |
/// | 0 | 7 | `SSCache` |
/// | 7 | 1 | the version of the format, 1 |
/// | 8 | 8 | the checksum of everything after it (``EntryChecksum``) |
/// | 16 | 16 | the digest of the URL (``EntryAddress/url``) |
/// | 32 | 16 | the digest of the URL and the identity |
/// | 48 | 16 | the digest of the variant |
/// | 64 | 8 | the time of the request, as a `Double` of seconds since 2001 |
/// | 72 | 8 | the time of the response, likewise |
/// | 80 | 8 | the code of the status |
/// | 88 | 1 | 1 if the response was invalidated, else 0 |
/// | 89 | | the header fields, the trailers and the variant: of each the number of fields (4), then names and values |
/// | | | the number of redirections (4); of each the URL, the code of the status (8), and the next URL |
/// | | 8 | the length of the payload |
/// | | | the payload, to the end of the file |
enum Entry {
    /// The bytes with which each entry starts: a name, and the version of the format.
    static let magic = Array("SSCache".utf8) + [1]

    /// The offset of the first byte that the checksum covers.
    static let checkedOffset = 16

    /// The offset of the digests of the address.
    static let addressOffset = 16

    /// The offset of the digest of the variant.
    static let variantOffset = addressOffset + 2 * EntryAddress.digestSize

    /// The number of bytes up to the digest of the variant, inclusive.
    static let prefixSize = variantOffset + EntryAddress.digestSize

    /// Returns the digest of a variant: of its names without case, and its values, as ``HTTPHeaders`` compares them.
    static func variantDigest(of variant: HTTPHeaders, salt: [UInt8]) -> [UInt8] {
        let byName = Dictionary(grouping: variant.fields) { $0.name.lowercased() }
        let parts = byName.sorted { $0.key < $1.key }.flatMap { name, fields in [name] + fields.map(\.value) + [""] }
        // Lengths, so that no two lists of texts have the same text.
        return EntryAddress.digest(of: parts.map { "\($0.utf8.count):\($0)" }.joined(), .variant, salt)
    }

    /// Returns the bytes of a response; nil if it can't be stored.
    ///
    /// Times that are no numbers and texts of 4 GiB can't be.
    ///
    /// - Parameters:
    ///   - stored: the response.
    ///   - address: the address of its key.
    ///   - variantDigest: the digest of its variant.
    static func encoded(_ stored: StoredResponse, _ address: EntryAddress, _ variantDigest: [UInt8]) -> [UInt8]? {
        let times = [stored.requestedAt, stored.receivedAt].map(\.timeIntervalSinceReferenceDate)
        guard times.allSatisfy(\.isFinite) else { return nil }
        var writer = EntryWriter(capacity: 1_024 + stored.response.payload.count)
        writer.append(magic + [UInt8](repeating: 0, count: 8) + address.url + address.identity + variantDigest)
        for time in times { writer.append(time.bitPattern) }
        writer.append(UInt64(bitPattern: Int64(stored.response.statusCode.code)))
        writer.append([stored.isInvalidated ? 1 : 0])
        for headers in [stored.response.headers, stored.response.trailers, stored.variant] { writer.append(headers) }
        writer.append(stored.response.redirections)
        writer.append(UInt64(stored.response.payload.count))
        writer.append(stored.response.payload)
        return writer.finished()
    }
}

/// The bytes of an entry while it is written.
private struct EntryWriter {
    private var bytes: [UInt8] = []
    private var isTooLong = false

    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

    mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private mutating func append(count: Int) {
        isTooLong = isTooLong || UInt32(exactly: count) == nil
        append(UInt32(clamping: count))
    }

    private mutating func append(_ text: String) {
        append(count: text.utf8.count)
        append(text.utf8)
    }

    mutating func append(_ headers: HTTPHeaders) {
        append(count: headers.fields.count)
        for field in headers.fields {
            append(field.name)
            append(field.value)
        }
    }

    mutating func append(_ redirections: [Redirection]) {
        append(count: redirections.count)
        for redirection in redirections {
            append(redirection.from.absoluteString)
            append(UInt64(bitPattern: Int64(redirection.statusCode.code)))
            append(redirection.to.absoluteString)
        }
    }

    /// Returns the bytes with their checksum; nil if a part is too long for the format.
    consuming func finished() -> [UInt8]? {
        if isTooLong { return nil }
        let checksum = bytes.withUnsafeBytes {
            EntryChecksum.checksum(of: UnsafeRawBufferPointer(rebasing: $0[Entry.checkedOffset...]))
        }
        withUnsafeBytes(of: checksum.littleEndian) { bytes.replaceSubrange(8..<16, with: $0) }
        return bytes
    }
}
