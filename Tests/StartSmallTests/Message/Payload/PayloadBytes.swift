import Foundation
@testable import StartSmall

extension PayloadSource {
    /// Returns all bytes, read in steps of at most `limit` bytes.
    func bytes(by limit: Int = PayloadReader.defaultSize) throws(ConnectionError) -> Data {
        var reader = reader()
        var bytes = Data()
        while let next = try reader.next(atMost: limit) { bytes += next }
        return bytes
    }
}

extension Payload.Content {
    func bytes() throws(ConnectionError) -> Data { try PayloadSource(self).bytes() }
}

extension MultipartForm {
    func bytes() throws(ConnectionError) -> Data { try Payload.Content.multipart(self).bytes() }
}
