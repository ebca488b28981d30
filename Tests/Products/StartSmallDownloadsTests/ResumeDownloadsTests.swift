import Foundation
import StartSmallCore
import StartSmall
import StartSmallDownloads
import StartSmallTesting
import TestSupport
import Testing

/// The integrity of downloads: a file has all of the server's bytes of one version, or the download is an error.
struct ResumeDownloadsTests {
    private static let content = Data((0..<20).map { UInt8(ascii: "a") + $0 })

    /// Continues at once, up to three times without a new byte.
    private static let resuming = Wrapper.resumeDownloads(Backoff { $0.number < 4 ? .zero : nil })

    /// A connector's answer to one attempt: a head, these bytes, and then the end of the response or of the connection.
    private struct Answer: Sendable {
        var head: Response
        var bytes: Data
        var breaks = false

        /// Returns the whole file, with only this many bytes delivered.
        static func whole(_ count: Int = 20, tag: String = "\"v1\"", fields: HTTPHeaders = [:]) -> Answer {
            var head = Response(statusCode: .ok, headers: ["ETag": tag, "Content-Length": "20"])
            for field in fields.fields { head.headers[field.name] = field.value }
            return Answer(head: head, bytes: content.prefix(count), breaks: count < content.count)
        }

        static func part(_ range: String?, _ bytes: Data, _ fields: HTTPHeaders = ["ETag": "\"v1\""]) -> Answer {
            var head = Response(statusCode: .partialContent, headers: fields)
            head.headers["Content-Range"] = range
            return Answer(head: head, bytes: bytes)
        }

        static let unsatisfiable = Answer(head: Response(statusCode: .rangeNotSatisfiable), bytes: Data(), breaks: true)

        var output: Output { .open(head, [bytes], then: breaks ? Fixture.lost : nil) }
    }

    /// Returns a connector that gives the answers in order, repeats the last one, and records the requested ranges.
    private static func connector(_ answers: [Answer], _ asked: Recorder<String?>) -> Connector {
        Connector { input in
            asked.append(input.headers["Range"])
            return answers[min(asked.elements.count, answers.count) - 1].output
        }
    }

    /// Returns the content of a file that was `old`, and the requested ranges.
    private func download(
        _ answers: [Answer],
        headers: HTTPHeaders = [:],
        by wrappers: Wrapper...
    ) async throws -> (file: Data, error: ConnectionError?, asked: [String?]) {
        let asked = Recorder<String?>()
        let connector = Self.connector(answers, asked).wrapped(by: .all(wrappers))
        let input = Input(url: Fixture.url, headers: headers)
        let download = try await Download(input, replacing: "old", via: connector)
        return (download.content ?? Data(), download.error, asked.elements)
    }

    private static let v2 = "\"v2\""

    @Test(
        "a download that meanwhile has another version is written from the beginning",
        arguments: [
            ([.whole(3), .whole(2, tag: v2), .whole(tag: v2)], [nil, "bytes=3-", "bytes=2-"]),
            // A server without range support.
            ([.whole(3), .whole(5), .whole()], [nil, "bytes=3-", "bytes=5-"]),
            // Without a strong validator, the whole file is requested.
            ([.whole(3, tag: "W/\"v1\""), .whole()], [nil, nil]),
            ([.whole(3, fields: ["Content-Encoding": "gzip"]), .whole()], [nil, nil]),
            // After 416 (range not satisfiable), too, even if its payload is broken.
            ([.whole(3), .unsatisfiable, .whole()], [nil, "bytes=3-", nil]),
        ] as [([Answer], [String?])]
    )
    private func otherVersion(_ answers: [Answer], _ expected: [String?]) async throws {
        let (file, error, asked) = try await download(answers, by: Self.resuming)
        #expect(file == Self.content && error == nil)
        #expect(asked == expected)
    }

    @Test(
        "a rest that can't be the right one is not accepted, and the whole file is requested",
        arguments: isExhaustive ? Array(2..<19) : [2, 11, 18]
    )
    func wrongRest(_ cut: Int) async throws {
        let rest = Self.content.dropFirst(cut)
        let answers: [Answer] = [
            .part("bytes \(cut)-19/21", rest), .part("bytes \(cut)-20/21", rest + Data("z".utf8)),
            .part("bytes \(cut)-20/*", rest + Data("z".utf8)), .part("bytes \(cut)-18/19", rest.dropLast()),
            .part("bytes \(cut + 1)-19/20", rest.dropFirst()), .part("bytes \(cut - 1)-19/20", rest), .part(nil, rest),
            .part("bytes \(cut)-19/20", rest, [:]), .part("bytes \(cut)-19/20", rest, ["ETag": "\"v2\""]),
            .part("bytes \(cut)-19/20", rest, ["ETag": "W/\"v1\""]), .part("bytes \(cut)-19/20", rest + Data("z".utf8)),
            .part("bytes \(cut)-19/20", rest, ["ETag": "\"v1\"", "Content-Encoding": "gzip"]),
            .part("bytes */20", rest), .part("items \(cut)-19/20", rest), .part("bytes \(cut)-18/*", rest),
        ]
        for answer in answers {
            let (file, error, asked) = try await download([.whole(cut), answer, .whole()], by: Self.resuming)
            #expect(file == Self.content && error == nil, "\(answer)")
            #expect(asked == [nil, "bytes=\(cut)-", nil], "\(answer)")
            let alone = try await download([.whole(cut), answer], by: Self.resuming)
            #expect(alone.error?.name == "malformedResponse" && alone.file == Data("old".utf8), "\(answer)")
        }
    }

