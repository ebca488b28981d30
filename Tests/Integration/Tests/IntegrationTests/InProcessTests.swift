import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import StartSmall
import StartSmallTesting
import Testing

/// The same calls to one server, in this process and over a socket.
@Suite("a server as a connector", .timeLimit(.minutes(1)))
struct InProcessTests {
    private let books = Books()

    private func inProcess() throws -> Connector {
        let (router, url) = (books.router, try #require(URL(string: "http://books.example:8080")))

        let server = Connector.inProcess(router.buildResponder())
        let app = server.wrapped(by: .baseURL(url))

        return app
    }

    /// Runs the same calls both ways; returns the results: in the process, and over a socket.
    private func both<Value: Sendable>(
        _ call: @Sendable (Connector) async throws -> Value
    ) async throws -> (inProcess: Value, socket: Value) {
        let first = try await call(inProcess())
        let second = try await books.running { url in
            try await call(.curl(options: ConnectionOptions(proxy: .none)).wrapped(by: .baseURL(url)))
        }
        return (first, second)
    }

    @Test("status, header fields and payload are the same", arguments: Call.all)
    func calls(call: Call) async throws {
        let outputs = try await both { await WebAPI.call(with: call.input, via: $0).seen }
        #expect(outputs.inProcess == outputs.socket)
        #expect(outputs.inProcess.hasPrefix(call.expected), "\(outputs.inProcess)")
    }

    @Test("the parts of a stream arrive while the handler writes, the reader sets the pace, and trailers come last")
    func stream() async throws {
        let outputs = try await both { connector in
            let turns = books.turns
            turns.append([Latch(), Latch(), Latch()])
            let output = await WebAPI.call(with: Call.get("/parts").with { $0.delivery = .stream }, via: connector)
            guard case .body(let body) = output.response?.content else { return ["\(output)"] }
            var parts: [String] = []
            while let part = try await body.next() {
                parts.append(String(decoding: part, as: UTF8.self))
                // The handler writes the next part only now.
                turns.elements.last?[parts.count - 1].open()
            }
            return parts + body.trailers.fields.map { "\($0.name.lowercased()): \($0.value)" }
        }
        #expect(outputs.inProcess == ["part 0", "part 1", "part 2", "checksum: 3"])
        #expect(outputs.inProcess == outputs.socket)
    }

    @Test("a reader that leaves ends the handler, which has written no more than is buffered")
    func discarded() async throws {
        let endless = Call.get("/endless").with { $0.delivery = .stream }
        let output = await WebAPI.call(with: endless, via: try inProcess())
        guard case .body(let body) = output.response?.content else {
            Issue.record("\(output)")
            return
        }
        #expect(try await body.next() != nil)
        body.discard()
        await books.ended.wait()
        // 64 KiB wait for the reader at most, beside one chunk of 32 KiB.
        #expect(books.written.elements.count <= 5)
    }

    @Test(
        "an upload arrives in order while it is produced, whether its length is known or not",
        arguments: [true, false]
    )
    func upload(hasLength: Bool) async throws {
        let bytes = Routes.bytes(300_000)
        let outputs = try await both { connector in
            let stream = PayloadStream(length: hasLength ? bytes.count : nil) { writer in
                for start in stride(from: 0, to: bytes.count, by: 70_000) {
                    try await writer.write(bytes[start..<min(start + 70_000, bytes.count)])
                }
            }
            let payload = Payload(.stream(stream), mediaType: .octetStream)
            return await WebAPI.call(with: Call.put("/upload", payload), via: connector).seen
        }
        #expect(outputs.inProcess == outputs.socket)
        #expect(
            outputs.inProcess.contains("300000 bytes of application/octet-stream, length \(hasLength), right: true")
        )
    }

