import Foundation
import StartSmallCore
import StartSmall
import StartSmallForms
import StartSmallTesting
import TestSupport
import Testing

extension ConnectorContract {
    /// Events that only an engine can report: the progress and the timings of a call.
    @Suite("contract of engines: progress and timings") struct EventTests {
        private static let answers: [(size: Int, status: HTTPStatus, rest: String, received: Int64)] = [
            (1_000_000, .ok, "Content-Length: 2\r\n\r\nhi", 2), (5, .noContent, "\r\n", 0),
            (5, .ok, "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n", 11),
        ]

        @Test(
            "the last progress counts everything that was sent and received, as its total too",
            arguments: EngineUnderTest.all,
            0..<3
        )
        func last(engine: EngineUnderTest, index: Int) async throws {
            let (size, status, rest, received) = Self.answers[index]
            let payload = Payload(.data(Data.pattern(count: size)), mediaType: nil)
            let answer = ServerScriptStep.send("HTTP/1.1 \(status.code) Some\r\n\(rest)")
            let last = try await engine.events([answer], .put(payload: payload)).progress.last
            #expect(last == TransferProgress(status: status, sent: .init(Int64(size)), received: .init(received)))
        }

        @Test("progress reaches the end of a form with a file", .parity("D11"), arguments: EngineUnderTest.all)
        func form(engine: EngineUnderTest) async throws {
            try await withFile(.pattern(count: 1_000_000)) { file in
                let form = MultipartForm([.text("title", "Cat"), .file("image", file)], boundary: "b")
                let payload = Payload(.multipart(form), mediaType: form.mediaType)
                let answer = "HTTP/1.1 204 No Content\r\n\r\n"
                let sent = try await engine.events([.send(answer)], .post(payload: payload)).progress.map(\.sent)
                let whole = Int64(try PayloadSource(payload.content).count)
                #expect(sent.last?.bytes == whole)
                #expect(sent.map(\.bytes) == sent.map(\.bytes).sorted())
                // A session on Linux does not know the length of a stream.
                #expect(sent.allSatisfy { $0.total ?? whole == whole })
            }
        }

        @Test("progress of a compressed payload counts the bytes on the wire", arguments: EngineUnderTest.all)
        func compressed(engine: EngineUnderTest) async throws {
            try await engine.check(.wholeOfCompressed) {
                let zipped = try #require(Data(base64Encoded: gzippedMebibyteOfZeros))
                let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(zipped.count)\r\n\r\n"
                let events = try await engine.events([.send(head), .sendBytes(Array(zipped))])
                #expect(events.progress.last?.received == .init(Int64(zipped.count)))
            }
        }

        @Test(
            "progress is reported while the payload arrives, with the total from Content-Length",
            arguments: EngineUnderTest.all
        )
        func half(engine: EngineUnderTest) async throws {
            let resume = Latch()
            let steps: [ServerScriptStep] = [
                .receiveRequest, .send("HTTP/1.1 200 OK\r\n\(unsniffed)Content-Length: 10\r\n\r\nhello"), .wait(resume),
                .send("world"),
            ]
            let halfway = TransferProgress(status: .ok, received: TransferProgress.Count(bytes: 5, total: 10))
            let opening = Listener { (event: Event) in if event == .progress(halfway) { resume.open() } }
            try await LoopbackServer.playing({ _ in steps }) { server in
                let connector = engine.connector(idle: .seconds(2)).wrapped(by: .listen(to: opening))
                let output = await WebAPI.call(with: Input(url: server.url), via: connector)
                #expect(output.response?.payload == Data("helloworld".utf8))
            }
        }

