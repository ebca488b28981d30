import Foundation
import StartSmall
import StartSmallDownloads
import StartSmallSupport
import StartSmallTesting
import TestSupport
import Testing

/// Random downloads from random servers, some of which lie: a file has the bytes of one version, or there is none.
struct ResumptionOracleTests {
    /// The number of random servers.
    private static let count = isExhaustive ? 10_000 : 100

    /// A connector over a server, in random wrappers around and inside of the one for resumptions.
    private func app(_ server: OracleServer) -> Connector {
        let random = server.random
        let attempts = random.int(in: 1...5)
        let wrappers: [Wrapper] = [
            .retry(.exponential(attempts: random.int(in: 1...3)), random: { 0 }), .timeout(.seconds(600)),
            .timeout(untilHead: .seconds(600)), .redirect(), .tracked(in: CallGroup()),
        ]
        let around = wrappers.filter { _ in random.int(in: 0...2) == 0 }
        let inside = wrappers.filter { _ in random.int(in: 0...1) == 0 }
        return server.connector.wrapped(
            by: .all(around + [.resumeDownloads(Backoff { $0.number < attempts ? .zero : nil })] + inside)
        )
    }

    @Test("a file has exactly the bytes of one version, or there is none, over random servers")
    func files() async throws {
        var successes = 0
        try await withFolder { folder async throws in
            let place = folder.appending(path: "f")
            for seed in 0..<Self.count {
                let server = OracleServer(seed: UInt64(seed))
                let input = Input(url: Fixture.url, delivery: .file(place))
                let fetched = await Endpoint<TransformError<Never>, Int>(.right(input)) { response in
                    response.empty().map { Int(response.headers["X-Version"] ?? "") ?? -1 }
                }
                .fetch(via: app(server))
                let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                switch fetched {
                case .right(let version):
                    successes += 1
                    let bytes = try Data(contentsOf: place)
                    #expect(names == ["f"] && bytes == server.versions[version].bytes, "seed \(seed)")
                    try FileManager.default.removeItem(at: place)
                case .left: #expect(names.isEmpty, "seed \(seed)")
                }
                #expect(server.openBodies == 0, "seed \(seed)")
                #expect(server.weakTags.isEmpty, "seed \(seed)")
            }
        }
        // Otherwise nothing was tested.
        #expect(successes > Self.count / 2)
        #expect(successes < Self.count)
    }
}

/// Random numbers that a seed determines.
private struct OracleRandom: Sendable {
    private let generator: Locked<SplitMix64>

    init(seed: UInt64) { generator = Locked(SplitMix64(seed: seed)) }

    func int(in range: ClosedRange<Int>) -> Int { generator.withLock { Int.random(in: range, using: &$0) } }

    func isOne(in count: Int) -> Bool { int(in: 1...count) == 1 }
}

/// A server whose resource changes, and which breaks off; it answers as RFC 9110 says, or not quite.
private struct OracleServer: Sendable {
    struct Version: Sendable {
        let bytes: Data
        let tag: String?
    }

    let random: OracleRandom
    let versions: [Version]
    private let isHonest: Bool
    private let badness: Int
    private let current = Locked(0)
    private let open = Locked(0)

    /// The weak validators of requests for a rest.
    private let weak = Recorder<String>()

    var openBodies: Int { open.withLock { $0 } }
    var weakTags: [String] { weak.elements }

    init(seed: UInt64) {
        let random = OracleRandom(seed: seed)
        self.random = random
        let kind = random.int(in: 0...5)
        versions = (0..<random.int(in: 1...3)).map { version in
            let bytes = Data((0..<random.int(in: 0...30)).map { UInt8(version * 64 + $0 + 1) })
            let isOdd = random.isOne(in: 2)
            let tag = isOdd && kind == 0 ? nil : isOdd && kind == 1 ? "W/\"\(version)\"" : "\"\(version)\""
            return Version(bytes: bytes, tag: tag)
        }
        isHonest = random.int(in: 0...3) > 0
        badness = [0, 10, 30][random.int(in: 0...2)]
    }

