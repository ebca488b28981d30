import Foundation

@testable import StartSmall
@testable import StartSmallTesting

extension Target {
    /// The file formats of the testing kit.
    static let files: [Target] = [cassette, har, multipartScrubbing, texts]

    private static let cassette = Target(
        name: "cassette",
        words: [
            "\"exchanges\":", "\"url\":\"https://h/\"", "\"text\":[", "\"json\":[", "\"base64\":\"YQ==\"",
            "\"headers\":[\"A: b\"]", "\"status\":200", "<redacted>", "2001-02-03T04:05:06Z",
            exchange + ",",
        ],
        starts: ["{\"version\":1,\"exchanges\":[•\(exchange)]}"],
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

    private static let entry = """
        {"startedDateTime":"2001-02-03T04:05:06Z","request":{"method":"GET","url":"https://h/","headers":[]},\
        "response":{"status":200,"headers":[]}}
        """

    private static let har = Target(
        name: "har",
        words: [
            "\"entries\":", "\"url\":\"https://h/\"", "\"name\":\"token\"", "\"value\":\"hunter2-secret\"",
            "\"encoding\":\"base64\"", "\"params\":", "2001-02-03T04:05:06.789Z", entry + ",",
        ],
        starts: ["{\"log\":{\"entries\":[•\(entry)]}}"],
        read: { _ = try? Cassette(har: Data($0)) },
        check: { bytes in
            guard let cassette = try? Cassette(har: Data(bytes)) else { return false }
            let read = try Cassette(reading: cassette.data())
            try promise("an imported exchange can be written", read.exchanges.count == cassette.exchanges.count)
            return true
        }
    )

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

    /// The target of texts in which a known secret is redacted, in any encoding.
    private static let texts = text(
        "cassette-texts",
        words: ["hunter2/secret", "hunter2", "%2F", "%2f", "\\/", "\\u002f", "\\", "%", "+", "\\u", "%68"],
        starts: ["hunter2", "\\"],
        read: { _ = $0.without(secrets) },
        check: { text in
            try promise("without secrets, nothing changes", text.without([:]) == text)
            let encoded = secrets.keys.map { $0.utf8.map { "%" + String($0, radix: 16) }.joined() }
            for written in Array(secrets.keys) + encoded {
                let shown = (text + written + text).without(secrets)
                try promise("no secret remains", !shown.contains(written))
            }
            return text.without(secrets) != text
        }
    )

    private static let secrets = ["hunter2/secret": 1]

    private static func hidden(_ bytes: [UInt8], by redaction: Redaction) -> Data {
        let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
        let boundary = String(decoding: bytes[..<end], as: UTF8.self)
        return redaction.hiding(
            payload: Data(bytes[end...].dropFirst()),
            mediaType: MediaType(rawValue: "multipart/form-data; boundary=\(boundary)")
        )
    }
}
