import Foundation

@testable import StartSmall
import StartSmallTesting

extension Target {
    /// The file formats of the testing kit.
    static let files: [Target] = [cassette, multipartScrubbing]

    private static let cassette = Target(
        name: "cassette",
        words: [
            "\"exchanges\":", "\"url\":\"https://h/\"", "\"text\":[", "\"json\":[", "\"base64\":\"YQ==\"",
            "\"headers\":[\"A: b\"]", "\"status\":200", "[redacted]",
            "\"chunks\":[1]", "\"omitted\":\"\"", "2001-02-03T04:05:06Z",
            exchange + ",",
        ],
        starts: ["{\"version\":2,\"exchanges\":[•\(exchange)]}"],
        read: { _ = try? Cassette(reading: Data($0)) },
        check: { bytes in
            guard let cassette = try? Cassette(reading: Data(bytes)) else { return false }
            let read = try Cassette(reading: cassette.data())
            try promise("a written cassette is read unchanged", read.data() == cassette.data())
            return true
        }
    )

    private static let exchange = """
        {"recorded":"2001-02-03T04:05:06Z","request":{"method":"GET","url":"https://h/"},"response":{"status":200}}
        """

    /// The target of multipart redaction: the text after `boundary=` in the first line, and a payload in the others.
    private static let multipartScrubbing = Target(
        name: "multipart-scrubbing",
        words: [
            "b\n", "--b\r\n", "--b--", "\r\n\r\n", "Content-Disposition: form-data; name=\"token\"", "name=\"",
            "hunter2-secret", "\"", "--b\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\nx\r\n", "\r\n ",
        ],
        starts: ["b\n", "b\n--b\r\n", "aaab\n"],
        read: { bytes in
            _ = hidden(bytes, by: .standard)
        },
        check: { bytes in
            let payload = Data(bytes[((bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex))...].dropFirst())
            try promise("a redaction without names changes nothing", hidden(bytes, by: .none) == payload)
            return hidden(bytes, by: .standard) != payload
        }
    )

    private static func hidden(_ bytes: [UInt8], by redaction: Redaction) -> Data {
        let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
        let boundary = String(decoding: bytes[..<end], as: UTF8.self)
        return redaction.hiding(
            payload: Data(bytes[end...].dropFirst()),
            mediaType: MediaType(rawValue: "multipart/form-data; boundary=\(boundary)")
        )
    }
}
