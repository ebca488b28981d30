import Foundation
import StartSmall

extension CassetteFile.Bytes {
    /// The digest of a payload over the limit; nil if the file contains the payload.
    var digest: PayloadDigest? { size.map { PayloadDigest(size: $0, sha256: sha256) } }

    /// The payload; empty if it is over the limit.
    var data: Data {
        get throws(CassetteError) {
            if sha256 != nil, size == nil { throw CassetteError("a payload has \"sha256\" without \"size\"") }
            switch (text, json, base64, size) {
            case (let lines?, nil, nil, nil): return try data(of: lines.joined(separator: "\n"))
            case (nil, let pieces?, nil, nil): return try data(of: pieces.joined())
            case (nil, nil, let base64?, nil):
                guard let data = Data(base64Encoded: base64) else { throw CassetteError("a payload is not Base64") }
                return data
            case (nil, nil, nil, let size?):
                if size < 0 { throw CassetteError("a payload has a negative size, \(size)") }
                return Data()
            default: throw CassetteError("a payload needs exactly one of \"text\", \"json\", \"base64\" and \"size\"")
            }
        }
    }

    private func data(of text: String) throws(CassetteError) -> Data {
        guard let charset else { return Data(text.utf8) }
        guard let encoding = Charset.encoding(charset) else {
            throw CassetteError("a payload has an unknown charset, \"\(charset)\"")
        }
        guard let data = Charset.data(text, in: encoding) else { throw CassetteError("a payload is not \(charset)") }
        return data
    }
}
