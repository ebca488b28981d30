import Foundation
import StartSmall
import StartSmallDiagnostics
import StartSmallForms
import StartSmallTesting
import TestSupport
import Testing

struct LogTests {
    private let printed = Recorder<String>()
    private let entries = Recorder<LogEntry>()
    private let clock = ManualClock()

    private static let input = Input(
        url: URL(string: "https://me:hunter2@api.example.com/things?token=hunter2&page=2")!,
        headers: ["Authorization": "Bearer hunter2", "Accept": "a\r\nb"],
        methodAndPayload: .post(payload: Payload(.data(Data(#"{"password":"hunter2","a":1}"#.utf8)), mediaType: .json))
    )
    private static let answer = Response(
        statusCode: .created,
        headers: ["Content-Type": "application/json", "Set-Cookie": "sid=hunter2"],
        payload: Data(#"{"access_token":"hunter2","id":1}"#.utf8)
    )

    /// Returns a stub with a duration.
    private func stub(_ output: Output = .hasResponse(answer), taking time: Duration = .zero) -> Connector {
        .stub { [clock] _ in
            clock.advance(by: time)
            return output
        }
    }

    private func lines(_ detail: LogVerbosity, _ redaction: Redaction = .standard) -> Wrapper {
        .log(detail, redacting: redaction, clock: clock, print: { [printed] in printed.append($0) })
    }

    private func values(_ detail: LogVerbosity) -> Wrapper {
        .log(detail, clock: clock, entry: { [entries] in entries.append($0) })
    }

    // Lines.

    @Test("a call is logged as two lines: its request, and its result with its duration", .parity("B26"))
    func line() async {
        _ = await WebAPI.call(with: Self.input, via: stub(taking: .milliseconds(1_012)).wrapped(by: lines(.line)))
        #expect(
            printed.elements == [
                "#1 → POST https://<redacted>@api.example.com/things?token=<redacted>&page=2, "
                    + "28 bytes of application/json",
                "#1 ← 201 Created, 33 bytes, 1.012 s",
            ]
        )
    }

    @Test("a log that is off logs nothing", .parity("B26"))
    func off() async {
        let connector = stub().wrapped(by: lines(.off), values(.off))
        #expect(await WebAPI.call(with: Self.input, via: connector) == .hasResponse(Self.answer))
        #expect(printed.elements.isEmpty && entries.elements.isEmpty)
    }

    @Test("headers and payloads follow on separate lines, in one piece", .parity("C7"))
    func payloads() async {
        _ = await WebAPI.call(with: Self.input, via: stub().wrapped(by: lines(.payloads)))
        #expect(
            printed.elements == [
                """
                #1 → POST https://<redacted>@api.example.com/things?token=<redacted>&page=2, \
                28 bytes of application/json
                  Authorization: <redacted>
                  Accept: a\\r\\nb
                  {"password":"<redacted>","a":1}
                """,
                """
                #1 ← 201 Created, 33 bytes, 0.000 s
                  Content-Type: application/json
                  Set-Cookie: <redacted>
                  {"access_token":"<redacted>","id":1}
                """,
            ]
        )
    }

    @Test("a payload is cut at the limit, and one that is no text is logged as its size", .parity("C7"))
    func limits() async {
        let binary = Response(statusCode: .ok, payload: Data([0, 1, 2]))
        _ = await WebAPI.call(with: Self.input, via: stub(.hasResponse(binary)).wrapped(by: lines(.payloads(limit: 5))))
        #expect(printed.elements[0].hasSuffix("\n  {\"pas… and 23 more bytes"))
        #expect(printed.elements[1] == "#1 ← 200 OK, 3 bytes, 0.000 s\n  3 bytes of an unknown type")
    }

    @Test(
        "of a file or a form only its kind is logged",
        .parity("C7"),
        arguments: [
            Payload.Content.file(URL(fileURLWithPath: "/no/file")),
            .multipart(MultipartForm([.text("a", "hunter2")], boundary: "b")),
            .stream(PayloadStream { try await $0.write(Data("hunter2".utf8)) }),
        ]
    )
    func otherPayloads(_ content: Payload.Content) async {
        let input = Input(url: Fixture.url, methodAndPayload: .put(payload: Payload(content, mediaType: nil)))
        _ = await WebAPI.call(with: input, via: stub().wrapped(by: lines(.payloads)))
        #expect(printed.elements[0].hasPrefix("#1 → PUT https://api.example.com/things, "))
        #expect(!printed.elements[0].contains("hunter2"))
    }

    @Test("the curl command for the same request is logged on request, without credentials", .parity("D12"))
    func curl() async {
        _ = await WebAPI.call(with: Self.input, via: stub().wrapped(by: lines(.curl)))
        let command = Self.input.curlCommand()
        #expect(printed.elements[0].hasSuffix("\n  \(command)"))
        #expect(!printed.elements[0].contains("hunter2"))
    }

    /// Returns the command that is logged for a payload.
    private func command(_ content: Payload.Content) async -> String {
        let payload = Payload(content, mediaType: .text)
        let input = Input(url: Fixture.url, methodAndPayload: .put(payload: payload))
        _ = await WebAPI.call(with: input, via: stub().wrapped(by: lines(.curl)))
        return printed.elements.dropLast().last ?? ""
    }

    @Test("a payload over the limit is not in the command, which has a remark instead", .parity("D12"))
    func longCurl() async {
        let remark = " # more than 4096 bytes of payload, omitted: pass them on standard input"
        let long = Data(repeating: 97, count: LogVerbosity.defaultPayloadLimit + 1)
        for content in [Payload.Content.data(long), .multipart(MultipartForm([.data("a", long)], boundary: "b"))] {
            let command = await command(content)
            #expect(command.contains(" --data-binary @- "))
            #expect(command.hasSuffix(" --url 'https://api.example.com/things'" + remark))
            #expect(command.utf8.count < 500)
        }
        let input = Input(url: Fixture.url, methodAndPayload: .put(payload: .init(.data(long), mediaType: .text)))
        #expect(input.curlCommand().contains(String(decoding: long, as: UTF8.self)))
    }

    @Test(
        "a form is recognized by the Content-Type header that is sent, at every verbosity",
        .parity("B26"),
        arguments: [LogVerbosity.line, .curl, .headers, .payloads]
    )
    func formByHeader(_ detail: LogVerbosity) async {
        let form = Payload(.data(Data("a=1&password=hunter2".utf8)), mediaType: .octetStream)
        let input = Input(
            url: Fixture.url,
            headers: ["content-type": "application/x-www-form-urlencoded"],
            methodAndPayload: .post(payload: form)
        )
        _ = await WebAPI.call(with: input, via: stub().wrapped(by: lines(detail)))
        #expect(printed.elements[0].contains(", 20 bytes of application/x-www-form-urlencoded"))
        #expect(!printed.elements[0].contains("hunter2"))
    }

    @Test(
        "no log of any verbosity contains a credential by default",
        .parity("B26"),
        arguments: [LogVerbosity.line, .curl, .headers, .payloads, .payloads(limit: .max)]
    )
    func redaction(_ detail: LogVerbosity) async {
        let cause = ConnectionError.Cause(domain: "stub", code: 1, text: "lost", partial: Self.answer)
        for output in [Output.hasResponse(Self.answer), .noResponse(.connectionLost(cause))] {
            _ = await WebAPI.call(with: Self.input, via: stub(output).wrapped(by: lines(detail), values(detail)))
        }
        #expect(!printed.elements.joined().contains("hunter2"))
        #expect(!entries.elements.contains { "\($0)".contains("hunter2") })
        #expect(!entries.elements.contains { String(reflecting: $0).contains("hunter2") })
        _ = await WebAPI.call(with: Self.input, via: stub().wrapped(by: lines(detail, .none)))
        #expect(printed.elements.joined().contains("hunter2"))
    }

    // Values.

    @Test("as a value, a call is logged once, when it has ended", .parity("B26"))
    func value() async throws {
        _ = await WebAPI.call(with: Self.input, via: stub(taking: .seconds(2)).wrapped(by: values(.headers)))
        let entry = try #require(entries.elements.first)
        #expect(entries.elements.count == 1)
        #expect(entry.number == 1)
        #expect(entry.method == "POST")
        #expect(entry.headers["Authorization"] == Redaction.placeholder)
        #expect(entry.outcome?.status == .created)
        #expect(entry.outcome?.size == 33)
        #expect(entry.outcome?.duration == .seconds(2))
        #expect(entry.payloadText == nil && entry.outcome?.payloadText == nil)
    }

    @Test("calls are numbered for each wrapped connector, from 1", .parity("B26"))
    func numbers() async {
        let wrapper = values(.line)
        for connector in [stub().wrapped(by: wrapper), stub().wrapped(by: wrapper)] {
            for _ in 0..<2 { _ = await WebAPI.call(with: Fixture.input, via: connector) }
        }
        #expect(entries.elements.map(\.number) == [1, 2, 1, 2])
    }

    // With other wrappers.

    @Test("a cancelled call is logged too", .parity("B26"))
    func cancelled() async {
        let waiting = Latch()
        let stub = Connector.stub { _ in
            waiting.open()
            await Latch().wait()
            return .noResponse(.cancelled)
        }
        let call = Task { await WebAPI.call(with: Fixture.input, via: stub.wrapped(by: lines(.line))) }
        await waiting.wait()
        call.cancel()
        _ = await call.value
        #expect(printed.elements.last == "#1 ← cancelled: the task was cancelled, 0.000 s")
    }

    @Test("an impossible duration is logged nevertheless", arguments: [Duration.seconds(Int64.max), .seconds(-1)])
    func extremes(_ duration: Duration) async {
        var entry = LogEntry(number: 1, method: "GET", url: "/")
        entry.outcome = LogEntry.Outcome(status: .ok, duration: duration)
        #expect(entry.description.hasPrefix("#1 ← 200 OK, 0 bytes, "))
    }
}

/// Logs of calls whose body is still to be read.
@Suite(.timeLimit(.minutes(1))) struct StreamLogTests {
    private let printed = Recorder<String>()
    private let clock = ManualClock()

    private func log(_ detail: LogVerbosity = .line) -> Wrapper {
        .log(detail, clock: clock, print: { [printed] in printed.append($0) })
    }

    @Test("a stream is logged once, when its body has ended, with its bytes and its whole duration")
    func complete() async throws {
        let body = try #require(await OpenServer().open(via: log()).response?.body)
        #expect(await body.read() == .success(Data("ab".utf8)))
        clock.advance(by: .milliseconds(1_012))
        #expect(printed.elements.count == 1)
        while case .success(_?) = await body.read() {}
        #expect(printed.elements.dropFirst() == ["#1 ← 200 OK, 3 bytes, 1.012 s"])
    }

    @Test("the line of an outcome has the server's name of the request, if that is one")
    func requestID() async {
        for id in ["abc", "a b"] {
            let server = Connector.stub(.status(.ok, headers: ["X-Request-Id": id]))
            _ = await WebAPI.call(with: Fixture.input, via: server.wrapped(by: log()))
        }
        let outcomes = printed.elements.filter { $0.contains("←") }
        #expect(outcomes == ["#1 ← 200 OK, request abc, 0 bytes, 0.000 s", "#1 ← 200 OK, 0 bytes, 0.000 s"])
    }

    private static let lost = "connectionLost: lost (stub 1), after 200 OK [1 more], 3 bytes delivered, 0.000 s"
    private static let cancelled = "cancelled: the task was cancelled, 0.000 s"

    @Test(
        "the end of a stream is logged: its bytes, its error with its head, or that its rest is not wanted",
        arguments: [
            (OpenServer(chunks: []), .readToEnd, "200 OK, 0 bytes, 0.000 s\n  A: b"),
            (OpenServer(failure: Fixture.lost), .readToEnd, lost),
            (OpenServer(failure: Fixture.lost(after: OpenServer.head)), .readToEnd, lost),
            (OpenServer(), .discard, cancelled), (OpenServer(), .drop, cancelled),
        ] as [(OpenServer, BodyEnding, String)]
    )
    func ends(_ server: OpenServer, _ ending: BodyEnding, _ expected: String) async {
        _ = await ending.end { await server.open(via: log(server.chunks.isEmpty ? .payloads : .line)) }
        await eventually { printed.elements.count == 2 }
        #expect(printed.elements.last == "#1 ← \(expected)")
    }
}
