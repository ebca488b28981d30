import Foundation
import StartSmall
import Testing

@testable import StartSmallTesting

@Suite struct HTTP1RequestParserTests {
    private static let host = "Host: a\r\n"

    /// Bytes and all requests that they contain.
    private static let readable: [(bytes: String, requests: [HTTP1Request])] = [
        ("GET / HTTP/1.1\r\n\(host)\r\n", [get()]),
        ("GET / HTTP/1.0\r\n\r\n", [get(minorVersion: 0, headers: [:])]),
        ("\r\n\r\nGET / HTTP/1.1\r\n\(host)\r\n", [get()]),
        ("GET / HTTP/1.1\r\n\(host)\r\nGET /2 HTTP/1.1\r\n\(host)\r\n", [get(), get("/2")]),
        ("GET / HTTP/1.1\r\n\(host)A: \t b c \t\r\nB:\r\n\r\n", [get(headers: ["Host": "a", "A": "b c", "B": ""])]),
        (
            "GET / HTTP/1.1\r\n\(host)A: 1\r\na: 2\r\n\r\n",
            [get(headers: ["Host": "a", "A": "1", "a": "2"])]
        ),
        ("OPTIONS * HTTP/1.1\r\n\(host)\r\n", [HTTP1Request(method: "OPTIONS", target: "*", headers: ["Host": "a"])]),
        ("POST / HTTP/1.1\r\n\(host)Content-Length: 3\r\n\r\nabc", [post("abc", ["Content-Length": "3"])]),
        ("POST / HTTP/1.1\r\n\(host)Content-Length: 0\r\n\r\n", [post("", ["Content-Length": "0"])]),
        ("POST / HTTP/1.1\r\n\(host)Content-Length: 0003\r\n\r\na\r\n", [post("a\r\n", ["Content-Length": "0003"])]),
        (
            "POST / HTTP/1.1\r\n\(host)Content-Length: 1\r\n\r\naGET / HTTP/1.1\r\n\(host)\r\n",
            [post("a", ["Content-Length": "1"]), get()]
        ),
        (
            "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0B\r\n0123456789a\r\n0\r\n\r\n",
            [post("abc0123456789a", ["Transfer-Encoding": "chunked"])]
        ),
        (
            "POST / HTTP/1.1\r\n\(host)transfer-encoding: CHUNKED\r\n\r\n2;a=\"b;c\"\r\n\r\n\r\n00 ; x\r\n\r\n",
            [post("\r\n", ["Transfer-Encoding": "CHUNKED"])]
        ),
        (
            "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nT: 1\r\nU: 2\r\n\r\n",
            [post("a", ["Transfer-Encoding": "chunked"], trailers: ["T": "1", "U": "2"])]
        ),
        (
            "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\(host)\r\n",
            [post("", ["Transfer-Encoding": "chunked"]), get()]
        ),
    ]

    @Test(arguments: readable)
    func readsAllThatArrivesAtOnce(bytes: String, requests: [HTTP1Request]) {
        #expect(Self.requests(in: Array(bytes.utf8)) == requests)
    }

    @Test(arguments: readable)
    func readsWhatArrivesInTwoPartsCutAnywhere(bytes: String, requests: [HTTP1Request]) {
        let bytes = Array(bytes.utf8)
        for cut in 0...bytes.count {
            #expect(Self.steps(in: [bytes[..<cut], bytes[cut...]]).compactMap(\.request) == requests, "cut at \(cut)")
        }
    }

    @Test(arguments: readable)
    func readsWhatArrivesByteByByte(bytes: String, requests: [HTTP1Request]) {
        #expect(Self.steps(in: Self.single(Array(bytes.utf8))).compactMap(\.request) == requests)
    }

    @Test(arguments: readable)
    func neverReadsARequestThatIsCutShort(bytes: String, requests: [HTTP1Request]) {
        let bytes = Array(bytes.utf8)
        for count in bytes.indices {
            let steps = Self.steps(in: [bytes[..<count]])
            let refusals = steps.filter(\.isRefusal)
            #expect(steps.compactMap(\.request).count < requests.count, "cut at \(count)")
            #expect(refusals.isEmpty, "cut at \(count)")
        }
    }