    @Test("a file is uploaded, and an upload that fails has the error of its producer")
    func fileAndFailure() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "StartSmallInProcess-\(UUID())")
        try Routes.bytes(300_000).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let files = try await both { connector in
            let payload = Payload(.file(file), mediaType: .octetStream)
            return await WebAPI.call(with: Call.put("/upload", payload), via: connector).seen
        }
        #expect(files.inProcess == files.socket && files.inProcess.contains("right: true"))
        let failures = try await both { connector in
            let stream = PayloadStream { writer in
                try await writer.write(Data("half".utf8))
                throw URLError(.cannotOpenFile)
            }
            let payload = Payload(.stream(stream), mediaType: .octetStream)
            return await WebAPI.call(with: Call.put("/upload", payload), via: connector).connectionError?.name
        }
        #expect(failures.inProcess == "malformedPayload" && failures.socket == "malformedPayload")
    }

    @Test("an upload that is cancelled never looks complete to the handler")
    func cancelledUpload() async throws {
        let outputs = try await both { connector in
            let (begun, release) = (Latch(), Latch())
            books.turns.append([begun, release])
            let stream = PayloadStream { writer in
                try await writer.write(Data("half".utf8))
                await Latch().wait()
            }
            let upload = Call.put("/slow", Payload(.stream(stream), mediaType: .octetStream))
            let call = Task { await WebAPI.call(with: upload, via: connector) }
            await begun.wait()
            call.cancel()
            let output = await call.value
            release.open()
            return output
        }
        #expect(outputs.inProcess == .noResponse(.cancelled) && outputs.socket == .noResponse(.cancelled))
        #expect(books.uploaded.elements.isEmpty)
    }

    @Test("a cancelled call ends as cancelled, and in the process, its handler too")
    func cancelled() async throws {
        let outputs = try await both { connector in
            let (begun, release) = (Latch(), Latch())
            books.turns.append([begun, release])
            let call = Task { await WebAPI.call(with: Call.get("/silent"), via: connector) }
            await begun.wait()
            call.cancel()
            let output = await call.value
            // Over a socket, a server need not learn of it.
            if books.turns.elements.count == 1 { await books.ended.wait() }
            release.open()
            return output
        }
        #expect(outputs.inProcess == .noResponse(.cancelled) && outputs.socket == .noResponse(.cancelled))
    }
}

/// A call, and the beginning of its result as ``StartSmall/Output/seen`` shows it.
struct Call: Sendable, CustomTestStringConvertible {
    let input: Input
    let expected: String

    var testDescription: String { "\(input)" }

    // swift-format-ignore: NeverForceUnwrap
    static func get(_ target: String) -> Input { Input(url: URL(string: target)!) }

    static func put(_ target: String, _ payload: Payload) -> Input {
        get(target).with { $0.methodAndPayload = .put(payload: payload) }
    }

    private static func method(_ method: String, _ target: String) -> Input {
        get(target).with { $0.methodAndPayload = HTTPMethodAndPayload(method: method, payload: nil) }
    }

    static let all = [
        Call(input: get("/books/1"), expected: "200\ncontent-length: 4\ncontent-type: text/plain; charset=utf-8\n"),
        Call(input: method("HEAD", "/books/1"), expected: "200\n"),
        Call(input: get("/echo/%E3%81%82%2F?q=a%26b&c"), expected: "200\n"),
        Call(
            input: get("/fields").with { $0.headers = ["X-A": "1", "x-a": "2", "Accept": "text/plain"] },
            expected: "200\n"
        ),
        Call(input: put("/upload", Payload(.data(Data()), mediaType: .text)), expected: "200\n"),
        Call(input: method("DELETE", "/books/1"), expected: "204\n"),
        Call(input: get("/cookies"), expected: "200\ncontent-length: 0\nset-cookie: a=1\nset-cookie: b=2\n"),
        Call(input: get("/conflict"), expected: "409\n"),
        Call(input: get("/fails"), expected: "500\n"),
        Call(input: get("/nowhere"), expected: "404\n"),
        Call(input: get("/broken"), expected: "connectionLost, 200 with 4 bytes"),
    ]
}

extension Output {
    /// What a client sees of an output, but the fields that a server adds to each response.
    fileprivate var seen: String {
        switch self {
        case .hasResponse(let response):
            let added = ["date", "server", "connection", "transfer-encoding"]
            let fields = response.headers.fields.map { "\($0.name.lowercased()): \($0.value)" }.sorted()
            let shown = fields.filter { field in !added.contains { field.hasPrefix("\($0):") } }
            let text = String(decoding: response.payload, as: UTF8.self)
            return (["\(response.statusCode.code)"] + shown + ["", text]).joined(separator: "\n")
        case .noResponse(let error):
            let partial = error.response.map { ", \($0.statusCode.code) with \($0.payload.count) bytes" } ?? ""
            return error.name + partial
        }
    }
}

