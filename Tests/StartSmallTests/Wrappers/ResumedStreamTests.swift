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

    /// The bytes of a stream until its end or its error.
    private func read(_ output: Output) async -> (text: String, error: ConnectionError?) {
        var data = Data()
        do throws(ConnectionError) {
            while let chunk = try await output.response?.body?.next() { data += chunk }
            return (String(decoding: data, as: UTF8.self), output.connectionError)
        } catch {
            return (String(decoding: data, as: UTF8.self), error)
        }
    }

    private static func secondRead(of body: ResponseBody?) async -> Result<Data?, ConnectionError> {
        do throws(ConnectionError) {
            _ = try await body?.next()
            return .success(try await body?.next())
        } catch {
            return .failure(error)
        }
    }

    private func connector(_ rest: Output, asked: Recorder<String?>) -> Connector {
        Connector { input in
            asked.append(input.headers["Range"])
            return input.headers.contains("Range") ? rest : .open(Self.head(), ["abc".utf8], then: Fixture.lost)
        }
    }

    @Test("a stream continues with the rest of its version")
    func rest() async {
        let asked = Recorder<String?>()
        let server = connector(.open(Self.head(3), ["def".utf8]), asked: asked)
        let (text, error) = await read(await WebAPI.call(with: Self.input, via: server.wrapped(by: Self.resuming)))
        #expect(text == "abcdef" && error == nil)
        #expect(asked.elements == [nil, "bytes=3-"])
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
        let (text, error) = await read(await WebAPI.call(with: Self.input, via: server.wrapped(by: Self.resuming)))
        #expect(text == "abc")
        #expect(error?.name == "connectionLost")
        #expect(asked.elements == [nil, "bytes=3-"])
        // The error keeps no body.
        #expect(error?.response?.body == nil)
    }

    @Test("a stream without a strong validator ends with its error")
    func noValidator() async {
        let asked = Recorder<String?>()
        let server = Connector { input in
            asked.append(input.headers["Range"])
            return .open(Self.head(tag: "v1").with(tag: "W/\"v1\""), ["abc".utf8], then: Fixture.lost)
        }
        let (text, error) = await read(await WebAPI.call(with: Self.input, via: server.wrapped(by: Self.resuming)))
        #expect(text == "abc" && error?.name == "connectionLost")
        #expect(asked.elements == [nil])
    }

    @Test(
        "a stream ends at once while its rest is asked for, and a rest that comes later is discarded",
        arguments: 0..<4
    )
    func endedMeanwhile(_ way: Int) async {
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
        let reader = Task { await Self.secondRead(of: body) }
        await asked.wait()
        switch way {
        case 0: reader.cancel()
        case 1: body?.discard()
        case 2: body?.interrupt(with: Fixture.lost)
        default: body?.finish()
        }
        let result = await reader.value
        let expected: [Result<Data?, ConnectionError>] = [
            .failure(.cancelled), .failure(.cancelled), .failure(Fixture.lost), .success(nil),
        ]
        #expect(result == expected[way])
        #expect(ends.elements == [[.failed(.cancelled), .discarded, .failed(Fixture.lost), .complete][way]])
        go.open()
        await discarded.wait()
    }

    @Test("a stream ends while it waits for the request for its rest")
    func endedInDelay() async {
        let clock = ManualClock()
        let server = connector(.open(Self.head(3), ["def".utf8]), asked: Recorder())
        let resuming = server.wrapped(by: .resumeDownloads(Backoff { _ in .seconds(9) }, clock: clock))
        let body = await WebAPI.call(with: Self.input, via: resuming).response?.body
        let reader = Task { await Self.secondRead(of: body) }
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

extension Response {
    fileprivate func with(tag: String) -> Response {
        var response = self
        response.headers["ETag"] = tag
        return response
    }
}
