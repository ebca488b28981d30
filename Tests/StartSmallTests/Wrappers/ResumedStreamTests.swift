import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// Streams that continue after a break.
@Suite(.timeLimit(.minutes(1))) struct ResumedStreamTests {
    private static let resuming = Wrapper.resumeDownloads(Backoff { $0.number < 3 ? .zero : nil })
    private static let input = Fixture.input.with { $0.delivery = .stream }

    private static func head(_ start: Int = 0, tag: String = "v1") -> Response {
        var head = Response(statusCode: start > 0 ? .partialContent : .ok, headers: ["ETag": "\"\(tag)\""])
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

    @Test("a stream continues with the rest of its version, if its validator is strong", arguments: [true, false])
    func rest(_ isStrong: Bool) async {
        let asked = Recorder<String?>()
        let tag = isStrong ? "\"v1\"" : "W/\"v1\""
        let server = connector(.open(Self.head(3), ["def".utf8]), asked: asked, tag: tag)
        let read = await ReadOutput(await WebAPI.call(with: Self.input, via: server.wrapped(by: Self.resuming)))
        #expect(read.text == (isStrong ? "abcdef" : "abc"))
        #expect(read.error?.name == (isStrong ? nil : "connectionLost"))
        #expect(asked.elements == (isStrong ? [nil, "bytes=3-"] : [nil]))
    }

    @Test(
        "a stream whose rest is of another version, or is none, fails after its bytes so far",
        arguments: [
            .open(Self.head(tag: "v2"), ["ABCDEF".utf8]), .open(Self.head(3, tag: "v2"), ["DEF".utf8]),
            .open(Self.head(2), ["cdef".utf8]), .status(.rangeNotSatisfiable), .open(Self.head(), ["abcdef".utf8]),
            .status(.unauthorized),
        ] as [Output]
    )
    func otherRest(_ rest: Output) async {
        let asked = Recorder<String?>()
        let server = connector(rest, asked: asked)
        let read = await ReadOutput(await WebAPI.call(with: Self.input, via: server.wrapped(by: Self.resuming)))
        #expect(read.text == "abc" && read.error?.name == "connectionLost")
        #expect(asked.elements == [nil, "bytes=3-"])
        // The error keeps no body.
        #expect(read.error?.response?.body == nil)
    }

    @Test(
        "a stream ends at once while its rest is asked for, and a rest that comes later is discarded",
        arguments: [nil] + ResponseBodyTests.Way.allCases
    )
    func endedMeanwhile(_ way: ResponseBodyTests.Way?) async {
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

    @Test("a stream ends while it waits for the request for its rest")
    func endedInDelay() async {
        let clock = ManualClock()
        let server = connector(.open(Self.head(3), ["def".utf8]), asked: Recorder())
        let resuming = server.wrapped(by: .resumeDownloads(Backoff { _ in .seconds(9) }, clock: clock))
        let body = await WebAPI.call(with: Self.input, via: resuming).response?.body
        let reader = Task {
            _ = await body?.read()
            return await body?.read()
        }
        await clock.waitForSleepers(count: 1)
        body?.interrupt(with: Fixture.lost)
        #expect(await reader.value == .failure(Fixture.lost))
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
