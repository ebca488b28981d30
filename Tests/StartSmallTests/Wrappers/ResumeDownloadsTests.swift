import Foundation
import StartSmall
import StartSmallTesting
import Synchronization
import Testing

struct ResumeDownloadsTests {
    private static let content = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })

    /// A server of one file that supports ranges, and breaks off after a number of bytes of each answer.
    private struct FileServer: Sendable {
        var content = ResumeDownloadsTests.content
        var tag: @Sendable () -> String? = { "\"v1\"" }
        var headers: HTTPHeaders = [:]
        var knowsRanges = true
        let breaks: @Sendable () -> Int?
        let asked = Recorder<String?>()

        var connector: Connector {
            Connector { input in
                asked.append(input.headers["Range"])
                let tag = tag()
                let isSame = input.headers["If-Range"] == tag
                let start = input.headers["Range"].flatMap { Int($0.dropFirst(6).dropLast()) }
                let offset = knowsRanges && isSame ? start ?? 0 : 0
                var head = Response(statusCode: offset > 0 ? .partialContent : .ok, headers: headers)
                head.headers["ETag"] = tag
                if offset > 0 {
                    head.headers["Content-Range"] = "bytes \(offset)-\(content.count - 1)/\(content.count)"
                }
                if offset > content.count { return .hasResponse(Response(statusCode: .rangeNotSatisfiable)) }
                let rest = content.dropFirst(offset)
                let end = breaks()
                let breaksOff = end.map { $0 < rest.count } == true
                let chunks = rest.prefix(end ?? rest.count).chunks(of: 1_000)
                return .open(head, chunks, then: breaksOff ? Fixture.lost : nil)
            }
        }
    }

    /// Continues at once, as often as needed.
    private static let resuming = resuming(attempts: 1_000)

    private static func resuming(attempts: Int) -> Wrapper {
        .resumeDownloads(Backoff { $0.number < attempts ? .zero : nil })
    }

    /// Returns the content of the file after a download that is continued until it succeeds.
    private func download(_ connector: Connector) async throws -> Data? {
        try await withFolder { folder async throws in
            let file = folder.appendingPathComponent("f")
            let fetched = await Endpoint.download(.get("https://a.example/f"), to: file)
                .fetch(via: connector.wrapped(by: Self.resuming))
            guard fetched.right != nil else { return nil }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["f"])
            return try Data(contentsOf: file)
        }
    }

    /// Returns each of these lengths once, to break off there, and then nil.
    private func breaking(at lengths: Int...) -> @Sendable () -> Int? {
        let rest = Mutex(lengths)
        return { rest.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
    }

    @Test("only the rest is requested")
    func rest() async throws {
        let server = FileServer(breaks: breaking(at: 30_000, 20_000))
        #expect(try await download(server.connector) == Self.content)
        #expect(server.asked.elements == [nil, "bytes=30000-", "bytes=50000-"])
    }

    @Test("a download with random interruptions is byte-identical", arguments: 0..<50)
    func randomCuts(_ seed: Int) async throws {
        let server = FileServer(breaks: { Bool.random() ? nil : .random(in: 0...40_000) })
        #expect(try await download(server.connector) == Self.content)
    }

    @Test("a download that meanwhile has another version is written from the beginning")
    func otherVersion() async throws {
        let count = Mutex(0)
        let server = FileServer(
            tag: {
                count.withLock {
                    $0 += 1; return "\"v\($0)\""
                }
            },
            breaks: breaking(at: 30_000, 30_000)
        )
        #expect(try await download(server.connector) == Self.content)
    }

    @Test("a server without range support sends the whole file, which is written from the beginning")
    func noRanges() async throws {
        let server = FileServer(knowsRanges: false, breaks: breaking(at: 30_000))
        #expect(try await download(server.connector) == Self.content)
    }

    @Test(
        "without a strong validator, the whole file is requested",
        arguments: [(nil, [:]), ("W/\"v1\"", [:]), ("\"v1\"", ["Content-Encoding": "gzip"])] as [(String?, HTTPHeaders)]
    )
    func noValidator(_ tag: String?, _ headers: HTTPHeaders) async throws {
        let server = FileServer(tag: { tag }, headers: headers, breaks: breaking(at: 30_000))
        #expect(try await download(server.connector) == Self.content)
        #expect(server.asked.elements == [nil, nil])
    }

    @Test("a request with its own Range, of another method or into memory is not changed")
    func unchanged() async {
        let sent = Recorder<Input>()
        let connector = Connector.stub(.hasResponse(Fixture.ok), recording: sent).wrapped(by: .resumeDownloads())
        let inputs = [
            Input(url: Fixture.url), Input(url: Fixture.url, headers: ["Range": "bytes=0-9"], delivery: .stream),
            Input(url: Fixture.url, methodAndPayload: .post(payload: nil), delivery: .stream),
        ]
        for input in inputs { _ = await WebAPI.call(with: input, via: connector) }
        #expect(sent.elements == inputs)
    }

    /// Continues once.
    private static func once() -> Wrapper {
        let count = Mutex(0)
        return .resumeDownloads(
            Backoff { _ in
                count.withLock { count in
                    count += 1
                    return count == 1 ? .zero : nil
                }
            }
        )
    }

    /// Returns the error and the file names of a 6-byte download that breaks off after 3 bytes and continues with this
    /// part.
    private func resumed(_ headers: HTTPHeaders, _ rest: String) async throws -> (ConnectionError?, [String]) {
        let attempts = Recorder<Void>()
        let connector = Connector { _ in
            attempts.append(())
            let isFirst = attempts.elements.count == 1
            let head =
                isFirst
                ? Response(statusCode: .ok, headers: ["ETag": "\"v1\"", "Content-Length": "6"])
                : Response(statusCode: .partialContent, headers: headers)
            return .open(head, [(isFirst ? "abc" : rest).utf8], then: isFirst ? Fixture.lost : nil)
        }
        return try await withFolder { folder async throws in
            let fetched = await Endpoint.download(.get("https://a.example/f"), to: folder.appendingPathComponent("f"))
                .fetch(via: connector.wrapped(by: Self.once()))
            return (fetched.left?.left, try FileManager.default.contentsOfDirectory(atPath: folder.path))
        }
    }

    @Test("a rest that completes the file gives a complete file", arguments: ["bytes 3-5/6", "bytes 3-5/*"])
    func wholeRest(_ range: String) async throws {
        let (error, names) = try await resumed(["Content-Range": range, "ETag": "\"v1\""], "def")
        #expect(error == nil)
        #expect(names == ["f"])
    }

    @Test(
        "a rest that does not complete the file is an error, and no file",
        arguments: [("bytes 3-4/6", "de"), ("bytes 3-5/6", "de"), ("bytes 3-5/*", "de"), ("bytes 3-4/*", "de")]
    )
    func shortRest(_ range: String, _ rest: String) async throws {
        let (error, names) = try await resumed(["Content-Range": range, "ETag": "\"v1\""], rest)
        #expect(error?.name == "connectionLost")
        #expect(error?.cause?.partial?.headers["Content-Range"] == range)
        #expect(names.isEmpty)
    }

    @Test(
        "a part with another range or version, or a compressed one, is an error, and no file",
        arguments: [
            ["Content-Range": "bytes 2-5/6"], ["Content-Range": "bytes 3-5/6", "ETag": "\"v2\""],
            ["Content-Range": "bytes 3-5/6", "ETag": "\"v1\"", "Content-Encoding": "gzip"], [:],
            ["Content-Range": "bytes 3-5/6"],
        ] as [HTTPHeaders]
    )
    func wrongRest(_ headers: HTTPHeaders) async throws {
        let (error, names) = try await resumed(headers, "def")
        #expect(error?.name == "malformedResponse")
        #expect(names.isEmpty)
    }

    /// Returns a server that supports `Range` but not `If-Range`, and has another version for each request.
    private func forgetful(inParts: Bool, _ asked: Recorder<String?>) -> Connector {
        Connector { input in
            let range = input.headers["Range"]
            asked.append(range)
            let (version, text) = [("1", "abcdef"), ("2", "ghijkl"), ("3", "mnopqr")][min(asked.elements.count, 3) - 1]
            var head = Response(statusCode: range == nil ? .ok : .partialContent, headers: ["ETag": "\"v\(version)\""])
            if range != nil { head.headers["Content-Range"] = "bytes 3-5/6" }
            let payload = Data((range == nil ? text : String(text.suffix(3))).utf8)
            if !inParts, asked.elements.count > 1 {
                head.payload = payload
                return .hasResponse(head)
            }
            let isFirst = asked.elements.count == 1
            return .open(head, [isFirst ? payload.prefix(3) : payload], then: isFirst ? Fixture.lost : nil)
        }
    }

    @Test(
        "after a rest of another version, from a server without If-Range, the whole file is requested",
        arguments: [true, false]
    )
    func otherRest(inParts: Bool) async throws {
        let asked = Recorder<String?>()
        #expect(try await download(forgetful(inParts: inParts, asked)) == Data("mnopqr".utf8))
        #expect(asked.elements == [nil, "bytes=3-", nil])
    }

    @Test("after a rest of another version, nothing more is requested once the call is cancelled")
    func cancelledRest() async throws {
        let asked = Recorder<String?>()
        let cancelling = Wrapper { input, next in
            let output = await next(input)
            guard asked.elements.count == 2 else { return output }
            withUnsafeCurrentTask { $0?.cancel() }
            return .noResponse(.cancelled)
        }
        let connector = forgetful(inParts: true, asked).wrapped(by: Self.resuming, cancelling)
        try await withFolder { folder async throws in
            let file = folder.appendingPathComponent("f")
            let endpoint = Endpoint.download(.get("https://a.example/f"), to: file)
            #expect(await Task { await endpoint.fetch(via: connector) }.value == .left(.left(.cancelled)))
        }
        #expect(asked.elements == [nil, "bytes=3-"])
    }

    @Test(
        "a rest that ends early (RFC 9110 15.3.7) is continued by the next request",
        arguments: [true, false]
    )
    func earlyRest(inParts: Bool) async throws {
        let asked = Recorder<String?>()
        let connector = Connector { input in
            asked.append(input.headers["Range"])
            let (offset, text) = [(0, "abc"), (3, "de"), (5, "f")][min(asked.elements.count, 3) - 1]
            var head = Response(statusCode: offset > 0 ? .partialContent : .ok, headers: ["ETag": "\"v1\""])
            if offset > 0 { head.headers["Content-Range"] = "bytes \(offset)-\(offset + text.count - 1)/6" }
            if !inParts, offset == 5 {
                head.payload = Data(text.utf8)
                return .hasResponse(head)
            }
            return .open(head, [text.utf8], then: offset == 0 ? Fixture.lost : nil)
        }
        #expect(try await download(connector) == Data("abcdef".utf8))
        #expect(asked.elements == [nil, "bytes=3-", "bytes=5-"])
    }

    @Test("a request for the rest that fails is retried by a wrapper inside, without another resumption")
    func retriedInside() async throws {
        let asked = Recorder<String?>()
        let connector = Connector { input in
            asked.append(input.headers["Range"])
            let isRest = input.headers.contains("Range")
            if asked.elements.count == 2 { return .status(.serviceUnavailable) }
            var head = Response(statusCode: isRest ? .partialContent : .ok, headers: ["ETag": "\"v1\""])
            if isRest { head.headers["Content-Range"] = "bytes 3-5/6" }
            return .open(head, [(isRest ? "def" : "abc").utf8], then: isRest ? nil : Fixture.lost)
        }
        let log = EventLog()
        try await withFile(Data()) { file async throws in
            let retrying = connector.wrapped(by: .listen(to: log.listener), Self.once(), .retry(random: { 0 }))
            let fetched = await Endpoint.download(.get("https://a.example/f"), to: file).fetch(via: retrying)
            #expect(fetched == .right(file))
            #expect(try Data(contentsOf: file) == Data("abcdef".utf8))
        }
        #expect(asked.elements == [nil, "bytes=3-", "bytes=3-"])
        #expect(log.events.map(\.name).filter { ["resuming", "retrying"].contains($0) } == ["resuming", "retrying"])
    }

    @Test("a response to the request for the rest that is no success is the response of the download")
    func refusedRest() async throws {
        let refused = Response(statusCode: .gone, payload: Data("gone".utf8))
        let connector = Connector { input in
            if input.headers.contains("Range") { return .hasResponse(refused) }
            return .open(Response(statusCode: .ok, headers: ["ETag": "\"v1\""]), ["abc".utf8], then: Fixture.lost)
        }
        try await withFolder { folder async throws in
            let file = folder.appendingPathComponent("f")
            let fetched = await Endpoint.download(.get("https://a.example/f"), to: file)
                .fetch(via: connector.wrapped(by: Self.resuming))
            #expect(fetched == .left(.right(.unexpectedStatusCode(refused))))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }

    @Test("the delays before the requests follow the backoff, whose attempts count from the last new byte on")
    func delays() async throws {
        let clock = ManualClock()
        let asked = Recorder<Int>()
        let numbers = Recorder<Int>()
        // A byte with every second request.
        let connector = Connector { input in
            let start = input.headers["Range"].flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0
            asked.append(start)
            if asked.elements.count.isMultiple(of: 2) { return .noResponse(Fixture.lost) }
            var head = Response(statusCode: start > 0 ? .partialContent : .ok, headers: ["ETag": "\"v1\""])
            if start > 0 { head.headers["Content-Range"] = "bytes \(start)-3/4" }
            return .open(head, [["abcd".utf8.dropFirst(start).first!]], then: Fixture.lost)
        }
        let backoff = Backoff { attempt in
            numbers.append(attempt.number)
            return attempt.number < 3 ? .seconds(attempt.number) : nil
        }
        let hurry = Task {
            while !Task.isCancelled {
                await clock.waitForSleepers(count: 1)
                clock.advance(by: .seconds(1))
            }
        }
        defer { hurry.cancel() }
        try await withFile(Data()) { file async throws in
            let resuming = connector.wrapped(by: .resumeDownloads(backoff, clock: clock))
            let fetched = await Endpoint.download(.get("https://a.example/f"), to: file).fetch(via: resuming)
            #expect(fetched == .right(file))
            #expect(try Data(contentsOf: file) == Data("abcd".utf8))
        }
        #expect(asked.elements == [0, 1, 1, 2, 2, 3, 3])
        #expect(numbers.elements == [1, 2, 1, 2, 1, 2])
    }

    // Progress.

    /// Returns the progress of a 6-byte download that breaks off after 3 and continues with this head and progress.
    private func receivedProgress(
        _ head: Response,
        _ progress: StartSmall.TransferProgress
    ) async throws -> [StartSmall.TransferProgress] {
        let attempts = Recorder<Void>()
        let connector = Connector { input, context in
            attempts.append(())
            let isFirst = attempts.elements.count == 1
            let head = isFirst ? Response(statusCode: .ok, headers: ["ETag": "\"v1\""]) : head
            let firstProgress = StartSmall.TransferProgress(received: .init(bytes: 3, total: 6))
            let report = { @Sendable in context.report(.progress(isFirst ? firstProgress : progress)) }
            if !head.statusCode.isSuccess { report() }
            return .open(head, ["abc".utf8], then: isFirst ? Fixture.lost : nil) { _ in
                if head.statusCode.isSuccess { report() }
            }
        }
        let log = EventLog()
        try await withFolder { folder async throws in
            let wrapped = connector.wrapped(by: .listen(to: log.listener), Self.resuming)
            let file = folder.appendingPathComponent("f")
            _ = await Endpoint.download(.get("https://a.example/f"), to: file).fetch(via: wrapped)
        }
        return log.events.compactMap { if case .progress(let progress) = $0 { progress } else { nil } }
    }

    private static let rest = Response(
        statusCode: .partialContent,
        headers: ["Content-Range": "bytes 3-5/6", "ETag": "\"v1\""]
    )

    @Test(
        "progress continues at the resumed offset, with a total if that of the rest is known",
        arguments: [
            (2, 3, 5, 6), (3, 3, 6, 6), (3, nil, 6, nil), (3, .max, 6, .max),
        ] as [(Int64, Int64?, Int64, Int64?)]
    )
    func progress(_ bytes: Int64, _ total: Int64?, _ bytesInAll: Int64, _ totalInAll: Int64?) async throws {
        let reported = StartSmall.TransferProgress(
            sent: .init(bytes: 1, total: 1),
            received: .init(bytes: bytes, total: total)
        )
        let received = StartSmall.TransferProgress.Count(bytes: bytesInAll, total: totalInAll)
        let expected = StartSmall.TransferProgress(attempt: 2, sent: reported.sent, received: received)
        #expect(try await receivedProgress(Self.rest, reported).last == expected)
    }

    @Test(
        "progress of a download that restarts, or is refused, starts at zero",
        arguments: [Response(statusCode: .ok), Response(statusCode: .notFound)]
    )
    func progressAnew(_ head: Response) async throws {
        let reported = StartSmall.TransferProgress(received: .init(bytes: 3, total: 3))
        let expected = StartSmall.TransferProgress(attempt: 2, received: reported.received)
        #expect(try await receivedProgress(head, reported).last == expected)
    }

    @Test(
        "after 416 (range not satisfiable), the whole file is requested, even if its payload is broken",
        arguments: [Output.hasResponse(Response(statusCode: .rangeNotSatisfiable))]
            + BrokenPayload.all.map { $0.output(.rangeNotSatisfiable) }
    )
    func notSatisfiable(_ refusal: Output) async throws {
        let asked = Recorder<String?>()
        let connector = Connector { input in
            asked.append(input.headers["Range"])
            let head = Response(statusCode: .ok, headers: ["ETag": "\"v1\""])
            if input.headers.contains("Range") { return refusal }
            return .open(head, ["abc".utf8], then: asked.elements.count == 1 ? Fixture.lost : nil)
        }
        #expect(try await download(connector) == Data("abc".utf8))
        #expect(asked.elements == [nil, "bytes=3-", nil])
    }

    @Test(
        "over a socket: the rest after an interruption is requested, and completes the file",
        arguments: EngineUnderTest.all
    )
    func loopback(engine: EngineUnderTest) async throws {
        let (whole, tag) = ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n", "ETag: \"v1\"\r\n\r\n")
        let rest = "HTTP/1.1 206 Partial Content\r\nContent-Length: 5\r\nContent-Range: bytes 5-9/10\r\n"
        let scripts: [[ServerScriptStep]] = [
            [.receiveRequest, .send(whole + tag + "hello"), .close], [.receiveRequest, .send(rest + tag + "world")],
        ]
        let log = EventLog()
        try await withFolder { folder async throws in
            let file = folder.appendingPathComponent("f")
            try await LoopbackServer.playing({ scripts[min($0, 1)] }) { server in
                let connector = engine.connector()
                    .wrapped(by: .listen(to: log.listener), Self.resuming)
                let endpoint = Endpoint.download(.get(server.url.absoluteString), to: file)
                #expect(await endpoint.fetch(via: connector) == .right(file))
                let asked = server.received.elements.map { RawMessage($0).headers }
                #expect(asked.map { $0["Range"] } == [nil, "bytes=5-"])
                #expect(asked.map { $0["If-Range"] } == [nil, "\"v1\""])
            }
            #expect(try Data(contentsOf: file) == Data("helloworld".utf8))
        }
        let counts = log.events.compactMap { if case .progress(let progress) = $0 { progress.received } else { nil } }
        #expect(counts.map(\.bytes) == counts.map(\.bytes).sorted())
        #expect(counts.last == StartSmall.TransferProgress.Count(bytes: 10, total: 10))
        #expect(counts.allSatisfy { $0.total == 10 })
    }

    @Test(
        "over a socket: a rest of another version requests the whole file, and one that ends early is continued",
        arguments: EngineUnderTest.all
    )
    func unfitRests(engine: EngineUnderTest) async throws {
        let whole = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n"
        let part = { (range: String, tag: String, text: String) in
            let length = "Content-Length: \(text.count)\r\nContent-Range: bytes \(range)/10\r\n"
            return "HTTP/1.1 206 Partial Content\r\n\(length)ETag: \"\(tag)\"\r\nConnection: close\r\n\r\n\(text)"
        }
        let answers = [
            "\(whole)ETag: \"v1\"\r\n\r\nhello", part("5-9", "v2", "there"), "\(whole)ETag: \"v3\"\r\n\r\nHELLO",
            part("5-7", "v3", "WOR"), part("8-9", "v3", "LD"),
        ]
        try await withFolder { folder async throws in
            let file = folder.appendingPathComponent("f")
            try await LoopbackServer.playing({ [.receiveRequest, .send(answers[min($0, 4)]), .close] }) { server in
                let connector = engine.connector().wrapped(by: Self.resuming)
                let endpoint = Endpoint.download(.get(server.url.absoluteString), to: file)
                #expect(await endpoint.fetch(via: connector) == .right(file))
                let asked = server.received.elements.map { RawMessage($0).headers["Range"] }
                #expect(asked == [nil, "bytes=5-", nil, "bytes=5-", "bytes=8-"])
            }
            #expect(try Data(contentsOf: file) == Data("HELLOWORLD".utf8))
        }
    }
}

extension Data {
    fileprivate func chunks(of size: Int) -> [Data] {
        stride(from: startIndex, to: endIndex, by: size).map { self[$0..<Swift.min($0 + size, endIndex)] }
    }
}
