import Foundation
import StartSmall
import StartSmallTesting
import Testing

struct ResumeDownloadsTests {
    private static let content = String((0..<100).map { Character(UnicodeScalar(UInt8(ascii: "!") + $0 % 90)) })

    /// A server of one file, which breaks off twice: after 30 bytes and after 20 bytes.
    private struct FileServer: Sendable {
        var versions = ["\"v1\""] as [String?]
        var headers: HTTPHeaders = [:]
        var knowsRanges = true
        let asked = Recorder<String?>()

        var connector: Connector {
            Connector { input in
                asked.append(input.headers["Range"])
                let count = asked.elements.count
                let tag = versions[min(count, versions.count) - 1]
                let start = input.headers["Range"].flatMap { Int($0.dropFirst(6).dropLast()) }
                let offset = knowsRanges && input.headers["If-Range"] == tag ? start ?? 0 : 0
                var head = Response(statusCode: offset > 0 ? .partialContent : .ok, headers: headers)
                head.headers["ETag"] = tag
                if offset > 0 { head.headers["Content-Range"] = "bytes \(offset)-99/100" }
                let rest = content.utf8.dropFirst(offset)
                return count > 2
                    ? .open(head, [rest]) : .open(head, [rest.prefix([30, 20][count - 1])], then: Fixture.lost)
            }
        }
    }

    /// Continues at once, as often as needed.
    private static let resuming = Wrapper.resumeDownloads(Backoff { $0.number < 1_000 ? .zero : nil })

    private func expectWhole(_ server: FileServer, asking asked: [String?]) async throws {
        let download = try await Download(via: server.connector.wrapped(by: Self.resuming))
        #expect(download.text == Self.content && download.isAlone)
        #expect(server.asked.elements == asked)
    }

    @Test("only the rest is requested")
    func rest() async throws {
        try await expectWhole(FileServer(), asking: [nil, "bytes=30-", "bytes=50-"])
    }

    @Test("a download that meanwhile has another version is written from the beginning")
    func otherVersion() async throws {
        let server = FileServer(versions: ["\"v1\"", "\"v2\"", "\"v3\""])
        try await expectWhole(server, asking: [nil, "bytes=30-", "bytes=20-"])
    }

    @Test("a server without range support sends the whole file, which is written from the beginning")
    func noRanges() async throws {
        try await expectWhole(FileServer(knowsRanges: false), asking: [nil, "bytes=30-", "bytes=20-"])
    }