    @Test(arguments: readable)
    func countsTheBytesThatARequestTook(bytes: String, requests: [HTTP1Request]) {
        var parser = HTTP1RequestParser()
        parser.append(bytes.utf8)
        for _ in requests { while parser.next().request == nil {} }
        #expect(parser.consumedCount == bytes.utf8.count)
    }

    @Test func reportsAHeadBeforeItsBodyArrives() {
        let head = "POST / HTTP/1.1\r\n\(Self.host)Content-Length: 3\r\n\r\n"
        #expect(Self.steps(in: [Array(head.utf8)[...]]) == [.head(Self.post("", ["Content-Length": "3"]))])
    }

    @Test func leavesWhatComesAfterARequest() {
        let first = "GET / HTTP/1.1\r\n\(Self.host)\r\n"
        var parser = HTTP1RequestParser()
        parser.append((first + "GET /2").utf8)
        _ = (parser.next(), parser.next())
        #expect(parser.consumedCount == first.utf8.count)
    }

    private static let malformed = [
        " GET / HTTP/1.1\r\n\(host)\r\n",
        "\u{16}\u{3}\u{1}",
        "GET / HTTP/1.1\n\(host)\r\n",
        "GET / HTTP/1.1\r\nHost: a\n\r\n",
        "GET / HTTP/1.1\r\n\(host)\n",
        "GET / HTTP/1.1\r\n\(host)A: b\rc\r\n\r\n",
        "GET / HTTP/1.1\r\r\n\(host)\r\n",
        "GET /\r\n\r\n",
        "GET  / HTTP/1.1\r\n\(host)\r\n",
        "GET / HTTP/1.1 \r\n\(host)\r\n",
        "GET / a HTTP/1.1\r\n\(host)\r\n",
        "G(T / HTTP/1.1\r\n\(host)\r\n",
        "GET /\u{e9} HTTP/1.1\r\n\(host)\r\n",
        "GET /\u{0} HTTP/1.1\r\n\(host)\r\n",
        "GET / http/1.1\r\n\(host)\r\n",
        "GET / HTTP/1\r\n\(host)\r\n",
        "GET / HTTP/1.10\r\n\(host)\r\n",
        "GET / HTTPS1.1\r\n\(host)\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\n\(host)\(host)\r\n",
        "GET / HTTP/1.1\r\n\(host)no colon\r\n\r\n",
        "GET / HTTP/1.1\r\n\(host): no name\r\n\r\n",
        "GET / HTTP/1.1\r\n\(host)A : b\r\n\r\n",
        "GET / HTTP/1.1\r\n\(host) folded: b\r\n\r\n",
        "GET / HTTP/1.1\r\n\(host)A: b\r\n c\r\n\r\n",
        "GET / HTTP/1.1\r\n\(host)A: \u{0}\r\n\r\n",
        "GET / HTTP/1.1\r\n\(host)A: \u{7F}\r\n\r\n",
        "POST / HTTP/1.1\r\n\(host)Content-Length: -1\r\n\r\n",
        "POST / HTTP/1.1\r\n\(host)Content-Length: +1\r\n\r\na",
        "POST / HTTP/1.1\r\n\(host)Content-Length: 1 1\r\n\r\na",
        "POST / HTTP/1.1\r\n\(host)Content-Length: 0x1\r\n\r\na",
        "POST / HTTP/1.1\r\n\(host)Content-Length: 1, 1\r\n\r\na",
        "POST / HTTP/1.1\r\n\(host)Content-Length: \u{661}\r\n\r\na",
        "POST / HTTP/1.1\r\n\(host)Content-Length:\r\n\r\n",
        "POST / HTTP/1.1\r\n\(host)Content-Length: 1\r\nContent-Length: 1\r\n\r\na",
        "POST / HTTP/1.1\r\n\(host)Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "POST / HTTP/1.1\r\n\(host)Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.0\r\n\(host)Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        chunked("\r\n\r\n"),
        chunked(";a\r\n"),
        chunked("g\r\n"),
        chunked("-1\r\n"),
        chunked("+1\r\na\r\n"),
        chunked("0x1\r\na\r\n"),
        chunked(" 1\r\na\r\n"),
        chunked("1 1\r\na\r\n"),
        chunked("1\na\r\n0\r\n\r\n"),
        chunked("1\r\nab\r\n"),
        chunked("1\r\nabcd"),
        chunked("1\r\na\n"),
        chunked("1\r\na\r\n0\r\nno colon\r\n\r\n"),
        chunked("FFFFFFFFFFFFFFFFF\r\n"),
    ]

