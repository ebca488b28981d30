import Foundation

@testable import StartSmall
@testable import StartSmallCore
import StartSmallDiagnostics
import StartSmallTesting

extension Target {
    /// The file formats of the testing kit.
    static let files: [Target] = [cassette, har]

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

    private static let har = Target(
        name: "har",
        words: [
            "\"request\":{", "\"response\":{", "\"url\":\"https://h/\"",
            "\"headers\":[{\"name\":\"A\",\"value\":\"b\\nc\"}]",
            "\"status\":200", "\"status\":\"0\"", "\"content\":{\"text\":\"YQ==\",\"encoding\":\"base64\"}",
            "\"size\":1e99",
            "\"postData\":{\"mimeType\":\"a/b\",\"params\":[{\"name\":\"a\",\"value\":1}]}", "\"_error\":\"a\"",
            "\"startedDateTime\":\"2001-02-03T04:05:06.789+09:00\"", "null", entry + ",", secret, login + ",",
        ],
        starts: [
            "{\"log\":{\"entries\":[\(login),•\(entry)]}}", "{\"log\":{\"entries\":[•\(entry)]}}",
            "\u{FEFF}{\"log\":{\"entries\":[{•",
        ],
        read: { _ = try? Cassette(reading: Data($0)) },
        check: { bytes in
            guard let cassette = try? Cassette(reading: Data(bytes)) else { return false }
            let text = cassette.data()
            let read = try Cassette(reading: text)
            try promise("a HAR is a cassette, which is read unchanged", read.data() == text)
            let shown = try Cassette(reading: Data(bytes), scrubbing: CassetteRedaction(.none))
            let isNamed = shown.exchanges.contains { $0.input.headers.values(of: "Authorization").contains(secret) }
            try promise(
                "what a field names as a secret is nowhere in a cassette",
                !isNamed || !String(decoding: text, as: UTF8.self).contains(secret)
            )
            return !cassette.exchanges.isEmpty
        },
        // The secrets of each entry are searched for in all of them.
        mostMilliseconds: 2_000
    )

    private static let secret = "hunter2-of-the-fuzzer"

    /// An entry that names the secret, and has it in other places.
    private static let login = """
        {"request":{"method":"GET","url":"https://h/\(secret)?a=\(secret)","headers":[{"name":"Authorization",\
        "value":"\(secret)"}]},"response":{"status":200,"content":{"text":"so \(secret)"}}}
        """

    private static let entry = """
        {"request":{"method":"GET","url":"https://h/"},"response":{"status":200,"content":{"text":"a"}}}
        """

    private static let exchange = """
        {"recorded":"2001-02-03T04:05:06Z","request":{"method":"GET","url":"https://h/"},"response":{"status":200}}
        """
}