    @Test(
        "without a strong validator, the whole file is requested",
        arguments: [(nil, [:]), ("W/\"v1\"", [:]), ("\"v1\"", ["Content-Encoding": "gzip"])] as [(String?, HTTPHeaders)]
    )
    func noValidator(_ tag: String?, _ headers: HTTPHeaders) async throws {
        try await expectWhole(FileServer(versions: [tag], headers: headers), asking: [nil, nil, nil])
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

    /// Returns a server that supports `Range` but not `If-Range`, and has another version for each request.
    private func forgetful(inParts: Bool, _ asked: Recorder<String?>) -> Connector {
        Connector { input in
            let range = input.headers["Range"]
            asked.append(range)
            let (count, isRest) = (asked.elements.count, range != nil)
            let text = ["abc", "jkl", "mnopqr"][min(count, 3) - 1]
            var head = Response(statusCode: isRest ? .partialContent : .ok, headers: ["ETag": "\"v\(count)\""])
            if isRest { head.headers["Content-Range"] = "bytes 3-5/6" }
            if inParts || count == 1 { return .open(head, [text.utf8], then: count == 1 ? Fixture.lost : nil) }
            head.payload = Data(text.utf8)
            return .hasResponse(head)
        }
    }

    @Test(
        "after a rest of another version, from a server without If-Range, the whole file is requested",
        arguments: [true, false]
    )
    func otherRest(inParts: Bool) async throws {
        let asked = Recorder<String?>()
        let download = try await Download(via: forgetful(inParts: inParts, asked).wrapped(by: Self.resuming))
        #expect(download.text == "mnopqr")
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
        #expect(try await Download(via: connector).error == .cancelled)
        #expect(asked.elements == [nil, "bytes=3-"])
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
        let retrying = connector.wrapped(by: .listen(to: log.listener), Self.resuming, .retry(random: { 0 }))
        #expect(try await Download(via: retrying).text == "abcdef")
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
        let download = try await Download(via: connector.wrapped(by: Self.resuming))
        #expect(download.failure == .unexpectedStatusCode(refused))
        #expect(download.content == nil && download.isAlone)
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
        #expect(try await Download(via: connector.wrapped(by: .resumeDownloads(backoff, clock: clock))).text == "abcd")
        #expect(asked.elements == [0, 1, 1, 2, 2, 3, 3])
        #expect(numbers.elements == [1, 2, 1, 2, 1, 2])
    }

    // Progress.

    private static let restHead = Response(
        statusCode: .partialContent,
        headers: ["Content-Range": "bytes 3-5/6", "ETag": "\"v1\""]
    )

    @Test(
        "progress continues at the resumed offset, with a total if that of the rest is known, or starts at zero again",
        arguments: [
            (restHead, 2, 3, 5, 6), (restHead, 3, 3, 6, 6), (restHead, 3, nil, 6, nil), (restHead, 3, .max, 6, .max),
            (Response(statusCode: .ok), 3, 3, 3, 3), (Response(statusCode: .notFound), 3, 3, 3, 3),
        ] as [(Response, Int64, Int64?, Int64, Int64?)]
    )
    func progress(_ head: Response, _ bytes: Int64, _ total: Int64?, _ allBytes: Int64, _ wholeTotal: Int64?)
        async throws
    {
        let attempts = Recorder<Void>()
        let sent = StartSmall.TransferProgress.Count(bytes: 1, total: 1)
        let connector = Connector { input, context in
            attempts.append(())
            let isFirst = attempts.elements.count == 1
            let head = isFirst ? Response(statusCode: .ok, headers: ["ETag": "\"v1\""]) : head
            let first = StartSmall.TransferProgress(received: .init(bytes: 3, total: 6))
            let second = StartSmall.TransferProgress(sent: sent, received: .init(bytes: bytes, total: total))
            let report = { @Sendable in context.report(.progress(isFirst ? first : second)) }
            if !head.statusCode.isSuccess { report() }
            return .open(head, ["abc".utf8], then: isFirst ? Fixture.lost : nil) { _ in
                if head.statusCode.isSuccess { report() }
            }
        }
        let log = EventLog()
        _ = try await Download(via: connector.wrapped(by: .listen(to: log.listener), Self.resuming))
        let last = log.events.progress.last
        let received = StartSmall.TransferProgress.Count(bytes: allBytes, total: wholeTotal)
        #expect(last == StartSmall.TransferProgress(attempt: 2, sent: sent, received: received))
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
        #expect(try await Download(via: connector.wrapped(by: Self.resuming)).text == "abc")
        #expect(asked.elements == [nil, "bytes=3-", nil])
    }

    @Test(
        "over a socket: the rest after an interruption is requested, and completes the file",
        arguments: EngineUnderTest.namingErrors
    )
    func loopback(engine: EngineUnderTest) async throws {
        let (whole, tag) = ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n", "ETag: \"v1\"\r\n\r\n")
        let rest = "HTTP/1.1 206 Partial Content\r\nContent-Length: 5\r\nContent-Range: bytes 5-9/10\r\n"
        let scripts: [[ServerScriptStep]] = [
            [.receiveRequest, .send(whole + tag + "hello"), .close], [.receiveRequest, .send(rest + tag + "world")],
        ]
        let log = EventLog()
        try await LoopbackServer.playing({ scripts[min($0, 1)] }) { server in
            let connector = engine.connector().wrapped(by: .listen(to: log.listener), Self.resuming)
            let download = try await Download(Input(url: server.url), via: connector)
            #expect(download.text == "helloworld")
            let asked = server.received.elements.map { RawMessage($0).headers }
            #expect(asked.map { $0["Range"] } == [nil, "bytes=5-"])
            #expect(asked.map { $0["If-Range"] } == [nil, "\"v1\""])
        }
        let counts = log.events.progress.map(\.received)
        #expect(counts.map(\.bytes) == counts.map(\.bytes).sorted())
        #expect(counts.last == StartSmall.TransferProgress.Count(bytes: 10, total: 10))
        #expect(counts.allSatisfy { $0.total == 10 })
    }
}
