#if os(Linux)
    import CCurl
    import Foundation

    @testable import StartSmall

    extension Target {
        /// The parsers of the engine for Linux that replace libcurl's: answers, the framing of payloads, and content
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
                if whole.isWhole {
                    try promise("bytes after the end do not matter", reader.read(bytes + Array("0\r\n".utf8)) == whole)
                    try checkFraming(whole)
                }
                for count in cuts(bytes.count) {
                    let cut = reader.read(bytes.prefix(count))
                    try promise("a complete answer stays complete with more bytes", !cut.isWhole || cut == whole)
                    try promise("a refused answer stays refused", cut.stop == ccurl_stop_none || cut.stop == whole.stop)
                    try promise("delivered payload stays", whole.payload.starts(with: cut.payload))
                }
                return whole.isWhole
            }
        )

        /// Returns each offset of short inputs; for long ones, some, and those next to the ends.
        private static func cuts(_ count: Int) -> [Int] {
            let all = 300
            if count <= all { return Array(0..<count) }
            return Array(stride(from: 0, to: count, by: count / 64)) + [count - 2, count - 1]
        }

        /// Checks a complete answer with the other reader of heads.
        private static func checkFraming(_ answer: AnswerReader.Answer) throws {
            var head = CurlHead()
            Array(answer.head).withUnsafeBufferPointer { head.feed($0) }
            try promise("an answer is a final response", head.isComplete && head.statusCode != 101)
            let fields = Dictionary(grouping: head.fields) { $0.name.lowercased() }
            if head.statusCode == 204 || head.statusCode == 304 {
                return try promise("a status that allows no payload has none", answer.payload.isEmpty)
            }
            // A bare CR is like a space (RFC 9112 2.2).
            let codings = fields["transfer-encoding", default: []].map { trimmed($0.value).lowercased() }
            let lengths = fields["content-length", default: []].flatMap {
                $0.value.split(separator: ",", omittingEmptySubsequences: false).map(trimmed)
            }
            try promise(
                "a payload has one framing",
                codings == ["chunked"] && lengths.isEmpty || codings.isEmpty && !lengths.isEmpty
            )
            guard fields["content-encoding"] == nil else { return }
            try promise(
                "each length is the payload's",
                lengths.allSatisfy { Int($0) == answer.payload.count }
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
                guard let answer = coded(bytes, .max) else { return }
                _ = try? AnswerReader().read(answer)
            },
            check: { bytes in
                guard let uncut = coded(bytes, .max) else { return false }
                let reader = try AnswerReader()
                let whole = reader.read(uncut)
                try promise("a payload is no longer than allowed", whole.payload.count <= AnswerReader.payloadLimit)
                for size in [1, 2, 3, 7, 64] {
                    guard let answer = coded(bytes, size) else { continue }
                    let cut = reader.read(answer)
                    // Of frames whose window is above the limit, libzstd decodes those that arrive in one piece.
                    if bytes.starts(with: "zstd".utf8), whole.isWhole, cut.stop == ccurl_stop_coding { continue }
                    try promise("the refusal of a coding does not depend on the cuts", cut.stop == whole.stop)
                    try promise("a payload is complete with any cuts, or none", cut.isDecoded == whole.isDecoded)
                    guard whole.isWhole else { continue }
                    try promise("the decoded payload does not depend on the cuts", cut.payload == whole.payload)
                }
                return whole.isDecoded
            }
        )

        private static let codingNames = ["gzip", "deflate", "br", "zstd"]

        /// Returns an answer with a payload in chunks of this size; nil if no coding is named.
        private static func coded(_ bytes: [UInt8], _ size: Int) -> [UInt8]? {
            guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
                let name = codingNames.first(where: { bytes[..<end].elementsEqual($0.utf8) })
            else { return nil }
            let payload = bytes[(end + 1)...]
            let fields = "Transfer-Encoding: chunked\r\nContent-Encoding: \(name)\r\n"
            var answer = Array("HTTP/1.1 200 OK\r\n\(fields)\r\n".utf8)
            var place = payload.startIndex
            while place < payload.endIndex {
                let next = place + min(size, payload.endIndex - place)
                answer += "\(String(next - place, radix: 16))\r\n".utf8
                answer += payload[place..<next]
                answer += "\r\n".utf8
                place = next
            }
            return answer + Array("0\r\n\r\n".utf8)
        }
    }
#endif
