#if os(Linux)
    import CCurl
    import Foundation

    @testable import StartSmall
    @testable import StartSmallCore
    @testable import StartSmallCurl
    @testable import StartSmallStreams

    extension Target {
        /// The checks and decoders of the engine for Linux beside libcurl's: the framing of payloads, and content
        /// codings.
        static let curl = [answer, coding]

        private static let answer = Target(
            name: "curl-answer",
            words: [
                "HTTP/1.1 200 OK\r\n", "HTTP/1.1 413 No\r\n", "HTTP/1.1 103 Early Hints\r\n\r\n", "HTTP/1.1 204 \r\n",
                "Content-Length: 2\r\n", "Content-Length: 2, 2\r\n", "Transfer-Encoding: chunked\r\n", "\r\n", "no",
                "Content-Encoding: gzip\r\n", "2\r\nno\r\n", "0\r\n\r\n", ";a=b", " a\r\n", ":", ",", "\n", "99999999",
            ],
            starts: [
                "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nA: b\r\n", "HTTP/1.1 200 OK\r\nContent-Length: ",
                "HTTP/1.1 200 OK\r\nContent-Length: 900000\r\n\r\n", "HTTP/1.1 103 Early Hints\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;",
            ],
            read: { bytes in _ = try? AnswerReader().read(bytes) },
            check: { bytes in
                let reader = try AnswerReader()
                let whole = reader.read(bytes)
                try promise("a reset reader has no state", reader.read(bytes) == whole)
                try promise("a payload is no longer than allowed", whole.payload.count <= AnswerReader.payloadLimit)
                if whole.isTaken { try checkFraming(whole) }
                for count in cuts(bytes.count) {
                    let cut = reader.read(bytes.prefix(count))
                    try promise("a refused answer stays refused", cut.stop == ccurl_stop_none || cut.stop == whole.stop)
                    try promise("delivered payload stays", whole.payload.starts(with: cut.payload))
                }
                return whole.isTaken
            }
        )

        /// Returns each offset of short inputs; for long ones, some, and those next to the ends.
        private static func cuts(_ count: Int) -> [Int] {
            let all = 300
            if count <= all { return Array(0..<count) }
            return Array(stride(from: 0, to: count, by: count / 64)) + [count - 2, count - 1]
        }

        /// Checks a trusted head with the other reader of heads.
        private static func checkFraming(_ answer: AnswerReader.Answer) throws {
            let head = Array(answer.head).withUnsafeBufferPointer { CurlHead($0) }
            try promise("an answer is a final response", head.isComplete && head.statusCode != 101)
            if head.statusCode == 204 || head.statusCode == 304 { return }
            let fields = Dictionary(grouping: head.fields) { $0.name.lowercased() }
            // A bare CR is like a space (RFC 9112 2.2).
            let codings = fields["transfer-encoding", default: []].map { trimmed($0.value).lowercased() }
            let lengths = fields["content-length", default: []].flatMap {
                $0.value.split(separator: ",", omittingEmptySubsequences: false).map(trimmed)
            }
            try promise(
                "a payload has one framing",
                codings == ["chunked"] && lengths.isEmpty || codings.isEmpty && Set(lengths.map { Int($0) }).count <= 1
            )
        }

        private static func trimmed(_ text: some StringProtocol) -> String {
            text.trimmingCharacters(in: .whitespacesAndNewlines)
        }

        /// The target of content codings: the coding's name in the first line, and a payload in that coding after it.
        private static let coding = Target(
            name: "curl-coding",
            words: codingNames.map { $0 + "\n" } + ["\u{0}", "\u{1F}", "x", "(/", "a"],
            starts: codingNames.map { $0 + "\n" },
            read: { bytes in
                guard let answer = coded(bytes) else { return }
                _ = try? AnswerReader().read(answer)
            },
            check: { bytes in
                guard let answer = coded(bytes) else { return false }
                let reader = try AnswerReader()
                let whole = reader.read(answer)
                try promise("a payload is no longer than allowed", whole.payload.count <= AnswerReader.payloadLimit)
                for size in [1, 2, 3, 7, 64] {
                    let cut = reader.read(answer, in: size)
                    // Of frames whose window is above the limit, libzstd decodes those that arrive in one piece.
                    if bytes.starts(with: "zstd".utf8), whole.isTaken, cut.stop == ccurl_stop_coding { continue }
                    try promise("the refusal of a coding does not depend on the cuts", cut.stop == whole.stop)
                    try promise("a payload is complete with any cuts, or none", cut.isDecoded == whole.isDecoded)
                    guard whole.isTaken else { continue }
                    try promise("the decoded payload does not depend on the cuts", cut.payload == whole.payload)
                }
                return whole.isDecoded
            }
        )

        private static let codingNames = ["gzip", "deflate", "br", "zstd"]

        /// Returns an answer with a payload in a coding; nil if no coding is named.
        private static func coded(_ bytes: [UInt8]) -> [UInt8]? {
            guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
                let name = codingNames.first(where: { bytes[..<end].elementsEqual($0.utf8) })
            else { return nil }
            return Array("HTTP/1.1 200 OK\r\nContent-Encoding: \(name)\r\n\r\n".utf8) + bytes[(end + 1)...]
        }
    }
#endif