/// A server with state, as an app writes it.
private final class Books: Sendable {
    /// The latches of each call, which its handler opens or waits for.
    let turns = Recorder<[Latch]>()
    let written = Recorder<Void>()
    let uploaded = Recorder<Void>()

    /// Opens when a handler was cancelled, or its reader has left.
    let ended = Latch()

    var router: Router<BasicRequestContext> {
        let router = Router(options: .autoGenerateHeadEndpoints)
        router.get("books/:id") { _, _ in "Emma" }
        router.delete("books/:id") { _, _ in HTTPResponse.Status.noContent }
        router.get("echo/**") { request, _ in "\(request.uri.string) \(request.head.method)" }
        router.get("fields") { request, _ in
            request.headers.filter { ["x-a", "accept"].contains($0.name.canonicalName) }
                .map { "\($0.name.canonicalName): \($0.value)" }.joined(separator: "\n")
        }
        router.get("cookies") { _, _ in
            var fields = HTTPFields()
            for value in ["a=1", "b=2"] { fields.append(HTTPField(name: .setCookie, value: value)) }
            return HummingbirdCore.Response(status: .ok, headers: fields)
        }
        router.get("conflict") { _, _ -> String in throw HTTPError(.conflict, message: "taken") }
        router.get("fails") { _, _ -> String in throw URLError(.badURL) }
        router.put("upload") { request, _ in
            let hasLength = request.headers[.contentLength] != nil
            let bytes = try await request.body.collect(upTo: 1_000_000)
            let isRight = Data(bytes.readableBytesView) == Routes.bytes(bytes.readableBytes)
            let type = request.headers[.contentType] ?? "no type"
            return "\(bytes.readableBytes) bytes of \(type), length \(hasLength), right: \(isRight)"
        }
        router.put("slow") { [turns, uploaded] request, _ in
            let turn = turns.elements.last
            for try await _ in request.body {
                turn?.first?.open()
                await turn?.last?.wait()
            }
            uploaded.append(())
            return ""
        }
        router.get("broken") { _, _ in
            HummingbirdCore.Response(
                status: .ok,
                body: .init(contentLength: 10) { writer in
                    try await writer.write(ByteBuffer(string: "half"))
                    throw URLError(.badURL)
                }
            )
        }
        router.get("parts") { [turns] _, _ in
            HummingbirdCore.Response(
                status: .ok,
                body: .init { writer in
                    for (index, turn) in (turns.elements.last ?? []).enumerated() {
                        try await writer.write(ByteBuffer(string: "part \(index)"))
                        await turn.wait()
                    }
                    try await writer.finish([HTTPField.Name("Checksum")!: "3"])
                }
            )
        }
        router.get("endless") { [written, ended] _, _ in
            HummingbirdCore.Response(
                status: .ok,
                body: .init { writer in
                    defer { ended.open() }
                    while true {
                        try await writer.write(ByteBuffer(repeating: 0, count: 32_768))
                        written.append(())
                    }
                }
            )
        }
        router.get("silent") { [turns, ended] _, _ in
            let turn = turns.elements.last
            turn?.first?.open()
            await turn?.last?.wait()
            ended.open()
            return ""
        }
        return router
    }

    /// Runs the server on 127.0.0.1 while `body` runs.
    func running<Value: Sendable>(_ body: @Sendable (URL) async throws -> Value) async throws -> Value {
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) },
            logger: Logger(label: "books") { _ in SwiftLogNoOpLogHandler() }
        )
        let services = ServiceGroup(
            configuration: .init(services: [application], gracefulShutdownSignals: [], logger: application.logger)
        )
        return try await withThrowingTaskGroup { group in
            group.addTask {
                defer { port.finish() }
                try await services.run()
            }
            let number = try #require(await ports.first { _ in true })
            let result = await Result { try await body(URL(string: "http://127.0.0.1:\(number)")!) }
            await services.triggerGracefulShutdown()
            try await group.waitForAll()
            return try result.get()
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
