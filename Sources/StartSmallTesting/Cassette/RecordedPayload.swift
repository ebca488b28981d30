import Foundation
import StartSmall

/// A payload, with what its message says of it.
struct RecordedPayload {
    var data: Data
    var mediaType: MediaType?

    /// Whether it is compressed, or encoded in another way, and can't be looked into.
    var isCoded = false

    /// The text that it is, if it is one.
    var text: EncodedText? { EncodedText(data, mediaType) }

    /// The whole text and the name of its encoding, if that is known and not UTF-8.
    var namedText: (text: String, charset: String)? { text?.named }

    /// The same with a text changed, in its encoding, and without what is secret in anything else.
    func changed(without secrets: [String: Int], _ change: (String) -> String) -> Data {
        guard let text else { return data.without(secrets) }
        let new = change(text.text)
        let changed = new.isSame(as: text.text) ? data : text.bytes(of: new)
        return isPlain(text) ? changed : changed.without(secrets)
    }

    /// Whether nothing is in it but text, in one encoding that is known; a form may have parts in several.
    func isPlain(_ text: EncodedText?) -> Bool {
        text?.named != nil || text?.isKnown == true && !data.hasZero
    }
}

extension Input {
    /// The payload in memory, as it is sent.
    var recordedPayload: RecordedPayload {
        let data = methodAndPayload.body ?? Data()
        let mediaType = headers.contentType ?? methodAndPayload.payload?.mediaType
        return RecordedPayload(
            data: data,
            mediaType: mediaType,
            isCoded: headers.isCoded || data.isCompressed(as: mediaType)
        )
    }
}

extension Response {
    /// The payload, which is decompressed as a rule.
    var recordedPayload: RecordedPayload {
        RecordedPayload(
            data: payload,
            mediaType: headers.contentType,
            isCoded: headers.isCoded && isStillCoded || payload.isCompressed(as: headers.contentType)
        )
    }

    /// Whether it looks as if nobody had decompressed it: Brotli and raw deflate begin with anything, but are no text.
    private var isStillCoded: Bool {
        if Self.beginnings.contains(where: { payload.starts(with: $0) }) { return true }
        return headers.contentType?.isText != false && EncodedText(payload, headers.contentType)?.isReadable != true
    }

    /// Of gzip (RFC 1952 2.3.1), Zstandard (RFC 8878 3.1.1), compress, and zlib in its usual forms (RFC 1950 2.2).
    private static let beginnings: [[UInt8]] = [
        [0x1F, 0x8B], [0x28, 0xB5, 0x2F, 0xFD], [0x1F, 0x9D], [0x78, 0x01], [0x78, 0x9C], [0x78, 0xDA],
    ]
}

extension HTTPHeaders {
    fileprivate var isCoded: Bool {
        values(of: "Content-Encoding").contains { !$0.isEmpty && !$0.lowercased().isSame(as: "identity") }
    }
}

extension Data {
    /// Whether it begins as gzip (RFC 1952 2.3.1) or Zstandard (RFC 8878 3.1.1) does, and its type is not that of such a
    /// file, which is a payload to be kept: no field needs to say that a text is compressed.
    fileprivate func isCompressed(as mediaType: MediaType?) -> Bool {
        guard starts(with: [0x1F, 0x8B, 0x08]) || starts(with: [0x28, 0xB5, 0x2F, 0xFD]) else { return false }
        let type = mediaType?.beginning ?? ""
        return !["gzip", "zstd", "tar", "tgz", "compress", "zip"].contains { type.utf8.contains($0.utf8) }
    }

    /// The same with all that is secret replaced, in whichever encoding it stands there.
    fileprivate func without(_ secrets: [String: Int]) -> Data {
        if secrets.isEmpty { return self }
        let sought = secrets.flatMap { secret, number in secret.encodedForms.map { (text: $0, number: number) } }
        let bytes = Array(self)
        let found = WrittenText.forms(of: bytes).flatMap { $0.places(of: sought) }
        return found.isEmpty ? self : Data(bytes.replacing(found))
    }

    /// Whether a byte is zero, as in each character of ASCII in encodings of two or four bytes.
    ///
    /// To ask the data itself takes twenty times as long.
    var hasZero: Bool { withUnsafeBytes { $0.contains(0) } }

    /// False where some bytes do not stand, as most do not.
    func mayHold(_ bytes: [UInt8]) -> Bool {
        bytes.count > Self.mostCompared || withUnsafeBytes { all in bytes.withUnsafeBytes { all.holds($0) } }
    }

    /// How many bytes are compared at each place at the most: with more, that could take long.
    private static let mostCompared = 256
}
