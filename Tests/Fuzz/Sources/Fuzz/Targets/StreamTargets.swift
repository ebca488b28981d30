import Foundation

@testable import StartSmall
@testable import StartSmallCore
@testable import StartSmallCurl
@testable import StartSmallJSON
@testable import StartSmallStreams
@testable import StartSmallSupport
@testable import StartSmallTesting

extension Target {
    /// The parsers of streams, whose results must not depend on the cuts.
    static var streams: [Target] {
        #if os(Linux)
            [lines, events, partialJSON, curlHead, http1]
        #else
            [lines, events, partialJSON, http1]
        #endif
    }

    private static let lines = Target(
        name: "line-splitter",
        words: ["\n", "\r\n", "\r", "data: a", ":", "event: b"],
        starts: [],
        read: { bytes in
            var splitter = LineSplitter()
            _ = splitter.lines(in: Data(bytes)) + splitter.last()
        },
        check: { bytes in
            let limit = 100
            func lines(_ size: Int) -> [Data?] {
                var splitter = LineSplitter(limit: limit)
                return cut(bytes, size).flatMap { splitter.lines(in: Data($0)) } + splitter.last()
            }
            let whole = lines(max(1, bytes.count))
            try promise("no line is too long", whole.allSatisfy { $0?.count ?? 0 <= limit })
            try promise("lines do not depend on the cuts", [1, 2, 3, 64].allSatisfy { lines($0) == whole })
            let ends = bytes.count { $0 == UInt8(ascii: "\n") }
            try promise("each line end ends one line", (ends...ends + 1).contains(whole.count))
            return whole.count > 1
        }
    )

    private static let events = Target(
        name: "event-stream",
        words: [
            "data: a\n", "data", "event: b\n", "id: 1\n", "id\n", "retry: 10\n", ": c\n", ":", " ", "\n", "\r\n", "\r",
            "\u{FEFF}", "\0",
        ],
        starts: ["data:", "id:", "event:", "retry:", ":", "data: a\n\n"],
        read: { bytes in
            var parser = EventStreamParser()
            _ = parser.events(in: Data(bytes))
        },
        check: { bytes in
            let limit = 100
            func events(_ bytes: [UInt8], _ size: Int) -> [EventStreamParser.Parsed] {
                var parser = EventStreamParser(limit: limit)
                return cut(bytes, size).flatMap { parser.events(in: Data($0)) }
            }
            let whole = events(bytes, max(1, bytes.count))
            let read = whole.compactMap(\.right)
            // A byte that is not UTF-8 becomes a character of three bytes.
            let isShort = read.allSatisfy {
                max($0.type.utf8.count, $0.data.utf8.count, $0.id?.utf8.count ?? 0) <= 3 * limit
            }
            try promise("no event is too long", isShort)
            try promise(
                "events do not depend on the cuts",
                [1, 2, 3, 64].allSatisfy { events(bytes, $0) == whole }
            )
            let hasBareEnds = !bytes.contains(UInt8(ascii: "\r"))
            let others = bytes.flatMap { $0 == UInt8(ascii: "\n") ? Array("\r\n".utf8) : [$0] }
            try promise("all line ends are equivalent", !hasBareEnds || events(others, others.count) == whole)
            try promise("no ID contains NUL", read.allSatisfy { $0.id?.utf8.contains(0) != true })
            return !read.isEmpty
        }
    )

