import Foundation

@testable import StartSmall
@testable import StartSmallCore
import StartSmallTesting

extension Target {
    /// The file formats of the testing kit.
    static let files: [Target] = [cassette]

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
}