        @Test("a response without a payload reports no progress", arguments: EngineUnderTest.all)
        func none(engine: EngineUnderTest) async throws {
            let events = try await engine.events([.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")], .head)
            #expect(events.progress == [])
        }

        @Test("timings are reported before the response, with all their parts", arguments: EngineUnderTest.all)
        func timings(engine: EngineUnderTest) async throws {
            try await engine.check(.timings) {
                let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
                let events = try await engine.events(
                    [.send(answer)],
                    .post(payload: .init(.data(Data("abc".utf8)), mediaType: nil))
                )
                #expect(events.map(\.name) == ["started", "progress", "timings", "received", "succeeded", "ended"])
                let timings = try #require(events.timings.first)
                let (connect, first) = (try #require(timings.connect), try #require(timings.firstByte))
                #expect([.zero, connect, first, timings.total].sorted() == [.zero, connect, first, timings.total])
                #expect(connect > .zero && timings.total < .seconds(30))
                #expect(timings.secureConnection == nil)
                #expect((timings.sentBytes, timings.receivedBytes) == (3, 2))
                #expect(timings.httpVersion == "1.1")
                #expect(timings.reusedConnection == false)
                #expect(timings.remoteAddress?.hasPrefix("127.0.0.1:") == true)
            }
        }

        @Test(
            "timings of a reused connection say so, and have no time to connect",
            arguments: EngineUnderTest.ofSharedConnections
        )
        func reused(engine: EngineUnderTest) async throws {
            try await engine.check(.timings) {
                let step: [ServerScriptStep] = [
                    .receiveRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"),
                ]
                let log = EventLog()
                try await LoopbackServer.playing({ _ in step + step + step }) { server in
                    let connector = engine.connector().wrapped(by: .listen(to: log.listener))
                    for _ in 0..<3 { _ = await WebAPI.call(with: Input(url: server.url), via: connector) }
                }
                #expect(log.events.timings.map(\.reusedConnection) == [false, true, true])
                #expect(log.events.timings.map { $0.connect == nil } == [false, true, true])
            }
        }

        @Test("a failure on the wire has timings, with the bytes that had arrived", arguments: EngineUnderTest.all)
        func failure(engine: EngineUnderTest) async throws {
            let events = try await engine.events([.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhi")])
            let names = ["started", "receivedHead", "progress", "timings", "noResponse", "failed", "ended"]
            #expect(events.map(\.name) == names)
            #expect(events.progress.last?.received == TransferProgress.Count(bytes: 2, total: 9))
            #expect(events.timings.first?.receivedBytes == 2)
        }

        @Test("a call that did not reach the wire has no timings", arguments: EngineUnderTest.all)
        func noWire(engine: EngineUnderTest) async throws {
            let port = try await LoopbackServer.playing({ _ in [] }) { $0.port }
            let log = EventLog()
            let connector = engine.connector().wrapped(by: .listen(to: log.listener))
            let input = Input(url: try #require(URL(string: "http://127.0.0.1:\(port)/")))
            _ = await WebAPI.call(with: input, via: connector)
            #expect(log.names == ["started", "noResponse", "failed", "ended"])
        }

        @Test("a slow listener delays its own call only", arguments: EngineUnderTest.all)
        func slowListener(engine: EngineUnderTest) async throws {
            let steps: [ServerScriptStep] = [.receiveRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")]
            try await LoopbackServer.playing({ _ in steps }) { server in
                let connector = engine.connector()
                // Another call through the same engine ends while this listener handles an event of the first.
                let inner = Recorder<Int?>()
                let nesting = Listener { (event: Event) in
                    guard event.name == "received" || event.name == "timings" else { return }
                    let done = DispatchSemaphore(value: 0)
                    WebAPI.call(with: Input(url: server.url), via: connector) { output in
                        inner.append(output.response?.statusCode.code)
                        done.signal()
                    }
                    #expect(done.wait(timeout: .now() + 30) == .success)
                }
                // On a thread of its own: the few threads that run tasks may all be busy with other tests.
                await withTaskExecutorPreference(Lane()) {
                    let listened = connector.wrapped(by: .listen(to: nesting))
                    _ = await WebAPI.call(with: Input(url: server.url), via: listened)
                }
                #expect(!inner.elements.isEmpty && inner.elements.allSatisfy { $0 == 200 })
            }
        }
    }
}

extension EngineUnderTest {
    /// The events of a call to a server that performs `steps` after it has read the request.
    fileprivate func events(_ steps: [ServerScriptStep], _ methodAndPayload: HTTPMethodAndPayload = .get) async throws
        -> [Event]
    {
        let log = EventLog()
        return try await LoopbackServer.playing({ _ in [.receiveRequest] + steps }) { server in
            let input = Input(url: server.url, methodAndPayload: methodAndPayload)
            _ = await WebAPI.call(with: input, via: connector().wrapped(by: .listen(to: log.listener)))
            return log.events
        }
    }
}

extension StartSmallCore.TransferProgress.Count {
    /// A finished count of `bytes`, which are its total too; 0 of 0 where there was nothing to send.
    fileprivate init(_ bytes: Int64) { self.init(bytes: bytes, total: bytes) }
}

extension [Event] {
    fileprivate var timings: [RequestTimings] {
        compactMap { if case .timings(let timings) = $0 { timings } else { nil } }
    }
}

/// A queue with a thread of its own, which a task may block.
private final class Lane: TaskExecutor {
    private let queue = DispatchQueue(label: "lane")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
