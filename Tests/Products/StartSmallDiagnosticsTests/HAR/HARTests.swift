import Foundation
import StartSmall
import StartSmallDiagnostics
import StartSmallForms
import StartSmallTesting
import TestSupport
import Testing

/// A HAR as another program reads it: what each kind of request leaves in it.
@Suite(.timeLimit(.minutes(1))) struct HARTests {
    private let file = HARTestFile()

    private static let things = "https://api.example.com/things"

    private static func input(_ url: String = things, _ methodAndPayload: HTTPMethodAndPayload = .get) throws -> Input {
        Input(url: try #require(URL(string: url)), methodAndPayload: methodAndPayload)
    }

    private static let form = Payload(.data(Data("a=1+2&password=hunter2&b".utf8)), mediaType: .form)

    private static let payloads: [HTTPMethodAndPayload] = [
        .get, .head, .delete(payload: nil), .post(payload: form),
        .put(payload: Payload(.data(Data([0xFF, 0])), mediaType: nil)),
        .post(payload: Payload(.data(Data(#"{"a":1}"#.utf8)), mediaType: .json)),
        .post(payload: Payload(.file(URL(filePath: "/nowhere")), mediaType: .text)),
        .post(payload: Payload(.multipart(MultipartForm([.text("a", "b")], boundary: "x")), mediaType: nil)),
    ]

    private static let outputs: [Output] = [
        .text("hello", headers: ["Set-Cookie": "a=b; Path=/", "X-Own": "c"]), .json(#"{"token":"x"}"#),
        .data(Data([0xFF, 0xD8, 0]), mediaType: "image/jpeg"), .status(.noContent), .status(.notFound),
        .status(.found, headers: ["Location": "https://other.example/a"]), .noResponse(Fixture.lost),
        .noResponse(.cancelled), .noResponse(Fixture.lost(after: Fixture.ok)),
    ]

    @Test("each entry has all fields that HAR 1.2 requires, whatever was sent and received")
    func fields() async throws {
        for methodAndPayload in Self.payloads {
            let input = try Self.input(
                "https://me:pw@api.example.com:8080/a%20b?q=a+b&c&d=%C3%A4#top",
                methodAndPayload
            )
            for output in Self.outputs { await file.record([input], via: .stub(output)) }
        }
        let entries = try file.entries()
        #expect(entries.count == Self.payloads.count * Self.outputs.count)
        for entry in entries {
            try entry.expectAllFields()
            #expect(entry.pairs("request.queryString") == ["q=a b", "c=", "d=ä"])
            #expect(entry.text("request.url") == "https://%5Bredacted%5D@api.example.com:8080/a%20b?q=a+b&c&d=%C3%A4")
        }
        #expect(!file.text.contains("hunter2"))
    }

    @Test("an entry is one line, and has its keys in the same order each time")
    func lines() async throws {
        let input = try Self.input()
        let clock = ManualClock()
        let now = { @Sendable in Date(timeIntervalSince1970: 1_700_000_000.5) }
        let app = Connector.stub(.text("a\nb")).wrapped(by: .har(to: file.url, clock: clock, now: now))
        for _ in 0..<3 { _ = await WebAPI.call(with: input, via: app) }
        let lines = file.text.split(separator: "\n")
        #expect(lines.count == 5 && lines[1] == lines[2] && lines[2].dropLast() == lines[3])
        #expect(
            lines[3].hasPrefix(#"{"startedDateTime":"2023-11-14T22:13:20.500Z","time":0.0,"request":{"method":"GET""#)
        )
    }

    @Test("a form has its text and its items, and both are redacted")
    func form() async throws {
        await file.record([try Self.input(Self.things, .post(payload: Self.form))], via: .stub(.text("")))
        let entry = try #require(try file.entries().first)
        #expect(entry.text("request.postData.text") == "a=1+2&password=[redacted]&b")
        #expect(entry.pairs("request.postData.params") == ["a=1 2", "password=[redacted]", "b="])
        #expect(entry.text("request.postData.mimeType") == "application/x-www-form-urlencoded")
        #expect(entry.pairs("request.headers") == ["Content-Type=application/x-www-form-urlencoded"])
        #expect(entry.number("request.bodySize") == Double("a=1+2&password=hunter2&b".utf8.count))
    }

    @Test("cookies are hidden in header fields, and are nowhere else; without a redaction, all is shown")
    func cookies() async throws {
        let input = try Self.input().with { $0.headers["Cookie"] = "a=hunter2-a; b=2=3" }
        let stub = Connector.stub(.status(.ok, headers: ["Set-Cookie": "c=hunter2-c; Path=/"]))
        await file.record([input], via: stub)
        #expect(!file.text.contains("hunter2"))
        let all = CassetteRedaction(.none)
        _ = await WebAPI.call(with: input, via: stub.wrapped(by: .har(to: file.url, scrubbing: all)))
        let entries = try file.entries()
        #expect(entries.map { $0.pairs("request.headers") } == [["Cookie=[redacted]"], ["Cookie=a=hunter2-a; b=2=3"]])
        #expect(entries[1].pairs("response.headers") == ["Set-Cookie=c=hunter2-c; Path=/"])
    }

    @Test("a text is written as it is, and other bytes in Base64")
    func contents() async throws {
        let bytes = Data([0xFF, 0xD8, 0])
        await file.record([try Self.input()], via: .stub(.text("größe")))
        await file.record([try Self.input()], via: .stub(.data(bytes, mediaType: "image/jpeg")))
        let entries = try file.entries()
        #expect(entries.map { $0.text("response.content.text") } == ["größe", "/9gA"])
        #expect(entries.map { $0.text("response.content.encoding") } == [nil, "base64"])
        #expect(entries.map { $0.number("response.content.size") } == [7, 3])
    }

    @Test("a call without a response has the status 0, and its error; one that breaks has its status, too")
    func failures() async throws {
        await file.record([try Self.input()], via: .stub(.noResponse(Fixture.lost)))
        await file.record([try Self.input()], via: .stub(.noResponse(Fixture.lost(after: Fixture.ok))))
        let entries = try file.entries()
        #expect(entries.map(\.status) == [0, 200])
        #expect(entries.map { $0.text("_error") } == ["connectionLost: lost", "connectionLost: lost"])
    }

    // MARK: - The network

    @Test("each redirect and each attempt over a socket is an entry, with the phases of its own request")
    func network() async throws {
        let answers: [Output] = [
            .status(.found, headers: ["Location": "/b"]), .status(.serviceUnavailable), .text("hello"),
        ]
        try await LoopbackServer.serving(.stub(sequence: answers)) { server in
            let app = Connector.engine.wrapped(by: .har(to: file.url), .redirect(), .retry(random: { 0 }))
            let input = Input(url: server.url.appending(path: "a"))
            #expect(await WebAPI.call(with: input, via: app).response?.statusCode == .ok)
        }
        let entries = try file.entries()
        #expect(entries.map(\.status) == [302, 503, 200])
        #expect(entries.map { $0.text("request.url")?.suffix(2) } == ["/a", "/b", "/b"])
        #expect(entries.map { $0.text("response.redirectURL") } == ["/b", "", ""])
        for entry in entries {
            try entry.expectAllFields()
            #expect(entry.text("_error") == nil)
            #expect(entry.text("request.httpVersion") == "HTTP/1.1" && entry.text("response.httpVersion") == "HTTP/1.1")
            #expect(entry.text("serverIPAddress") == "127.0.0.1")
        }
        #expect(entries[2].number("response.bodySize") == 5)
    }

    @Test("the wrapper sees each request as it is sent, at any place among the others")
    func anyPlace() async throws {
        let base = try #require(URL(string: "https://api.example.com"))
        let around: [Wrapper] = [
            .baseURL(base), .bearer("hunter2-bearer"), .redirect(), .queries(["v": "1"], to: .anyOrigin),
        ]
        for place in 0...around.count {
            let (file, sent) = (HARTestFile(), Recorder<Input>())
            var wrappers = around
            wrappers.insert(.har(to: file.url), at: place)
            let app = Connector.stub(.text("hunter2-bearer"), recording: sent).wrapped(by: .all(wrappers))
            _ = await WebAPI.call(with: Input(url: try #require(URL(string: "/things"))), via: app)
            let entry = try #require(try file.entries().first)
            #expect(entry.text("request.url") == "https://api.example.com/things?v=1")
            #expect(entry.pairs("request.headers") == ["Authorization=[redacted]"])
            #expect(entry.text("response.content.text") == "[redacted]")
            #expect(sent.elements.count == 1)
        }
    }

    @Test("a dry run leaves no entry")
    func dryRun() async throws {
        let app = Connector.stub(.text("")).wrapped(by: .har(to: file.url))
        _ = await app.dryRun(try Self.input())
        #expect(file.text.isEmpty)
    }

    // MARK: - Times

    private static let timings = RequestTimings(
        nameLookup: .milliseconds(3),
        connect: .milliseconds(7),
        secureConnection: .milliseconds(12),
        firstByte: .milliseconds(30),
        total: .microseconds(42_001),
        sentBytes: 9,
        receivedBytes: 5,
        httpVersion: "2",
        remoteAddress: "[::1]:443",
        queued: .milliseconds(1)
    )

    /// Measurements, and the phases: blocked, dns, connect, ssl, wait, receive, time.
    private static let measurements: [(RequestTimings, [Double])] = [
        (timings, [1, 2, 9, 5, 18, 12.001, 42.001]),
        (RequestTimings(firstByte: .milliseconds(2), total: .milliseconds(5)), [-1, -1, -1, -1, 2, 3, 5]),
        (RequestTimings(connect: .milliseconds(4), total: .milliseconds(5)), [-1, -1, 4, -1, 1, 0, 5]),
        // Clocks that disagree, and times that no clock has.
        (
            RequestTimings(nameLookup: .milliseconds(9), connect: .milliseconds(4), total: .milliseconds(5)),
            [-1, 9, 0, -1, 0, 0, 9]
        ),
        (RequestTimings(firstByte: .seconds(-5), total: .zero), [-1, -1, -1, -1, 0, 0, 0]),
    ]

    @Test(
        "the phases of a request are those that the engine has measured, and their sum is the time",
        arguments: measurements
    )
    func phases(timings: RequestTimings, expected: [Double]) async throws {
        let engine = Connector { _, context in
            context.report(.timings(timings))
            return .text("hello")
        }
        await file.record([try Self.input()], via: engine)
        let entry = try #require(try file.entries().first)
        try entry.expectAllFields()
        let names = ["blocked", "dns", "connect", "ssl", "wait", "receive"]
        #expect(names.map { entry.number("timings.\($0)") } + [entry.number("time")] == expected)
    }

    @Test("a time that is too long to be one ends nothing")
    func endless() async throws {
        let engine = Connector { _, context in
            context.report(.timings(RequestTimings(total: .seconds(Int64.max))))
            return .text("hello")
        }
        await file.record([try Self.input()], via: engine)
        #expect(try file.entries().count == 1)
    }

    @Test("attempts of one call that run at the same time have their own times, in the other order, too")
    func concurrentAttempts() async throws {
        let first = Latch()
        let engine = Connector { input, context in
            let isFirst = input.headers["X-Number"] == "1"
            if isFirst { await first.wait() }
            context.report(.timings(RequestTimings(total: .milliseconds(isFirst ? 100 : 200))))
            defer { first.open() }
            return .text("")
        }
        let both = Wrapper { input, next in
            async let other = next(input.with { $0.headers["X-Number"] = "1" })
            let output = await next(input.with { $0.headers["X-Number"] = "2" })
            _ = await other
            return output
        }
        let scrubbing = CassetteRedaction(showing: ["X-Number"])
        let app = engine.wrapped(by: both, .har(to: file.url, scrubbing: scrubbing))
        _ = await WebAPI.call(with: try Self.input(), via: app)
        let times = Dictionary(
            uniqueKeysWithValues: try file.entries().map { ($0.pairs("request.headers"), $0.number("time")) }
        )
        #expect(times == [["X-Number=1"]: 100, ["X-Number=2"]: 200])
    }

    @Test("without exactly one measurement, the times are those of the clock")
    func unmeasured() async throws {
        for count in [0, 2] {
            let (file, clock) = (HARTestFile(), ManualClock())
            let engine = Connector { _, context in
                for _ in 0..<count { context.report(.timings(Self.timings)) }
                clock.advance(by: .milliseconds(20))
                return .text("hello")
            }
            _ = await WebAPI.call(with: try Self.input(), via: engine.wrapped(by: .har(to: file.url, clock: clock)))
            let entry = try #require(try file.entries().first)
            #expect(entry.number("timings.wait") == 20 && entry.number("timings.dns") == -1)
            #expect(entry.number("time") == 20 && entry.text("serverIPAddress") == nil)
        }
    }

    // MARK: - Streams

    @Test("a stream is written when it has ended, with what arrived, and passes through unchanged")
    func streams() async throws {
        let server = Connector { _ in
            .open(Fixture.ok.head, ["one".utf8, "two".utf8].map { Data($0) }, trailers: ["ETag": "1"])
        }
        let app = server.wrapped(by: .har(to: file.url))
        let input = try Self.input().with { $0.delivery = .stream }
        let read = await WebAPI.call(with: input, via: app)
        #expect(file.text.isEmpty)
        #expect(await ReadOutput(read).text == "onetwo")
        let left = await WebAPI.call(with: input, via: app)
        _ = try await left.response?.body?.next()
        left.response?.body?.discard()
        // The writes are in one queue.
        await file.record([try Self.input()], via: .stub(.text("last")))
        let entries = try file.entries()
        #expect(entries.map { $0.text("response.content.text") } == ["onetwo", "one", "last"])
        #expect(entries.map { $0.text("_error") } == [nil, "cancelled", nil])
        #expect(entries[0].pairs("_trailers") == ["ETag=1"])
    }

    @Test("a payload over the limit is described by its size, passes whole, and its beginning is searched for secrets")
    func payloadLimit() async throws {
        let long = #"{"token":"hunter2-token","a":""# + String(repeating: "x", count: 1_000_000) + "\"}"
        let app = Connector.stub { $0.methodAndPayload == .get ? .json(long) : .text("hunter2-token") }
            .wrapped(by: .har(to: file.url, limits: HARLimits(payload: 100)))
        let big = Payload(.data(Data(repeating: 0x61, count: 101)), mediaType: .text)
        let whole = await WebAPI.call(with: try Self.input(), via: app)
        #expect(whole.response?.payload == Data(long.utf8))
        _ = await WebAPI.call(with: try Self.input(Self.things, .post(payload: big)), via: app)
        let entries = try file.entries()
        #expect(entries[0].number("response.content.size") == Double(long.utf8.count))
        let comment = "\(long.utf8.count) bytes of application/json: more than 100 bytes"
        #expect(entries[0].text("response.content.comment") == comment && entries[0].text("_error") == nil)
        #expect(entries[0].text("response.content.text") == nil)
        #expect(entries[1].text("request.postData.comment")?.hasPrefix("101 bytes of text/plain: ") == true)
        #expect(entries[1].text("response.content.text") == "[redacted]")
        #expect(!file.text.contains("hunter2"))
    }

    // MARK: - Secrets

    private static let secret = "hunter2/pl+n%te d"
    private static let encodings: [@Sendable (String) -> String] = [
        { $0 }, { URIEncoding($0) }, { JSONText($0) }, { Data($0.utf8).base64EncodedString() },
    ]

    @Test("a secret of an earlier exchange is hidden in each place of a later one, in four encodings")
    func known() async throws {
        let secret = Self.secret
        let login = try Self.input(
            Self.things,
            .post(payload: Payload(.data(Data("password=\(URIEncoding(secret))".utf8)), mediaType: .form))
        )
        for (number, encode) in Self.encodings.enumerated() {
            let (file, text) = (HARTestFile(), encode(secret))
            let inURL = URIEncoding(secret)
            let later = [
                try Self.input("https://api.example.com/a/\(inURL)/b?c=\(inURL)"),
                try Self.input().with { $0.headers["Link"] = "<\(text)>" },
                try Self.input().with { $0.headers["Cookie"] = "a=\(inURL)" },
                try Self.input(Self.things, .post(payload: Payload(.data(Data("say \(text)".utf8)), mediaType: .text))),
                try Self.input(Self.things, .post(payload: Payload(.data(Data("a=\(inURL)".utf8)), mediaType: .form))),
            ]
            await file.record([login] + later, via: .stub(.text("so \(text)")))
            let error = ConnectionError.other(.init(domain: "a", code: 1, text: "no \(text) here"))
            await file.record([try Self.input()], via: .stub(.noResponse(error)))
            #expect(try file.entries().count == 7)
            #expect(!file.text.contains("hunter2"), "encoding \(number): \(file.text)")
            #expect(!file.text.contains(Data(secret.utf8).base64EncodedString().dropLast(4)), "encoding \(number)")
            #expect(file.text.contains("so [redacted]"), "encoding \(number)")
        }
    }

    /// A secret in encodings that hardly any program writes, and that each program reads.
    private static let oddEncodings: [@Sendable (String) -> String] = [
        { URIEncoding($0) }, { $0.utf8.map { "%" + String($0, radix: 16) }.joined() },
        { $0.utf8.enumerated().map { "%" + String($1, radix: 16, uppercase: $0.isMultiple(of: 2)) }.joined() },
        { $0.replacingOccurrences(of: " ", with: "+").replacingOccurrences(of: "-", with: "%2D") },
    ]

    /// Secrets that an earlier exchange names, and secrets by their forms.
    private static let oddSecrets: [(secret: String, isNamed: Bool)] = [
        ("hunter2-value-x", true), ("hunter2-value x+y-z", true), ("ghp_abcdefghijklmnopqrstuvwxyz0123456789", false),
        ("sk-abcdefghijklmnopqrstuvwxyz0123456789", false),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", false),
    ]

    @Test("a secret is in no decoded item of a query or form, however it is encoded", arguments: oddSecrets)
    func decodedItems(secret: String, isNamed: Bool) async throws {
        for encode in Self.oddEncodings {
            let (file, text) = (HARTestFile(), encode(secret))
            let form = Payload(.data(Data("a=\(text)&\(text)=b&c".utf8)), mediaType: .form)
            let login = try Self.input().with { $0.headers["Authorization"] = isNamed ? "Bearer \(secret)" : nil }
            let later = try Self.input("\(Self.things)?a=\(text)&\(text)&b=1", .post(payload: form))
            await file.record([login, later], via: .stub(.text("")))
            let entry = try #require(try file.entries().last)
            #expect(entry.pairs("request.queryString") == ["a=[redacted]", "[redacted]=", "b=1"], "\(text)")
            #expect(entry.pairs("request.postData.params") == ["a=[redacted]", "[redacted]=b", "c="], "\(text)")
            #expect(!file.text.contains(secret) && !file.text.contains(text), "\(text)")
        }
    }

    /// In a process of its own, whose HARs no other test writes: a process keeps the secrets of all of them together.
    @Test("of more secrets than are kept, the latest are known, and those that are still sent")
    func manySecrets() async throws {
        await #expect(processExitsWith: .success) {
            let (file, limits) = (HARTestFile(), HARLimits(entries: 10_000))
            let urls = (0..<1_200).map { "https://a.example/?token=hunter2-\($0)&key=hunter2-always" }
            await file.record(try urls.map { try HARTests.input($0) }, limits: limits, via: .stub(.text("")))
            let text = Output.text("hunter2-1199 hunter2-800 hunter2-always")
            await file.record([try HARTests.input()], limits: limits, via: .stub(text))
            #expect(try file.entries().last?.text("response.content.text") == "[redacted] [redacted] [redacted]")
        }
    }

    @Test("a secret is hidden as a whole, though one of long before is its beginning")
    func beginning() async throws {
        let tokens = ["hunter2-start"] + (0..<510).map { "hunter2/\($0)" } + ["hunter2-start-and-end"]
        let inputs = try tokens.map { try Self.input("https://a.example/?token=\($0)") }
        await file.record(inputs, via: .stub(.text("so hunter2-start-and-end")))
        #expect(try file.entries().last?.text("response.content.text") == "so [redacted]")
    }

    @Test("a payload that can't be searched is described, and the call does not fail")
    func unsearchable() async throws {
        for (type, text) in [
            ("application/xml", "<token>hunter2</token>"), ("application/json", "{'password': 'hunter2'}"),
        ] {
            await file.record(
                [try Self.input()],
                via: .stub(.data(Data(text.utf8), mediaType: MediaType(rawValue: type)))
            )
        }
        let entries = try file.entries()
        #expect(entries.map(\.status) == [200, 200])
        #expect(entries.allSatisfy { $0.text("response.content.comment")?.contains(" bytes of application/") == true })
        #expect(!file.text.contains("hunter2"))
    }
}

private func URIEncoding(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
}

private func JSONText(_ text: String) -> String {
    (try? JSONEncoder().encode([text])).map { String(decoding: $0.dropFirst(2).dropLast(2), as: UTF8.self) } ?? text
}
