import StartSmallCore
import StartSmallHeaders
import StartSmallFoundation

/// The name of the file of a response in a cache directory: digests of the URL, of the identity and of the variant.
///
/// The name leads nowhere, and shows neither a URL nor a credential.
struct EntryName: Hashable, Sendable {
    /// The name of the folder of the URL, which spreads the files over 256 folders.
    let folder: String

    /// The beginning of the names of all files of the URL.
    let urlPrefix: String

    /// The beginning of the names of all files of the URL and the identity.
    let prefix: String

    /// The number of digits of each digest: SHA-256 is cut to 128 bits, so that names fit into the 143 bytes that
    /// eCryptfs allows.
    private static let digits = 32

    init(url: String, identity: String = "") {
        urlPrefix = Self.digest(of: url) + "-"
        (folder, prefix) = (String(urlPrefix.prefix(2)), urlPrefix + Self.digest(of: identity) + "-")
    }

    /// Returns the name of a variant's file: by its names without case, and its values, as `HTTPHeaders` compares them.
    func file(of variant: HTTPHeaders) -> String {
        let byName = Dictionary(grouping: variant.fields) { $0.name.lowercased() }
        let parts = byName.sorted { $0.key < $1.key }.flatMap { name, fields in [name] + fields.map(\.value) + [""] }
        // Lengths, so that no two lists of texts have the same text.
        return prefix + Self.digest(of: parts.map { "\($0.utf8.count):\($0)" }.joined())
    }

    static func isFileName(_ name: String) -> Bool {
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        return parts.count == 3 && parts.allSatisfy { $0.utf8.count == digits && $0.isHexadecimal }
    }

    static func isFolderName(_ name: String) -> Bool { name.utf8.count == 2 && name.isHexadecimal }

    private static func digest(of text: String) -> String {
        String(HexadecimalDigest.sha256(of: text).prefix(digits))
    }
}

extension StringProtocol {
    var isHexadecimal: Bool {
        utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0 }
    }
}

/// The content of a response's file: a list of texts, and the payload up to the end of the file.
///
/// A text is its length in bytes (4 bytes, little-endian) and its UTF-8. The texts are the name of the format, the
/// times of the request and of the response in seconds since 2001, the code of the status, the number of header fields,
/// their names and values, the same of the trailers and of the variant, the URL if it is not the request's, and the length
/// of the payload. A response with redirections is not stored.
enum Entry {
    private static let format = "StartSmallCaching 3"

    /// Returns the bytes of a response; nil with redirections, a time that is no number, or a text of 4 GiB.
    static func encoded(_ stored: StoredResponse) -> [UInt8]? {
        let response = stored.response
        let times = [stored.requestedAt, stored.receivedAt].map(\.timeIntervalSinceReferenceDate)
        guard response.redirections.isEmpty, times.allSatisfy(\.isFinite) else { return nil }
        var texts = [format] + times.map { "\($0)" }
        texts.append("\(response.statusCode.code)")
        for headers in [response.headers, response.trailers, stored.variant] {
            texts.append("\(headers.fields.count)")
            for field in headers.fields { texts += [field.name, field.value] }
        }
        texts += [response.url?.absoluteString ?? "", "\(response.payload.count)"]
        var bytes: [UInt8] = []
        bytes.reserveCapacity(texts.reduce(response.payload.count) { $0 + 4 + $1.utf8.count })
        for text in texts {
            guard let count = UInt32(exactly: text.utf8.count) else { return nil }
            withUnsafeBytes(of: count.littleEndian) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: text.utf8)
        }
        return bytes + response.payload
    }

    /// Returns the response of a file's content; nil if that is not whole, or of another version of the format.
    static func decoded(_ bytes: UnsafeRawBufferPointer) -> StoredResponse? {
        var reader = Reader(rest: bytes[...])
        guard reader.text() == format, let requestedAt = reader.date(), let receivedAt = reader.date(),
            let code = reader.number(), let headers = reader.headers(),
            let trailers = reader.headers(), let variant = reader.headers(), let url = reader.text(),
            url.isEmpty || URL(string: url) != nil, reader.number() == reader.rest.count
        else { return nil }
        let response = Response(
            statusCode: .from(code: code),
            headers: headers,
            payload: Data(reader.rest),
            trailers: trailers,
            url: URL(string: url)
        )
        return StoredResponse(response, variant: variant, requestedAt: requestedAt, receivedAt: receivedAt)
    }

    /// The rest of a file's content; each function reads one value, or returns nil if there is none.
    ///
    /// No length is trusted: each is compared with the number of bytes that are left.
    private struct Reader {
        var rest: Slice<UnsafeRawBufferPointer>

        mutating func text() -> String? {
            guard rest.count >= 4 else { return nil }
            let count = Int(exactly: rest.prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
            rest = rest.dropFirst(4)
            guard let count, count <= rest.count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return String(validating: UnsafeRawBufferPointer(rebasing: rest.prefix(count)), as: UTF8.self)
        }

        mutating func number() -> Int? { text().flatMap { Int($0) } }

        mutating func date() -> Date? {
            let seconds = text().flatMap { Double($0) }
            return seconds.flatMap { $0.isFinite ? Date(timeIntervalSinceReferenceDate: $0) : nil }
        }

        mutating func headers() -> HTTPHeaders? {
            guard let count = number(), count >= 0 else { return nil }
            var fields: [HTTPHeaders.Field] = []
            for _ in 0..<count {
                guard let name = text(), let value = text() else { return nil }
                fields.append(HTTPHeaders.Field(name: name, value: value))
            }
            return HTTPHeaders(fields)
        }
    }
}