    @Test("a part that ends early does not complete the file, even without a total", arguments: [1, 10, 18])
    func starAndTooShort(_ cut: Int) async throws {
        for range in ["\(cut)-\(cut)/*", "\(cut)-\(cut)/20", "\(cut)-19/*", "\(cut)-19/20"] {
            let part = Answer.part("bytes \(range)", Self.content[cut...cut])
            let (file, error, _) = try await download([.whole(cut), part], by: Self.resuming)
            #expect(file == Data("old".utf8) && error != nil)
            let (whole, none, asked) = try await download([.whole(cut), part, .whole()], by: Self.resuming)
            #expect(whole == Self.content && none == nil)
            #expect(asked == [nil, "bytes=\(cut)-", "bytes=\(cut + 1)-"])
        }
    }

    @Test("an unrequested part replaces no file", arguments: [true, false])
    func unasked(_ resumes: Bool) async throws {
        for range in ["bytes 0-2/20", "bytes 0-19/20", nil] {
            let part = Answer.part(range, Self.content.prefix(range == "bytes 0-2/20" ? 3 : 20))
            let (file, error, _) = try await download([part], by: resumes ? Self.resuming : .retry(.never))
            #expect(file == Data("old".utf8) && error?.name == "malformedResponse")
        }
    }

    @Test(
        "a part that the request itself asked for is the file, if it has the requested range",
        arguments: [
            ("bytes=2-4", "bytes 2-4/20", true), ("bytes=2-", "bytes 2-4/5", true),
            ("bytes=-3", "bytes 17-19/20", true),
            ("bytes=2-9", "bytes 2-4/20", true), ("bytes=2-4", "bytes 3-5/20", false),
            ("bytes=2-3", "bytes 2-4/20", false),
            ("bytes=2-4", nil, false), ("bytes=-3", "bytes 2-4/20", false), ("bytes=2-4", "bytes 2-5/20", false),
            ("bytes=2-4", "bytes 2-3/20", false), ("bytes=0-0,2-2", nil, true),
        ] as [(String, String?, Bool)]
    )
    func ownRange(_ asked: String, _ range: String?, _ isTaken: Bool) async throws {
        let part = Answer.part(range, Data("cde".utf8))
        let (file, error, _) = try await download([part], headers: ["Range": asked])
        #expect(file == Data((isTaken ? "cde" : "old").utf8))
        #expect((error == nil) == isTaken)
        let adding = Wrapper { input, next in await next(input.with { $0.headers["Range"] = asked }) }
        #expect(try await download([part], by: adding).file == file)
    }

    @Test("a rest that a wrapper got from another mirror is not accepted", arguments: ["1", "2"])
    func otherMirror(_ mirror: String) async throws {
        var (first, rest) = (Answer.whole(3), Answer.part("bytes 3-19/20", Self.content.dropFirst(3)))
        first.head.url = URL(string: "https://mirror1.example/f#a")
        rest.head.url = URL(string: "https://mirror\(mirror).example/f#b")
        let (file, _, asked) = try await download([first, rest, .whole()], by: Self.resuming)
        #expect(file == Self.content && asked == [nil, "bytes=3-"] + (mirror == "1" ? [] : [nil]))
    }

    @Test("a Last-Modified date is used as a validator if it is strong", arguments: [60, 59])
    func lastModified(_ seconds: Int) async throws {
        let (date, modified) = (Date(timeIntervalSince1970: 1_700_000_000), "Tue, 14 Nov 2023 22:13:20 GMT")
        let sent = HTTPDate.text(date.addingTimeInterval(Double(seconds)))
        var first = Answer.whole(3, fields: ["Last-Modified": modified, "Date": sent])
        first.head.headers["ETag"] = nil
        let isStrong = seconds >= 60
        let rest = Answer.part("bytes 3-19/20", Self.content.dropFirst(3), ["Last-Modified": modified])
        let (file, _, asked) = try await download([first, isStrong ? rest : .whole()], by: Self.resuming)
        #expect(file == Self.content && asked == [nil, isStrong ? "bytes=3-" : nil])
        if !isStrong { return }
        let other = Answer.part("bytes 3-19/20", Self.content.dropFirst(3), ["Last-Modified": sent])
        #expect(try await download([first, other, .whole()], by: Self.resuming).asked.count == 3)
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
        let sent = StartSmallCore.TransferProgress.Count(bytes: 1, total: 1)
        let connector = Connector { input, context in
            attempts.append(())
            let isFirst = attempts.elements.count == 1
            let head = isFirst ? Response(statusCode: .ok, headers: ["ETag": "\"v1\""]) : head
            let first = StartSmallCore.TransferProgress(received: .init(bytes: 3, total: 6))
            let second = StartSmallCore.TransferProgress(sent: sent, received: .init(bytes: bytes, total: total))
            let report = { @Sendable in context.report(.progress(isFirst ? first : second)) }
            if !head.statusCode.isSuccess { report() }
            return .open(head, ["abc".utf8], then: isFirst ? Fixture.lost : nil) { _ in
                if head.statusCode.isSuccess { report() }
            }
        }
        let log = EventLog()
        _ = try await Download(via: connector.wrapped(by: .listen(to: log.listener), Self.resuming))
        let last = log.events.progress.last
        let received = StartSmallCore.TransferProgress.Count(bytes: allBytes, total: wholeTotal)
        // A 200 that can't be compared is no answer to a request for the rest: the whole is requested then.
        let attempt = head.statusCode == .ok ? 3 : 2
        #expect(last == StartSmallCore.TransferProgress(attempt: attempt, sent: sent, received: received))
    }
}