    @Test(arguments: malformed)
    func refusesWhatIsNoRequest(bytes: String) {
        let last = Self.steps(in: [Array(bytes.utf8)[...]]).last
        guard case .refused(.malformed)? = last else {
            Issue.record("\(String(describing: last))")
            return
        }
    }

    private static let tooMuch: [(bytes: String, refusal: HTTP1Refusal)] = [
        ("GET / HTTP/2.0\r\n", .unknownVersion("HTTP/2.0")),
        ("GET / HTTP/1.2\r\n", .unknownVersion("HTTP/1.2")),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .unknownVersion("HTTP/2.0")),
        ("POST / HTTP/1.1\r\n\(host)Transfer-Encoding: gzip\r\n\r\n", .unknownCoding("gzip")),
        ("POST / HTTP/1.1\r\n\(host)Transfer-Encoding: gzip, chunked\r\n\r\n", .unknownCoding("gzip, chunked")),
        (
            "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
            .unknownCoding("chunked, chunked")
        ),
        ("POST / HTTP/1.1\r\n\(host)Content-Length: 11\r\n\r\n", .bodyTooLarge(limit: 10)),
        (
            "POST / HTTP/1.1\r\n\(host)Content-Length: 9223372036854775807\r\n\r\n",
            .bodyTooLarge(limit: 10)
        ),
        (
            "POST / HTTP/1.1\r\n\(host)Content-Length: 18446744073709551617\r\n\r\n",
            .bodyTooLarge(limit: 10)
        ),
        (chunked("B\r\n"), .bodyTooLarge(limit: 10)),
        (chunked("7FFFFFFFFFFFFFFF\r\n"), .bodyTooLarge(limit: 10)),
        (chunked("1\r\na\r\n7FFFFFFFFFFFFFFF\r\n"), .bodyTooLarge(limit: 10)),
        (chunked("9\r\n123456789\r\n2\r\n"), .bodyTooLarge(limit: 10)),
        ("GET /\(String(repeating: "a", count: 100))", .headTooLarge(limit: 100)),
        ("GET / HTTP/1.1\r\n\(String(repeating: "A: b\r\n", count: 20))", .headTooLarge(limit: 100)),
        (String(repeating: "\r\n", count: 51), .headTooLarge(limit: 100)),
        (chunked("0\r\n\(String(repeating: "A: b\r\n", count: 20))"), .headTooLarge(limit: 100)),
        (
            chunked("0;\(String(repeating: "a", count: 20))"),
            .malformed("a chunk's size is longer than 20 bytes")
        ),
    ]

    private static let small = HTTP1RequestParser.Limits(head: 100, body: 10, chunkLine: 20)

    @Test(arguments: tooMuch)
    func refusesWhatItDoesNotKnowOrIsTooMuch(bytes: String, refusal: HTTP1Refusal) {
        #expect(Self.steps(in: [Array(bytes.utf8)[...]], limits: Self.small).last == .refused(refusal))
    }

    @Test func takesAsMuchAsTheLimitsAllow() {
        let lines = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\nA: "
        let head = lines + String(repeating: "b", count: 100 - lines.utf8.count - 4) + "\r\n\r\n"
        #expect(head.utf8.count == 100)
        let bytes = Array((head + "1234567890").utf8)
        #expect(Self.steps(in: [bytes[...]], limits: Self.small).last?.request?.body.count == 10)
        #expect(Self.steps(in: Self.single(bytes), limits: Self.small).last?.request?.body.count == 10)
    }

    @Test func theLimitOfTheHeadIsForEachRequest() {
        let request = "GET / HTTP/1.1\r\n\(Self.host)\r\n"
        let bytes = Array(String(repeating: request, count: 20).utf8)
        #expect(Self.steps(in: [bytes[...]], limits: Self.small).compactMap(\.request).count == 20)
    }

    @Test func staysRefusedWhateverFollows() {
        var parser = HTTP1RequestParser()
        parser.append(" ".utf8)
        let refusal = parser.next()
        #expect(refusal.isRefusal)
        parser.append("GET / HTTP/1.1\r\n\(Self.host)\r\n".utf8)
        #expect(parser.next() == refusal)
    }

    @Test(arguments: readable.map(\.bytes) + malformed + tooMuch.map(\.bytes))
    func saysTheSameHoweverTheBytesAreCut(bytes: String) {
        let bytes = Array(bytes.utf8)
        let whole = Self.steps(in: [bytes[...]], limits: Self.small)
        #expect(Self.steps(in: Self.single(bytes), limits: Self.small) == whole)
    }

    @Test func saysTheSameOfARequestThatWasTamperedWithHoweverItIsCut() {
        var random = SplitMix64(seed: 1)
        let sources = (Self.readable.map(\.bytes) + Self.malformed).map { Array($0.utf8) }
        let marks = Array("\r\n\0 :;,0123456789abcdefABCDEFgG/\u{7F}".utf8) + [0x80, 0xC3, 0xFF]
        for _ in 0..<5_000 {
            var bytes = sources.randomElement(using: &random)!
            for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
                let place = bytes.indices.randomElement(using: &random)!
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes.remove(at: place)
                case 1: bytes.insert(marks.randomElement(using: &random)!, at: place)
                default: bytes[place] = marks.randomElement(using: &random)!
                }
            }
            let whole = Self.steps(in: [bytes[...]], limits: Self.small)
            let single = Self.steps(in: Self.single(bytes), limits: Self.small)
            #expect(whole == single, "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
        }
    }

    @Test func noBytesCanTrapIt() {
        var random = SplitMix64(seed: 2)
        for _ in 0..<5_000 {
            let count = Int.random(in: 0..<200, using: &random)
            let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            #expect(Self.requests(in: bytes).isEmpty)
        }
    }

    @Test func aBodyGrowsInPlace() {
        // This test would take minutes if every byte copied the body.
        let count = 1 << 20
        var parser = HTTP1RequestParser()
        parser.append("POST / HTTP/1.1\r\n\(Self.host)Content-Length: \(count)\r\n\r\n".utf8)
        while parser.next() != .needsBytes {}
        for _ in 1..<(count / 16) {
            parser.append(repeatElement(0x61, count: 16))
            #expect(parser.next() == .needsBytes)
        }
        parser.append(repeatElement(0x61, count: 16))
        #expect(parser.next().request?.body.count == count)
    }
}

