import Foundation
import StartSmall

/// A payload with the metadata of its message.
struct RecordedPayload {
    var data: Data
    var mediaType: MediaType?

    /// Whether the payload is compressed or otherwise encoded, and therefore unreadable.
    var isCoded = false

    /// The text of the payload; nil for non-text bytes.
    var text: EncodedText? { EncodedText(data, mediaType) }

    /// The whole text and the name of its encoding, if the encoding is known and not UTF-8.
    var namedText: (text: String, charset: String)? { text?.named }

    /// Returns the payload with a changed text in the same encoding, and without secrets in its other bytes.
    func changed(without secrets: [String: Int], _ change: (String) -> String) -> Data {
        guard let text else { return data.without(secrets) }
        let new = change(text.text)
        let changed = new.isSame(as: text.text) ? data : text.bytes(of: new)
        return isPlain(text) ? changed : changed.without(secrets)
    }

    /// Returns whether the payload is only text in one known encoding; a form may have parts in several.
    func isPlain(_ text: EncodedText?) -> Bool {
        text?.named != nil || text?.isKnown == true && !data.hasZero
    }
}

extension Input {
    /// The payload in memory, as sent.
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
    /// The payload, which is usually decompressed.
    var recordedPayload: RecordedPayload {
        RecordedPayload(
            data: payload,
            mediaType: headers.contentType,
            isCoded: headers.isCoded && isStillCoded || payload.isCompressed(as: headers.contentType)
        )
    }

    /// Whether the payload seems to be still compressed: Brotli and raw deflate have no signature, but are no text.
    private var isStillCoded: Bool {
        if Self.beginnings.contains(where: { payload.starts(with: $0) }) { return true }
        return headers.contentType?.isText != false && EncodedText(payload, headers.contentType)?.isReadable != true
    }

    /// The signatures of compressed data.
    ///
    /// The formats are gzip (RFC 1952 2.3.1), Zstandard (RFC 8878 3.1.1), compress, and zlib in its usual forms (RFC
    /// 1950 2.2).
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
    /// Returns whether the data has a signature of gzip or Zstandard, but not the media type of such a file.
    ///
    /// The signatures are those of RFC 1952 2.3.1 and RFC 8878 3.1.1. Data with the media type of a compressed file is
    /// a payload to keep. The check needs no header field, since a compressed text may lack one.
    fileprivate func isCompressed(as mediaType: MediaType?) -> Bool {
        guard starts(with: [0x1F, 0x8B, 0x08]) || starts(with: [0x28, 0xB5, 0x2F, 0xFD]) else { return false }
        let type = mediaType?.beginning ?? ""
        return !["gzip", "zstd", "tar", "tgz", "compress", "zip"].contains { type.utf8.contains($0.utf8) }
    }

    /// Returns the data with all secrets replaced, in any encoding.
    fileprivate func without(_ secrets: [String: Int]) -> Data {
        if secrets.isEmpty { return self }
        let sought = secrets.flatMap { secret, number in secret.encodedForms.map { (text: $0, number: number) } }
        let bytes = Array(self)
        let found = WrittenText.forms(of: bytes).flatMap { $0.places(of: sought) }
        return found.isEmpty ? self : Data(bytes.replacing(found))
    }

    /// Whether a byte is zero, as in each ASCII character in encodings of two or four bytes.
    ///
    /// A search of `Data` itself takes twenty times as long.
    var hasZero: Bool { withUnsafeBytes { $0.contains(0) } }

    /// Returns false if some bytes do not occur, which is the usual case; may return true otherwise.
    func mayHold(_ bytes: [UInt8]) -> Bool {
        bytes.count > Self.mostCompared || withUnsafeBytes { all in bytes.withUnsafeBytes { all.holds($0) } }
    }

    /// The maximum number of bytes to compare at each position: more could take long.
    private static let mostCompared = 256
}