/// Streams that continue after a break.
@Suite(.timeLimit(.minutes(1))) struct ResumedStreamTests {
    private static let resuming = Wrapper.resumeDownloads(Backoff { $0.number < 3 ? .zero : nil })
    private static let input = Fixture.input.with { $0.delivery = .stream }

    private static func head(_ start: Int = 0) -> Response {
        var head = Response(statusCode: start > 0 ? .partialContent : .ok, headers: ["ETag": "\"v1\""])
        if start > 0 { head.headers["Content-Range"] = "bytes \(start)-5/6" }
        return head
    }

    private func connector(_ rest: Output, asked: Recorder<String?>, tag: String = "\"v1\"") -> Connector {
        Connector { input in
            asked.append(input.headers["Range"])
            if input.headers.contains("Range") { return rest }
            return .open(Response(statusCode: .ok, headers: ["ETag": tag]), ["abc".utf8], then: Fixture.lost)
        }
    }

    @Test(
        "a stream continues with the rest of its version, if its validator is strong",
        arguments: [true, false],
        [.open(head(3), ["def".utf8]), .hasResponse(head(3).with(payload: Data("def".utf8)))] as [Output]
    )
    func rest(_ isStrong: Bool, _ rest: Output) async {
        let asked = Recorder<String?>()
        let server = connector(rest, asked: asked, tag: isStrong ? "\"v1\"" : "W/\"v1\"")
        let read = await ReadOutput(await WebAPI.call(with: Self.input, via: server.wrapped(by: Self.resuming)))
        #expect(read.text == (isStrong ? "abcdef" : "abc"))
        #expect(read.error?.name == (isStrong ? nil : "connectionLost"))
        #expect(asked.elements == (isStrong ? [nil, "bytes=3-"] : [nil]))
    }

    @Test(
        "a stream ends at once while its rest is asked for, and a rest that comes later is discarded",
        arguments: [nil] + EndFromOutside.allCases
    )
    func endedMeanwhile(_ way: EndFromOutside?) async {
        let (asked, go, discarded) = (Latch(), Latch(), Latch())
        let server = Connector { input in
            guard input.headers.contains("Range") else {
                return .open(Self.head(), ["abc".utf8], then: Fixture.lost)
            }
            asked.open()
            // An engine that ignores its cancellation.
            await Task.detached { await go.wait() }.value
            let output = Output.open(Self.head(3), ["def".utf8])
            output.onEnd { if $0 == .discarded { discarded.open() } }
            return output
        }
        let ends = Recorder<ResponseBody.End>()
        var output: Output? = await WebAPI.call(with: Self.input, via: server.wrapped(by: Self.resuming))
        output?.onEnd { ends.append($0) }
        let body = output?.response?.body
        output = nil
        let reader = Task {
            _ = await body?.read()
            return await body?.read()
        }
        await asked.wait()
        if let way, let body { way.end(body) } else { reader.cancel() }
        #expect(await reader.value == way?.result ?? .failure(.cancelled))
        #expect(ends.elements == [way?.end ?? .failed(.cancelled)])
        go.open()
        await discarded.wait()
    }

    @Test("the end of a stream inside ends the stream while nobody reads, unless it can continue")
    func endedInside() async {
        let inner = Recorder<ResponseBody>()
        let keeping = Wrapper { input, next in
            let output = await next(input)
            if let body = output.response?.body { inner.append(body) }
            return output
        }
        for (error, isOver) in [(Fixture.lost, false), (ConnectionError.cancelled, true)] {
            let ends = Recorder<ResponseBody.End>()
            let server = Connector { _ in .open(Self.head(), ["abc".utf8], silent: true) }
            let output = await WebAPI.call(with: Self.input, via: server.wrapped(by: Self.resuming, keeping))
            output.onEnd { ends.append($0) }
            inner.elements.last?.interrupt(with: error)
            #expect(ends.elements == (isOver ? [.failed(error)] : []))
            output.response?.body?.discard()
        }
    }
}

extension Response {
    fileprivate func with(payload: Data) -> Response {
        var response = self
        response.payload = payload
        return response
    }
}