    var connector: Connector { Connector { output(for: $0) } }

    private func output(for input: Input) -> Output {
        if random.isOne(in: 10) { current.withLock { $0 = min($0 + 1, versions.count - 1) } }
        let roll = random.int(in: 0...99)
        if roll < badness / 3 { return .noResponse(Fixture.lost) }
        if roll < badness / 2 { return .status(.serviceUnavailable) }
        if roll < badness * 2 / 3 { return .status(.internalServerError) }
        let index = current.withLock { $0 }
        let version = versions[index]
        var headers: HTTPHeaders = ["X-Version": "\(index)"]
        headers["ETag"] = version.tag
        let condition = input.headers["If-Range"]
        if let condition, !condition.hasPrefix("\"") { weak.append(condition) }
        let range = input.headers["Range"].flatMap { Int($0.dropFirst(6).dropLast()) }
        let isStrong = version.tag?.hasPrefix("\"") == true
        let lies = !isHonest && random.isOne(in: 6)
        if let range, !isHonest, isStrong, condition == version.tag, random.isOne(in: 3) {
            // A 200 with the rest alone, or nothing at all.
            if random.isOne(in: 4) { return .status(.noContent, headers: headers) }
            let rest = version.bytes.dropFirst(range)
            if random.isOne(in: 2) { headers["Content-Length"] = "\(random.isOne(in: 2) ? rest.count : range)" }
            if random.isOne(in: 2) {
                headers["Content-Range"] = "bytes \(range)-\(version.bytes.count - 1)/\(version.bytes.count)"
            }
            return .hasResponse(response(.ok, headers, rest, mayEndEarly: false))
        }
        let isMatch = isStrong && condition == version.tag || lies && random.isOne(in: 2)
        if let range, isMatch, !(lies && random.isOne(in: 2)) {
            if range >= version.bytes.count {
                headers["Content-Range"] = "bytes */\(version.bytes.count)"
                return .status(.rangeNotSatisfiable, headers: headers)
            }
            let start = lies && random.isOne(in: 3) ? random.int(in: 0...range) : range
            let end = random.isOne(in: 2) ? version.bytes.count : random.int(in: start + 1...version.bytes.count)
            // Without a total, only a complete rest is honest.
            let total = random.isOne(in: 5) && end == version.bytes.count ? "*" : "\(version.bytes.count)"
            headers["Content-Range"] = "bytes \(start)-\(end - 1)/\(total)"
            if lies, random.isOne(in: 5) { headers["ETag"] = nil }
            return .hasResponse(response(.partialContent, headers, version.bytes[start..<end], mayEndEarly: false))
        }
        let hasLength = random.isOne(in: 2)
        if hasLength { headers["Content-Length"] = "\(version.bytes.count)" }
        return .hasResponse(response(.ok, headers, version.bytes, mayEndEarly: hasLength && isStrong))
    }

    /// Returns a response with a body that has all bytes, breaks off, or ends early.
    private func response(
        _ status: HTTPStatus,
        _ headers: HTTPHeaders,
        _ bytes: Data,
        mayEndEarly: Bool
    ) -> Response {
        let breaks = random.int(in: 0...99) < badness * 2
        let count = breaks || mayEndEarly && random.isOne(in: 8) ? random.int(in: 0...bytes.count) : bytes.count
        var (rest, chunks) = (bytes.prefix(count), [Data]())
        while !rest.isEmpty {
            chunks.append(Data(rest.prefix(random.int(in: 1...9))))
            rest = rest.dropFirst(chunks.last?.count ?? 0)
            if random.isOne(in: 8) { chunks.append(Data()) }
        }
        let left = Locked(chunks[...])
        let body = ResponseBody(
            pulling: { () async throws(ConnectionError) -> Data? in
                if let chunk = left.withLock({ $0.popFirst() }) { return chunk }
                if breaks { throw Fixture.lost }
                return nil
            }
        )
        open.withLock { $0 += 1 }
        body.onEnd { _ in open.withLock { $0 -= 1 } }
        var response = Response(statusCode: status, headers: headers)
        response.content = .body(body)
        return response
    }
}
