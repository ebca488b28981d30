import Foundation
import StartSmall

extension Entry {
    /// Returns the response of an entry; nil if the bytes are not an undamaged entry of this version and address.
    ///
    /// - Parameters:
    ///   - bytes: the content of a file.
    ///   - address: the address of the key whose response is expected.
    static func decoded(_ bytes: UnsafeRawBufferPointer, at address: EntryAddress) -> StoredResponse? {
        guard bytes.count > prefixSize, bytes.starts(with: magic) else { return nil }
        let digests = bytes[addressOffset..<variantOffset]
        guard digests.elementsEqual(address.url + address.identity) else { return nil }
        let checked = UnsafeRawBufferPointer(rebasing: bytes[checkedOffset...])
        let checksum = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        guard EntryChecksum.checksum(of: checked) == checksum else { return nil }
        return unchecked(bytes)
    }

    /// Returns the response of an entry whose address and checksum are not checked; nil if the bytes are malformed.
    static func unchecked(_ bytes: UnsafeRawBufferPointer) -> StoredResponse? {
        var reader = EntryReader(bytes, from: prefixSize)
        guard let requestedAt = reader.date(), let receivedAt = reader.date(), let code = reader.code(),
            let flag = reader.bytes(count: 1)?[0], flag < 2, let headers = reader.headers(),
            let trailers = reader.headers(), let variant = reader.headers(), let redirections = reader.redirections(),
            let payload = reader.payload()
        else { return nil }
        return StoredResponse(
            Response(
                statusCode: .from(code: code),
                headers: headers,
                payload: payload,
                trailers: trailers,
                redirections: redirections
            ),
            variant: variant,
            requestedAt: requestedAt,
            receivedAt: receivedAt,
            isInvalidated: flag == 1
        )
    }
}

/// A position in the bytes of an entry; each function reads one value after it, or returns nil if there is none.
///
/// No length is trusted: each is compared with the number of bytes that are left.
private struct EntryReader {
    private let whole: UnsafeRawBufferPointer
    private var offset: Int

    init(_ whole: UnsafeRawBufferPointer, from offset: Int) {
        (self.whole, self.offset) = (whole, min(offset, whole.count))
    }

    mutating func bytes(count: Int) -> UnsafeRawBufferPointer? {
        guard count >= 0, count <= whole.count - offset else { return nil }
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: whole[offset..<(offset + count)])
    }

    private mutating func number<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
        bytes(count: MemoryLayout<Number>.size).map { Number(littleEndian: $0.loadUnaligned(as: Number.self)) }
    }

    mutating func date() -> Date? {
        let time = number(UInt64.self).map(Double.init(bitPattern:))
        return time.flatMap { $0.isFinite ? Date(timeIntervalSinceReferenceDate: $0) : nil }
    }

    mutating func code() -> Int? {
        number(Int64.self).flatMap { Int(exactly: $0) }
    }

    private mutating func text() -> String? {
        guard let count = number(UInt32.self).flatMap({ Int(exactly: $0) }), let utf8 = bytes(count: count) else {
            return nil
        }
        return String(validating: utf8, as: UTF8.self)
    }

    mutating func headers() -> HTTPHeaders? {
        guard let count = number(UInt32.self) else { return nil }
        var fields: [HTTPHeaders.Field] = []
        for _ in 0..<count {
            guard let name = text(), let value = text() else { return nil }
            fields.append(HTTPHeaders.Field(name: name, value: value))
        }
        return HTTPHeaders(fields)
    }

    private mutating func url() -> URL? {
        guard let text = text(), let url = URL(string: text), url.absoluteString.utf8.elementsEqual(text.utf8) else {
            return nil
        }
        return url
    }

    mutating func redirections() -> [Redirection]? {
        guard let count = number(UInt32.self) else { return nil }
        var redirections: [Redirection] = []
        for _ in 0..<count {
            guard let from = url(), let code = code(), let to = url() else { return nil }
            redirections.append(Redirection(from: from, statusCode: .from(code: code), to: to))
        }
        return redirections
    }

    /// Reads the payload, which ends where the bytes end.
    mutating func payload() -> Data? {
        guard let count = number(UInt64.self).flatMap({ Int(exactly: $0) }), count == whole.count - offset else {
            return nil
        }
        return bytes(count: count).map { Data($0) }
    }
}