    private static let partialJSON = Target(
        name: "partial-json",
        words: [
            "{", "}", "[", "]", "\"a\"", "\"a\":", ",", ":", "1", "-0.5e+3", "true", "false", "null", "\\ud83d\\ude00",
            "\\u00e9", "\\n", "\\", "日本", " ", "\n",
        ],
        starts: ["\"", "{\"a\":", "[", "{\"a", "{\"a\":[1,\"", "[\"\\ud83d"],
        read: { bytes in
            var json = PartialJSON()
            for piece in cut(bytes, 16) { try? json.append(Data(piece)) }
            _ = json.completed()
        },
        check: { bytes in
            func json(_ size: Int) -> PartialJSON {
                var json = PartialJSON()
                for piece in cut(bytes, size) { try? json.append(Data(piece)) }
                return json
            }
            let whole = json(max(1, bytes.count))
            try promise("JSON does not depend on the cuts", [1, 2, 3, 64].allSatisfy { json($0) == whole })
            for withOpenText in [true, false] {
                guard let completed = whole.completed(withOpenText: withOpenText) else { continue }
                try promise("a completed document is JSON", JSONTape.offsetOfError(in: completed) == nil)
                try promise("a completed document is UTF-8", String(bytes: completed, encoding: .utf8) != nil)
            }
            // A reader of whole documents also reads UTF-16, and a byte order mark.
            let isPlain = !bytes.contains(0) && !bytes.starts(with: [0xEF, 0xBB, 0xBF])
            guard isPlain, String(bytes: bytes, encoding: .utf8) != nil else { return false }
            let offset = JSONTape.offsetOfError(in: Data(bytes)) ?? bytes.count
            let isTooDeep = if case .tooDeep? = whole.error?.reason { true } else { false }
            try promise("the first wrong byte is found", isTooDeep || (whole.error?.offset ?? bytes.count) == offset)
            return whole.isComplete
        }
    )

    #if os(Linux)
        private static let curlHead = Target(
            name: "curl-head",
            words: [
                "HTTP/1.1 200 OK\r\n", "HTTP/1.1 103 Early Hints\r\n", "HTTP/2 404\r\n", "\r\n", "A: b\r\n", " c\r\n",
                ":", "\t",
            ],
            starts: ["HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nA: b\r\n", "HTTP/1.1 200 OK\r\n\r\n"],
            read: { bytes in _ = bytes.withUnsafeBufferPointer { CurlHead($0) } },
            check: { bytes in
                let whole = bytes.withUnsafeBufferPointer { CurlHead($0) }
                try promise("a complete head has a status", !whole.isComplete || whole.statusCode != nil)
                let fields = whole.fields + whole.trailers
                try promise("no value has a newline", !fields.contains { $0.value.utf8.contains(UInt8(ascii: "\n")) })
                return whole.isComplete
            }
        )
    #endif

    private static let http1 = Target(
        name: "http1-request",
        words: [
            "GET /a HTTP/1.1\r\nHost: h\r\n\r\n", "POST / HTTP/1.1\r\n", "Host: h\r\n", "Content-Length: 3\r\n", "\r\n",
            "abc",
            "Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n", "0\r\n\r\n", "A: b\r\n",
        ],
        starts: [
            "GET / HTTP/1.1\r\n", "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 900000\r\n\r\n",
        ],
        read: { bytes in _ = steps(bytes, bytes.count) },
        check: { bytes in
            let whole = steps(bytes, max(1, bytes.count))
            try promise(
                "requests do not depend on the cuts",
                [1, 2, 3, 7].allSatisfy { steps(bytes, $0) == whole }
            )
            for case .request(let request) in whole {
                let areLegal = request.headers.fields.allSatisfy { $0.rejectionReason == nil }
                try promise("all fields are legal", areLegal)
                try promise("a method is a token", HTTPToken.isToken(request.method))
                _ = (request.input(origin: "http://h"), request.wantsClose, request.expectsContinue)
            }
            return whole.contains { if case .request = $0 { true } else { false } }
        }
    )

    private static func steps(_ bytes: [UInt8], _ size: Int) -> [HTTP1RequestParser.Step] {
        var parser = HTTP1RequestParser()
        var steps: [HTTP1RequestParser.Step] = []
        for part in cut(bytes, size) {
            parser.append(part)
            reading: while true {
                let step = parser.next()
                switch step {
                case .needsBytes: break reading
                case .refused: return steps + [step]
                case .head, .request: steps.append(step)
                }
            }
        }
        return steps
    }

    private static func cut(_ bytes: [UInt8], _ size: Int) -> some Sequence<[UInt8]> {
        stride(from: 0, to: bytes.count, by: max(1, size)).lazy.map { Array(bytes[$0..<min(bytes.count, $0 + size)]) }
    }
}