extension HTTP1RequestParserTests {
    /// A parser's results for bytes that arrive in these pieces, without its requests for more.
    private static func steps(
        in pieces: [ArraySlice<UInt8>],
        limits: HTTP1RequestParser.Limits = .init()
    ) -> [HTTP1RequestParser.Step] {
        var parser = HTTP1RequestParser(limits: limits)
        return pieces.reduce(into: []) { steps, piece in
            if steps.last?.isRefusal == true { return }
            parser.append(piece)
            while true {
                let step = parser.next()
                if step == .needsBytes { return }
                steps.append(step)
                if step.isRefusal { return }
            }
        }
    }

    private static func requests(in bytes: [UInt8]) -> [HTTP1Request] {
        steps(in: [bytes[...]]).compactMap(\.request)
    }

    private static func single(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        bytes.indices.map { bytes[$0...$0] }
    }

    private static func get(
        _ target: String = "/",
        minorVersion: Int = 1,
        headers: HTTPHeaders = ["Host": "a"]
    ) -> HTTP1Request {
        HTTP1Request(method: "GET", target: target, minorVersion: minorVersion, headers: headers)
    }

    private static func post(_ body: String, _ headers: HTTPHeaders, trailers: HTTPHeaders = [:]) -> HTTP1Request {
        HTTP1Request(
            method: "POST",
            target: "/",
            headers: HTTPHeaders([.init(name: "Host", value: "a")] + headers.fields),
            body: Data(body.utf8),
            trailers: trailers
        )
    }

    private static func chunked(_ body: String) -> String {
        "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n\(body)"
    }
}

extension HTTP1RequestParser.Step {
    fileprivate var request: HTTP1Request? {
        if case .request(let request) = self { request } else { nil }
    }

    fileprivate var isRefusal: Bool {
        if case .refused = self { true } else { false }
    }
}
