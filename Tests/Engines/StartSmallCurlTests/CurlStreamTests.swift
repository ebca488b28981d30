#if os(Linux)
    import Foundation
    import Glibc
    import StartSmallTesting
    import TestSupport
    import Testing

    import StartSmall
    @testable import StartSmallCore

    /// Each test runs in its own process, so that its memory can be measured.
    @Suite("memory of the engine for Linux", .timeLimit(.minutes(2))) struct CurlStreamTests {
        @Test("256 MiB to a slow reader use less than 40 MiB of memory") func slowReader() async {
            await #expect(processExitsWith: .success) {
                let steps: [ServerScriptStep] = [
                    .send("HTTP/1.1 200 OK\r\nContent-Length: \(256 * mebibyte)\r\n\r\n"),
                    .sendRepeatedly(Data(count: 64 * 1024), times: 4096),
                ]
                try await expectBounded(256, steps)
            }
        }

        @Test(
            "256 MiB in 200 bytes of br use less than 40 MiB of memory, to a file and to a slow reader",
            .exhaustive
        )
        func brotli() async {
            await #expect(processExitsWith: .success) {
                let bytes = try #require(Data(base64Encoded: CodedPayload.brotliOf256MiBOfZeros))
                let length = "Content-Length: \(bytes.count)"
                let steps: [ServerScriptStep] = [
                    .send("HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\(length)\r\n\r\n"), .sendBytes(Array(bytes)),
                ]
                try await expectFile(256, [.receiveRequest] + steps)
                try await expectBounded(256, steps)
            }
        }

        @Test("a gzip bomb to a slow reader uses less than 40 MiB of memory") func bomb() async {
            await #expect(processExitsWith: .success) {
                // The beginning of a stream in which each zero byte means a kilobyte of zeros, without an end.
                let start = try #require(Data(base64Encoded: String(gzippedMebibyteOfZeros.prefix(36))))
                let steps: [ServerScriptStep] = [
                    .send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"),
                    .sendBytes(Array(start)), .sendRepeatedly(Data(count: 64 * 1024), times: 4),
                ]
                try await expectBounded(128, steps)
            }
        }
    }

    private let mebibyte = 1024 * 1024

    /// Downloads so many mebibytes to a file.
    private func expectFile(_ mebibytes: Int, _ steps: [ServerScriptStep]) async throws {
        try await withFolder { folder async throws in
            let file = folder.appendingPathComponent("f")
            try await LoopbackServer.playing({ _ in steps }) { server in
                let memory = Recorder<Int>()
                memory.append(Resident.mebibytes)
                let watching = Listener { (_: Event) in memory.append(Resident.mebibytes) }
                let connector = Connector.curl().wrapped(by: .listen(to: watching))
                let fetched = await Endpoint.download(.get(server.url.absoluteString), to: file)
                    .fetch(via: connector)
                memory.append(Resident.mebibytes)
                let size = try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
                guard fetched.right != nil, size == mebibytes * mebibyte else { throw Unexpected(fetched) }
                try memory.expectGrowth(below: 40)
            }
        }
    }

    /// Reads so many mebibytes as a stream, and makes other calls after each of the first chunks.
    private func expectBounded(_ mebibytes: Int, _ steps: [ServerScriptStep]) async throws {
        let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
        let small = Array(repeating: [ServerScriptStep.receiveRequest, .send(ok)], count: 1000).flatMap(\.self)
        try await LoopbackServer.playing({ $0 == 0 ? [.receiveRequest] + steps : small }) { server in
            let (connector, memory) = (Connector.curl(), Recorder<Int>())
            memory.append(Resident.mebibytes)
            let output = await WebAPI.call(with: Input(url: server.url, delivery: .stream), via: connector)
            let body = try #require(output.response?.body)
            var (size, chunks, end) = (0, 0, "complete")
            do {
                while let chunk = try await body.next() {
                    (size, chunks) = (size + chunk.count, chunks + 1)
                    if chunks <= 20 {
                        for _ in 0..<50 { _ = await WebAPI.call(with: Input(url: server.url), via: connector) }
                    }
                    memory.append(Resident.mebibytes)
                }
            } catch {
                // The bomb has no end.
                end = "\(error)"
            }
            guard size >= mebibytes * mebibyte else { throw Unexpected("\(size) bytes, \(end)") }
            try memory.expectGrowth(below: 40)
        }
    }

    /// The memory of this process.
    private enum Resident {
        static var mebibytes: Int {
            let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
            return (pages?.dropFirst().first.flatMap { Int($0) } ?? .max / 4096) * 4096 / mebibyte
        }

        /// Without the memory that the C library keeps for reuse, which it returns before (malloc_trim(3)).
        static var mebibytesAfterTrim: Int {
            typealias Trim = @convention(c) (Int) -> Int32
            if let trim = dlsym(nil, "malloc_trim") { _ = unsafeBitCast(trim, to: Trim.self)(0) }
            return mebibytes
        }
    }

    extension Recorder<Int> {
        fileprivate func expectGrowth(below limit: Int) throws {
            guard let first = elements.first, let most = elements.max(), most - first < limit else {
                let words = "\(elements.first ?? 0) MiB before, \(elements.max() ?? 0) at most"
                FileHandle.standardError.write(Data(words.utf8))
                throw Unexpected(words)
            }
        }
    }

    /// The cost of the engine while it is idle, and after a burst.
    @Suite("resource use of the engine for Linux", .timeLimit(.minutes(1))) struct CurlThriftTests {
        private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"

        @Test("a connector sleeps without a call, although it keeps a connection, and while a call waits")
        func idle() async {
            await #expect(processExitsWith: .success) {
                let script: [ServerScriptStep] = [
                    .receiveRequest, .send(Self.answer), .receiveRequest, .waitForClose,
                ]
                try await LoopbackServer.playing({ _ in script }) { server in
                    let connector = Connector.curl()
                    let output = await WebAPI.call(with: Input(url: server.url), via: connector)
                    guard output.response != nil else { throw Unexpected(output) }
                    let idleTurns = try await turnsWhileTimePasses()
                    // A machine that stalls may wake any thread.
                    guard idleTurns <= 1 else { throw Unexpected("\(idleTurns) turns") }
                    let call = Task { await WebAPI.call(with: Input(url: server.url), via: connector) }
                    while server.received.elements.count < 2, !Task.isCancelled { await Task.yield() }
                    let waitingTurns = try await turnsWhileTimePasses()
                    guard waitingTurns <= 3 else { throw Unexpected("\(waitingTurns) turns of a waiting call") }
                    call.cancel()
                    guard await call.value == .noResponse(.cancelled) else { throw Unexpected("not cancelled") }
                }
                await threadsEnd()
            }
        }

        @Test("the memory of a burst is released when the connections end") func memory() async {
            await #expect(processExitsWith: .success) {
                let payload = Data(count: 256 * 1024)
                let answers = Connector.stub(.hasResponse(Response(statusCode: .ok, payload: payload)))
                let connector = Connector.curl(options: ConnectionOptions(idleConnectionAge: .milliseconds(100)))
                try await LoopbackServer.serving(answers) { server in
                    let output = await WebAPI.call(with: Input(url: server.url), via: connector)
                    guard output.response?.payload.count == payload.count else { throw Unexpected(output) }
                }
                let before = Resident.mebibytesAfterTrim
                try await LoopbackServer.serving(answers) { server in
                    try await withThrowingTaskGroup { group in
                        for _ in 0..<500 {
                            group.addTask {
                                let output = await WebAPI.call(with: Input(url: server.url), via: connector)
                                guard output.response?.payload.count == payload.count else { throw Unexpected(output) }
                            }
                        }
                        try await group.waitForAll()
                    }
                }
                // All payloads together are eight times as large.
                let allowed = before + 16
                let end = ContinuousClock.now + .seconds(20)
                while Resident.mebibytesAfterTrim > allowed {
                    if ContinuousClock.now > end { throw Unexpected("\(before) MiB before, \(Resident.mebibytes) now") }
                    await Task.yield()
                }
                withExtendedLifetime(connector) {}
            }
        }
    }

    /// The number of times that the single thread of the engine wakes up, while another engine waits for a silent
    /// server.
    private func turnsWhileTimePasses() async throws -> Int {
        guard let thread = EngineThread.all.first else { throw Unexpected("no thread") }
        // The thread may have to end its last round before it sleeps.
        try await passTime()
        let before = thread.turns
        try await passTime()
        return thread.turns - before
    }

    /// Waits for the ends of the engines' threads: LeakSanitizer would find the memory of one that the process ends.
    private func threadsEnd() async {
        while !EngineThread.all.isEmpty, !Task.isCancelled { await Task.yield() }
    }

    /// Lets time pass: a call to a silent server takes its idle timeout.
    func passTime(_ duration: Duration = .milliseconds(500)) async throws {
        try await LoopbackServer.playing({ _ in [.waitForClose] }) { silent in
            let patient = Connector.curl(options: ConnectionOptions(idleTimeout: .limit(duration)))
            let output = await WebAPI.call(with: Input(url: silent.url), via: patient)
            guard output.connectionError?.name == "timedOut" else { throw Unexpected(output) }
        }
    }

    /// A thread of an engine, as the system lists it (proc(5)).
    struct EngineThread: Sendable {
        let folder: String

        /// The current thread.
        static let current = EngineThread(folder: "/proc/thread-self")

        static var all: [EngineThread] {
            let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
            return all.map { EngineThread(folder: "/proc/self/task/\($0)") }.filter {
                $0.text("comm") == "startsmall-curl\n"
            }
        }

        /// The number of times that the thread was given a processor, and gave it back.
        var turns: Int {
            let lines = text("status").split(separator: "\n").filter { $0.contains("ctxt_switches:") }
            return lines.reduce(0) { $0 + (Int($1.filter(\.isNumber)) ?? 0) }
        }

        /// The signals that don't reach the thread, as bits.
        var blockedSignals: UInt64? {
            let line = text("status").split(separator: "\n").first { $0.hasPrefix("SigBlk:") }
            return line.flatMap { UInt64($0.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16) }
        }

        private func text(_ file: String) -> String {
            (try? String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)) ?? ""
        }
    }
#endif
